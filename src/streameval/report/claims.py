"""What the papers say about their figures, as predicates over a run's results.

To add one: a function from `Results` to `Condition`s, and a line in `PREDICATES` under the
paper and the key that the claim has in ``resources/published/claims.csv``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd

from streameval.report.frames import as_flags
from streameval.report.layouts import above_no_change
from streameval.report.results import Results
from streameval.report.tables import number_text, round_half_up

#: Landis and Koch (1977), The measurement of observer agreement for categorical data, p. 165:
#: from 0.41 agreement is "moderate".
GOOD_KAPPA = 0.4
#: Half-hours in a day, and as many days as the paper's Figure 1 shows.
DAY, DAYS = 48, 7
#: What one more label adds: strongly from here on, and hardly anything up to there, which is what
#: the paper's text says of the 0.02 that it quotes.
STRONG, HARDLY = 0.1, 0.02

NOT_PART = "the study that it needs is not part of this version"


class Condition(NamedTuple):
    """A part of a claim: whether it holds, and the numbers that say so."""

    holds: bool
    numbers: str


#: The conditions of a claim, or why they cannot be checked in this run.
Outcome = list[Condition] | str


class Predicate(NamedTuple):
    """A claim in terms of numbers: the rule in words, and the function that follows it."""

    rule: str
    check: Callable[[Results], Outcome]


class Judgement(NamedTuple):
    """A checked claim; `share` is that of its conditions that hold, NaN where it was not run."""

    share: float
    verdict: str
    rule: str
    reason: str


def judge(paper: str, key: str, results: Results) -> Judgement:
    """Check a claim against the results of a run.

    Returns
    -------
    Judgement
        Verdict "holds" where every condition does, "does not hold" where one does not, and
        "not run" with the reason where there is nothing to check it on.
    """
    if (paper, key) not in PREDICATES:
        return Judgement(np.nan, "not run", "none: not run", NOT_PART)
    rule, check = PREDICATES[paper, key]
    outcome = check(results)
    if isinstance(outcome, str):
        return Judgement(np.nan, "not run", rule, outcome)
    share = sum(condition.holds for condition in outcome) / len(outcome)
    verdict = "holds" if share == 1 else "does not hold"
    numbers = "; ".join(
        condition.numbers if condition.holds else f"NOT {condition.numbers}"
        for condition in outcome
    )
    return Judgement(share, verdict, rule, numbers)


def _autocorrelation_peaks(results: Results) -> Outcome:
    name = "bifet2013/fig1/elec2"
    if name not in results.frames:
        return results.absence("bifet2013/fig1", "elec2")
    frame = results.frames[name]
    correlation = pd.Series(frame["autocorrelation"].to_numpy(), index=frame["lag"].to_numpy())
    if correlation.index.max() < DAY * DAYS + 1:
        return f"the autocorrelation of this run ends at lag {correlation.index.max()}"
    conditions = []
    for lag in range(DAY, DAY * DAYS + 1, DAY):
        around = correlation.loc[lag - DAY // 2 : lag + DAY // 2]
        is_largest = bool(around[lag] == around.max())
        conditions.append(Condition(is_largest, f"{number_text(float(around[lag]))} at {lag}"))
    return conditions


def _no_change_beats_learners(results: Results) -> Outcome:
    ours, lacking = _of_learners(
        results, "elec2", "accuracy", ("naive_bayes", "hoeffding_tree", "moving_majority")
    )
    baseline = results.find("measures", "elec2", learner="no_change", measure="accuracy")
    kappa = results.find("measures", "elec2", learner="hoeffding_tree", measure="kappa")
    lacking = lacking or baseline.reason or kappa.reason
    if lacking:
        return lacking
    return [
        *(
            Condition(
                baseline.value > value,
                f"accuracy of no_change {number_text(baseline.value)} > "
                f"{number_text(value)} of {learner}",
            )
            for learner, value in ours.items()
        ),
        Condition(
            kappa.value > GOOD_KAPPA,
            f"kappa of hoeffding_tree {number_text(kappa.value)} > {GOOD_KAPPA}",
        ),
    ]


def _kappa_temporal_negative(results: Results) -> Outcome:
    learners = ("naive_bayes", "hoeffding_tree", "no_change")
    ours, lacking = _of_learners(results, "covtype", "kappa_temporal", learners)
    if lacking:
        return lacking
    return [
        Condition(
            value == 0 if learner == "no_change" else value < 0,
            f"kappa_temporal of {learner} {number_text(value)} "
            + ("= 0" if learner == "no_change" else "< 0"),
        )
        for learner, value in ours.items()
    ]


def _adaptive_still_negative(results: Results) -> Outcome:
    learners = ("hoeffding_adaptive_tree", "leveraging_bagging", "hoeffding_tree")
    ours, lacking = _of_learners(results, "covtype", "kappa_temporal", learners)
    if lacking:
        return lacking
    plain = ours.pop("hoeffding_tree")
    return [
        Condition(
            plain < value < 0,
            f"kappa_temporal of {learner} {number_text(value)} is below 0 and above "
            f"{number_text(plain)} of hoeffding_tree",
        )
        for learner, value in ours.items()
    ]


def _adaptive_mostly_positive(results: Results) -> Outcome:
    name = "bifet2013/fig5/elec2"
    if name not in results.frames:
        return results.absence("bifet2013/fig5", "elec2")
    curves = results.frames[name]
    curves = curves[curves["measure"] == "kappa_temporal"].dropna(subset="value")
    conditions = []
    for learner in ("hoeffding_adaptive_tree", "leveraging_bagging"):
        values = curves.loc[curves["learner"] == learner, "value"]
        if values.empty:
            return f"the figure of this run does not have {learner}"
        positive = float((values > 0).mean())
        text = f"kappa_temporal of {learner} is positive in {100 * positive:.1f} % of the windows"
        conditions.append(Condition(0.5 < positive < 1, text))
    return conditions


def _augmented_positive(results: Results) -> Outcome:
    learners = tuple(
        f"{name}_augmented"
        for name in (
            *("naive_bayes", "hoeffding_tree"),
            *("hoeffding_adaptive_tree", "leveraging_bagging"),
        )
    )
    conditions, reasons = [], []
    for stream in ("elec2", "covtype"):
        ours, lacking = _of_learners(results, stream, "kappa_temporal", learners)
        reasons += [lacking] if lacking else []
        conditions += [
            Condition(
                value > 0, f"kappa_temporal of {learner} on {stream} {number_text(value)} > 0"
            )
            for learner, value in ours.items()
            if not lacking
        ]
    return _unless_lacking(conditions, reasons)


def _unless_lacking(conditions: list[Condition], reasons: list[str]) -> Outcome:
    """Return the conditions on several streams, or why not all of them could be checked.

    What fails on one stream fails, whatever the others would have said.
    """
    if reasons and all(condition.holds for condition in conditions):
        return "; ".join([*(condition.numbers for condition in conditions), *reasons])
    return conditions


def _first_order_dependence(results: Results) -> Outcome:
    conditions, reasons = [], []
    for stream in ("elec2", "covtype"):
        name = f"zliobaite2015/fig5/{stream}"
        if name in results.frames:
            conditions += _falls_with_order(results.frames[name], stream)
        else:
            reasons.append(results.absence("zliobaite2015/fig5", stream))
    return _unless_lacking(conditions, reasons)


def _falls_with_order(orders: pd.DataFrame, stream: str) -> list[Condition]:
    table = orders.pivot_table("delta", "order", "class", dropna=False, observed=True)
    delta = table.reindex(range(int(orders["order"].max()) + 1)).to_numpy(dtype=float)
    first, second, higher = delta[1], delta[2], np.nanmean(np.abs(delta[3:]), axis=0)
    conditions = [
        Condition(
            bool((first > STRONG).all()),
            f"{stream}: the first label adds at least {number_text(first.min())}",
        ),
        Condition(
            bool(((second > 0) & (second < first)).all()),
            f"{stream}: the second adds {number_text(second.min())} to {number_text(second.max())}",
        ),
        Condition(
            bool((higher <= HARDLY).all()),
            f"{stream}: later ones add at most {number_text(higher.max())}, on the mean",
        ),
    ]
    if stream == "elec2" and len(delta) > DAY:
        ours = [str(round_half_up(value, 2)) for value in delta[DAY].tolist()]
        text = f"elec2: the {DAY}th adds {' and '.join(ours)}"
        conditions.append(Condition("0.02" in ours, text))
    return conditions


def _of_learners(
    results: Results, stream: str, measure: str, learners: tuple[str, ...]
) -> tuple[dict[str, float], str]:
    """Return a measure by learner, and why the first one that is lacking is."""
    found = {
        learner: results.find("measures", stream, learner=learner, measure=measure)
        for learner in learners
    }
    lacking = next((finding.reason for finding in found.values() if finding.reason), "")
    return {learner: finding.value for learner, finding in found.items()}, lacking


def _few_are_above(item: str, above: int, reported: int) -> Callable[[Results], Outcome]:
    def check(results: Results) -> Outcome:
        if item not in results.frames:
            return results.absence(item, "elec2")
        table = results.frames[item]
        if not as_flags(table["measured"], item).any():
            return results.absence("No-Change", "elec2")
        found = above_no_change(table)
        return [
            Condition(
                found == (above, reported),
                f"{found[0]} of {found[1]} reported accuracies are above our No-Change, "
                f"{above} of {reported} in the paper",
            )
        ]

    return check


def _persistent_on_kdd99(results: Results) -> Outcome:
    found = results.find("measures", "kdd99", learner="no_change", measure="accuracy")
    if found.reason:
        return found.reason
    percent = round_half_up(100 * found.value, 1)
    return [
        Condition(str(percent) == "99.9", f"accuracy {number_text(found.value)} is {percent} %")
    ]


_COUNT = "as many reported accuracies are above our own No-Change, and as many are reported"
PREDICATES: dict[tuple[str, str], Predicate] = {
    ("bifet2013", "few_beat_no_change"): Predicate(
        _COUNT, _few_are_above("bifet2013/table1", 6, 16)
    ),
    ("bifet2013", "label_autocorrelation_peaks"): Predicate(
        "the autocorrelation at each of the lags 48, 96, ..., 336 is the largest of all lags "
        "within 24 of it that the figure shows",
        _autocorrelation_peaks,
    ),
    ("bifet2013", "no_change_beats_learners"): Predicate(
        "over the whole stream, No-Change is more accurate than each, and kappa of the tree is "
        "above 0.4, where Landis and Koch (1977) call agreement moderate",
        _no_change_beats_learners,
    ),
    ("bifet2013", "kappa_temporal_negative"): Predicate(
        "over the whole stream, kappa_temporal is below 0, and of No-Change exactly 0",
        _kappa_temporal_negative,
    ),
    ("bifet2013", "hat_lbag_still_negative"): Predicate(
        "over the whole stream, kappa_temporal of both is below 0, and above that of the plain "
        "Hoeffding tree",
        _adaptive_still_negative,
    ),
    ("bifet2013", "hat_lbag_mostly_positive"): Predicate(
        "kappa_temporal of both is positive in more than half of the windows that the figure "
        "shows, and not in all",
        _adaptive_mostly_positive,
    ),
    ("bifet2013", "augmented_positive"): Predicate(
        "over each whole stream, kappa_temporal of all four learners of the figures is above 0",
        _augmented_positive,
    ),
    ("zliobaite2015", "first_order_dependence"): Predicate(
        "for every class the first label before adds more than 0.1 to the share of the class, the "
        "second something, but less than the first, later ones at most 0.02 on the mean of their "
        "sizes; on elec2 the 48th adds 0.02 for one of the classes",
        _first_order_dependence,
    ),
    ("zliobaite2015", "few_beat_persistent"): Predicate(
        _COUNT, _few_are_above("zliobaite2015/table5", 6, 18)
    ),
    ("zliobaite2015", "persistent_accuracy_kdd99"): Predicate(
        "the accuracy of No-Change, in per cent and rounded half up to one decimal, is 99.9",
        _persistent_on_kdd99,
    ),
}
