"""Claims of Žliobaitė et al. (2015), Sections 6 and 7, about κ⁺ and what Random reaches."""

from __future__ import annotations

import numpy as np
import pandas as pd

from streameval.papers.zliobaite2015.published import ORDINARY, OVERLAP, REACH
from streameval.report.claims.condition import (
    Condition,
    Outcome,
    Predicate,
    of_learners,
    of_traces,
)
from streameval.report.results import Results
from streameval.report.tables import number_text

_BAGGING = "leveraging_bagging"


def _same_without_dependence(results: Results) -> Outcome:
    streams = ("elec2_mlj", "covtype", "kdd99", "ozone")
    return of_traces(results, "zliobaite2015/fig2", "estimates", streams, _same_when_shuffled)


def _same_when_shuffled(estimates: pd.DataFrame, stream: str) -> Outcome:
    rows = estimates[
        estimates["variant"].str.startswith("shuffled") & (estimates["estimator"] == "cumulative")
    ]
    table = rows.pivot_table("value", "learner", "measure", dropna=False, observed=True)
    conditions = []
    for name in ORDINARY:
        if name not in table.index:
            return f"{stream}: the figure of this run does not have {name}"
        kappa, combined = table.loc[name, ["kappa", "kappa_combined"]].to_numpy(dtype=float)
        apart = abs(combined - kappa)
        text = f"{stream}, {name}: kappa {number_text(kappa)}, kappa+ {number_text(combined)}"
        conditions.append(Condition(None if np.isnan(apart) else bool(apart <= OVERLAP), text))
    return conditions


def _performs_well(results: Results) -> Outcome:
    return of_traces(results, "zliobaite2015/fig4", "curves", ("ozone",), _is_above_zero)


def _is_above_zero(curves: pd.DataFrame, stream: str) -> Outcome:
    rows = curves[(curves["measure"] == "kappa_combined") & (curves["learner"] == _BAGGING)]
    values = rows["value"].dropna()
    if values.empty:
        return f"{stream}: the figure of this run does not have {_BAGGING}"
    share = float((values > 0).mean())
    text = f"{stream}: kappa+ of {_BAGGING} is above 0 in {100 * share:.1f} % of the windows"
    return [Condition(share > REACH, text)]


def _not_above_random(results: Results) -> Outcome:
    accuracy, lacking = of_learners(results, "ozone", "accuracy", (*ORDINARY, "no_change"))
    kappa, also = of_learners(results, "ozone", "kappa", ORDINARY)
    if lacking or also:
        return lacking or also
    persistent = accuracy["no_change"]
    conditions = []
    for name in ORDINARY:
        random = (accuracy[name] - kappa[name]) / (1 - kappa[name])
        text = f"ozone: accuracy of no_change {number_text(persistent)}, of the Random classifier "
        text += f"by the predictions of {name} {number_text(random)}"
        conditions.append(Condition(persistent <= random, text))
    return conditions


OF_COMBINED: dict[str, Predicate] = {
    "combined_is_kappa": Predicate(
        "over each whole shuffled stream kappa+ of each of NB, DDM, HT, HAT and LBAG is at most "
        f"{OVERLAP} from kappa; nothing is decided where one of them is undefined",
        _same_without_dependence,
        universal=True,
    ),
    "ozone_lbag_performs_well": Predicate(
        "on ozone kappa+ of ordinary leveraging bagging is above 0 in more than "
        f"{100 * REACH:g} % of the windows that the figure shows and where it is defined",
        _performs_well,
    ),
    "ozone_persistent_not_above_random": Predicate(
        "on ozone the accuracy of No-Change is not above that of the Random classifier of "
        "Definition 4, by the predictions of each of NB, DDM, HT, HAT and LBAG: what their kappa "
        "compares with",
        _not_above_random,
        universal=True,
    ),
}
