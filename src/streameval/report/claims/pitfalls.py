"""The claims of Bifet et al. (2013), Pitfalls in benchmarking data stream classification."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

from streameval.report.claims.condition import (
    COUNT,
    GOOD_KAPPA,
    Condition,
    Outcome,
    Predicate,
    Predicates,
    few_are_above,
    of_learners,
    unless_lacking,
)
from streameval.report.results import Results
from streameval.report.tables import number_text

#: Half-hours in a day, and as many days as the paper's Figure 1 shows.
DAY, DAYS = 48, 7
#: What is stable, by the least and the greatest value: the accuracy, nearly; and who is better,
#: the learner or No-Change.
_STABLE: dict[str, Callable[[float, float], bool]] = {
    "accuracy": lambda low, high: high - low <= 0.02,
    "kappa_temporal": lambda low, high: low > 0 or high < 0,
}
_OF_FIGURE = {
    "bifet2013/fig9": "hoeffding_tree",
    "bifet2013/fig10": "hoeffding_adaptive_tree",
    "bifet2013/fig11": "leveraging_bagging",
}


def _autocorrelation_peaks(results: Results) -> Outcome:
    frame, lacking = results.trace("bifet2013/fig1", "elec2", "autocorrelation")
    if frame is None:
        return lacking
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
    ours, lacking = of_learners(
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
    ours, lacking = of_learners(results, "covtype", "kappa_temporal", learners)
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
    ours, lacking = of_learners(results, "covtype", "kappa_temporal", learners)
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
    curves, lacking = results.trace("bifet2013/fig5", "elec2", "curves")
    if curves is None:
        return lacking
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


def _stable_in_lag(results: Results) -> Outcome:
    conditions, reasons = [], []
    for item, learner in _OF_FIGURE.items():
        frame, lacking = results.trace(item, "elec2", "lags")
        if frame is None:
            reasons.append(lacking)
            continue
        rows = frame[(frame["learner"] == learner) & (frame["lags"] > 0)]
        if rows["lags"].nunique() < 2 or not {*_STABLE} <= {*rows["measure"]}:
            wanted = " and ".join(_STABLE)
            reasons.append(f"the figure of this run lacks {wanted} of {learner} at two lags")
            continue
        spans = rows.groupby(["kind", "measure"], sort=False)["value"].agg(["min", "max"])
        for (kind, measure), low, high in spans.itertuples():
            if measure in _STABLE:
                given = f"{measure} of {learner} with {str(kind).replace('_', ' ')}"
                text = f"{given} from {number_text(low)} to {number_text(high)}"
                conditions.append(Condition(_STABLE[measure](low, high), text))
    return unless_lacking(conditions, reasons)


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
        ours, lacking = of_learners(results, stream, "kappa_temporal", learners)
        reasons += [lacking] if lacking else []
        conditions += [
            Condition(
                value > 0, f"kappa_temporal of {learner} on {stream} {number_text(value)} > 0"
            )
            for learner, value in ours.items()
            if not lacking
        ]
    return unless_lacking(conditions, reasons)


PREDICATES: Predicates = {
    ("bifet2013", "few_beat_no_change"): Predicate(COUNT, few_are_above("bifet2013/table1", 6, 16)),
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
    ("bifet2013", "stable_in_lag"): Predicate(
        "from one lag to as many as the figures show, the accuracy of each learner, given labels "
        "or labels and inputs, stays within 0.02, and kappa_temporal keeps its sign",
        _stable_in_lag,
    ),
}
