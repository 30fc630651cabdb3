"""The claims of Bifet et al. (2015) in Theorems 1 to 3, by simulation."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import pandas as pd

from streameval.report.claims import Condition, Difference, Outcome, Predicate
from streameval.report.results import Results
from streameval.report.tables import number_text
from streameval.significance.intervals import CONFIDENCE

ITEM = "bifet2015/theorems"
#: ADWIN as the theorem states it, and not as it is implemented.
_LITERAL = "literal"
_ENDS = ("mean", "low", "high")
_BY_INTERVAL = (
    f"a number counts where its whole {100 * CONFIDENCE:g} % interval, over simulated streams, is "
    "on one side, and is undecided where it is not"
)


def _frame(results: Results, name: str, columns: tuple[str, ...]) -> pd.DataFrame | str:
    found = results.frame(f"{ITEM}/{name}", columns)
    return f"this run has no {ITEM}" if found is None or found.empty else found


def _bound_independent(results: Results) -> Outcome:
    frame = _frame(results, "coverage", ("error", "memory", "instances", "delta", "exact"))
    if isinstance(frame, str):
        return frame
    return [
        Condition(
            row["exact"] <= row["delta"],
            f"error {row['error']:g}, {row['instances']} instances: missed with probability "
            f"{number_text(row['exact'])}, δ = {row['delta']:g}",
        )
        for row in frame[frame["memory"] == 0].to_dict("records")
    ]


def _bound_dependent(results: Results) -> Outcome:
    columns = ("error", "memory", "instances", "delta", "missed", "low", "high")
    frame = _frame(results, "coverage", columns)
    if isinstance(frame, str):
        return frame
    return [
        _at_most(
            Difference(row["missed"], row["low"], row["high"]),
            row["delta"],
            f"error {row['error']:g}, autocorrelation {row['memory']:g}, {row['instances']} "
            "instances: missed",
        )
        for row in frame[frame["memory"] > 0].to_dict("records")
    ]


def _at_most(number: Difference, most: float, what: str) -> Condition:
    return Condition(number.at_most(most), f"{what} {number.text}, δ = {most:g}")


def _more_instances(results: Results) -> Outcome:
    case = ["error", "memory", "delta"]
    frame = _frame(results, "coverage", (*case, "instances", "quantile"))
    if isinstance(frame, str):
        return frame
    conditions = []
    for (error, memory, delta), rows in frame.groupby(case, sort=False):
        found = rows.sort_values("instances")["quantile"].tolist()
        steps = [later - earlier for earlier, later in pairwise(found)]
        falls = False if max(steps) > 0 else True if max(steps) < 0 else None
        shown = ", ".join(number_text(float(one)) for one in found)
        text = f"error {error:g}, autocorrelation {memory:g}, δ = {delta:g}: {shown}"
        conditions.append(Condition(falls, text))
    return conditions


def _folds_no_worse(results: Results) -> Outcome:
    case = ("scheme", "truth", "power", "quantity")
    frame = _frame(results, "discrepancies", (*case, *_ENDS))
    if isinstance(frame, str):
        return frame
    conditions = []
    for row in frame[frame["quantity"] == "k_fold - single"].to_dict("records"):
        gap = Difference(*(row[end] for end in _ENDS))
        text = f"{row['scheme']}, true error {row['truth']}, q = {row['power']}: {gap.text}"
        conditions.append(Condition(gap.at_most(), text))
    return conditions or f"{ITEM} of this run does not compare folds with a single model"


def _false_alarms(results: Results, independent: bool) -> Outcome:
    case = ("detector", "delta", "memory", "quantity")
    frame = _frame(results, "alarms", (*case, *_ENDS))
    if isinstance(frame, str):
        return frame
    of_steps = frame[(frame["detector"] == _LITERAL) & (frame["quantity"] == "steps")]
    rows = of_steps[(of_steps["memory"] == 0) == independent]
    return [
        _at_most(
            Difference(*(row[end] for end in _ENDS)),
            row["delta"],
            f"autocorrelation {row['memory']:g}: alarms",
        )
        for row in rows.to_dict("records")
    ] or f"{ITEM} of this run does not have such errors"


def _detections(results: Results) -> Outcome:
    case = ("detector", "delta", "gap", "quantity")
    frame = _frame(results, "detections", (*case, *_ENDS))
    if isinstance(frame, str):
        return frame
    rows = frame[(frame["detector"] == _LITERAL) & (frame["quantity"] == "detected")]
    conditions = []
    for row in rows.to_dict("records"):
        share = Difference(*(row[end] for end in _ENDS))
        text = f"rise by {row['gap']:g}, δ = {row['delta']:g}: {share.text}"
        conditions.append(Condition(share.above(1 - row["delta"]), text))
    return conditions or f"{ITEM} of this run has no detections"


OF_THEOREMS: Mapping[str, Predicate] = {
    "theorem1_bound": Predicate(
        "where errors are independent, the exact probability that the bound is missed is at most "
        "δ for each error rate, number of instances and δ of the figure",
        _bound_independent,
        universal=True,
    ),
    "theorem1_in_streams": Predicate(
        "where successive errors are correlated, as in streams, the bound is missed in a "
        f"proportion of at most δ of the simulated tests, in each case of the figure; "
        f"{_BY_INTERVAL}",
        _bound_dependent,
        universal=True,
    ),
    "theorem1_more_instances": Predicate(
        "in each case of the figure the distance of true and estimated error that is kept with "
        "probability 1 - δ is smaller, the more instances there are; it is a multiple of what one "
        "error of these instances makes, so equal distances are undecided",
        _more_instances,
        universal=True,
    ),
    "theorem2_folds": Predicate(
        "for each scheme of validation, q, and true error (of the tested or the final models) the "
        "mean of the difference to the power q, of k folds less that of a single model, is at most "
        f"0; {_BY_INTERVAL}",
        _folds_no_worse,
        universal=True,
    ),
    "theorem3_false_alarms": Predicate(
        "ADWIN as stated there shrinks its window at a proportion of at most δ of the steps, for "
        f"independent errors with a constant rate and each δ of the figure; {_BY_INTERVAL}; where "
        "hardly any stream has an alarm, its upper end is that of the proportion of streams with "
        "one",
        lambda results: _false_alarms(results, True),
        universal=True,
    ),
    "theorem3_alarms_in_streams": Predicate(
        "the same where successive errors are correlated, as in streams, for each autocorrelation "
        f"of the figure; {_BY_INTERVAL}",
        lambda results: _false_alarms(results, False),
        universal=True,
    ),
    "theorem3_detections": Predicate(
        "as many instances after a rise as the theorem asks for, ADWIN as stated there has shrunk "
        "its window in a proportion of at least 1 - δ of the streams, for each rise and δ of the "
        "figure; how much is left of a window that was cut before is not judged, as the theorem "
        f"promises nothing of it; {_BY_INTERVAL}",
        _detections,
        universal=True,
    ),
}
