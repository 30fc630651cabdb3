"""Claims of Žliobaitė et al. (2015), Section 6, beside the Persistent classifier and each other."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from streameval.papers.zliobaite2015.published import MUCH, ORDINARY, SLIGHTLY, WRAPPED
from streameval.report.claims.condition import (
    BY_INTERVAL,
    Condition,
    Need,
    Outcome,
    Predicate,
    differences,
    of_learners,
    of_traces,
    unless_lacking,
)
from streameval.report.results import Results
from streameval.report.tables import number_text

_DEPENDENT = ("elec2_mlj", "covtype", "kdd99")
_PAIRS = [(name + form, "no_change") for name in ORDINARY for form in WRAPPED]
_BAGGING = "leveraging_bagging"
#: The streams of Figure 7, and its seeds at paper scale.
_BOTH, SEEDS = ("elec2_mlj", "covtype"), 10


def _bagging_is_best(results: Results) -> Outcome:
    conditions, reasons = [], []
    for stream in (*_DEPENDENT, "ozone"):
        found, lacking = of_learners(results, stream, "accuracy", ORDINARY)
        if lacking:
            reasons.append(lacking)
            continue
        best = max((found[name], name) for name in ORDINARY if name != _BAGGING)
        text = (
            f"{stream}: accuracy of {_BAGGING} {number_text(found[_BAGGING])}, of {best[1]} "
            f"{number_text(best[0])}"
        )
        conditions.append(Condition(found[_BAGGING] > best[0], text))
    return unless_lacking(conditions, reasons)


def _close_to_persistent(results: Results) -> Outcome:
    conditions, reasons = [], []
    for stream in _DEPENDENT:
        found, lacking = differences(results, stream, _PAIRS)
        reasons += [lacking] if lacking else []
        conditions += [
            Condition(gap.within(SLIGHTLY), f"{stream}: {name} less no_change {gap.text}")
            for (name, _), gap in zip(_PAIRS, found, strict=True)
            if not lacking
        ]
    return unless_lacking(conditions, reasons)


def _above_persistent(results: Results) -> Outcome:
    found, lacking = differences(results, "ozone", _PAIRS)
    if lacking:
        return lacking
    signs = [gap.above(MUCH) for gap in found]
    better, open_ = signs.count(True), signs.count(None)
    half = len(signs) / 2
    most = True if better > half else (None if better + open_ > half else False)
    return [Condition(most, f"by more in {better} of {len(signs)} cases, undecided in {open_}")]


def _outperformed(results: Results) -> Outcome:
    return of_traces(results, "zliobaite2015/fig7", "false_alarms", _BOTH, _random_is_better)


def _random_is_better(alarms: pd.DataFrame, stream: str) -> Outcome:
    conditions = []
    for variant in ("original", "temporal"):
        rows = alarms[alarms["variant"] == variant]
        is_random = rows["learner"] == "ddm_random"
        best = float(rows[is_random].groupby("probability")["accuracy"].mean().max())
        own = float(rows.loc[rows["learner"] == "ddm_nb", "accuracy"].mean())
        text = (
            f"{stream} {variant}: at most {number_text(best)} with random alarms, "
            f"{number_text(own)} of DDM"
        )
        conditions.append(Condition(best - own > MUCH, text))
    return conditions


OF_WRAPPED: Mapping[str, Predicate] = {
    "lbag_best_ordinary": Predicate(
        "over each of the four whole streams leveraging bagging has a higher accuracy than the "
        "other four ordinary learners",
        _bagging_is_best,
        universal=True,
    ),
    "wrapped_close_to_persistent": Predicate(
        "on Elec2 (with the paper's five attributes), covtype and kdd99 the accuracies of all five "
        f"learners in both wrappers are within {SLIGHTLY} of that of No-Change; {BY_INTERVAL}",
        _close_to_persistent,
        universal=True,
    ),
    "ozone_above_persistent": Predicate(
        "on ozone more than half of the five learners in both wrappers are more accurate than "
        f"No-Change by more than {MUCH}; {BY_INTERVAL}",
        _above_persistent,
    ),
    "ddm_outperformed": Predicate(
        "in the original order and where labels keep it, the highest mean accuracy of DDM-random "
        f"over the seeds is above that of DDM by more than {MUCH}",
        _outperformed,
        (Need("zliobaite2015/fig7", "false_alarms", _BOTH, "seed", distinct=SEEDS),),
        universal=True,
    ),
}
