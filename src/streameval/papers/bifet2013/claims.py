"""The claims of Bifet et al. (2013), Pitfalls in benchmarking data stream classification."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

from streameval.papers.bifet2013.labels import OF_LABELS
from streameval.papers.bifet2013.published import LONG, MUCH, STABLE, VERY_WELL
from streameval.report.claims import (
    BY_INTERVAL,
    COUNT,
    GOOD_KAPPA,
    Condition,
    Difference,
    Need,
    Outcome,
    Predicate,
    differences,
    few_are_above,
    of_differences,
    of_learners,
    unless_lacking,
)
from streameval.report.results import Results
from streameval.report.tables import number_text

#: The learners of the figures.
FOUR = ("naive_bayes", "hoeffding_tree", "hoeffding_adaptive_tree", "leveraging_bagging")
#: Half-hours in a day, and as many days as the paper's Figure 1 shows.
DAY, DAYS = 48, 7
#: The lags of Figures 9 to 11 at paper scale, and what the learner is given.
LAGS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16)
GIVEN = ("labels", "labels_and_inputs")
#: What is stable, by the least and the greatest value: the accuracy, nearly; or who is better, the
#: learner or No-Change.
_STABLE: dict[str, Callable[[float, float], bool]] = {
    "accuracy": lambda low, high: high - low <= STABLE,
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
    conditions = []
    for lag in range(DAY, DAY * DAYS + 1, DAY):
        around = correlation.loc[lag - DAY // 2 : lag + DAY // 2]
        is_largest = bool(around[lag] == around.max())
        conditions.append(Condition(is_largest, f"{number_text(float(around[lag]))} at {lag}"))
    return conditions


def _no_change_beats_learners(results: Results) -> Outcome:
    learners = ("naive_bayes", "hoeffding_tree", "moving_majority")
    found, lacking = differences(results, "elec2", [(name, "no_change") for name in learners])
    kappa = results.find("measures", "elec2", learner="hoeffding_tree", measure="kappa")
    if lacking or kappa.reason:
        return lacking or kappa.reason
    return [
        *(
            Condition(gap.at_most(), f"accuracy of {learner} less no_change's {gap.text}")
            for learner, gap in zip(learners, found, strict=True)
        ),
        Condition(
            kappa.value > GOOD_KAPPA,
            f"kappa of hoeffding_tree {number_text(kappa.value)} > {GOOD_KAPPA}",
        ),
    ]


def _kappa_temporal_negative(results: Results) -> Outcome:
    learners = ("naive_bayes", "hoeffding_tree")
    found, lacking = differences(results, "covtype", [(name, "no_change") for name in learners])
    zero = results.find("measures", "covtype", learner="no_change", measure="kappa_temporal")
    if lacking or zero.reason:
        return lacking or zero.reason
    return [
        *(
            Condition(gap.at_most(), f"accuracy of {learner} less no_change's {gap.text}")
            for learner, gap in zip(learners, found, strict=True)
        ),
        Condition(zero.value == 0, f"kappa_temporal of no_change {number_text(zero.value)} = 0"),
    ]


def _adaptive_still_negative(results: Results) -> Outcome:
    pairs = [(one, other) for one in FOUR[2:] for other in ("no_change", "hoeffding_tree")]
    return of_differences(results, ("covtype",), pairs, _is_between)


def _is_between(stream: str, learner: str, other: str, gap: Difference) -> Condition:
    holds = gap.at_most() if other == "no_change" else gap.above()
    return Condition(holds, f"accuracy of {learner} less {other}'s {gap.text}")


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
        conditions.append(Condition(LONG < positive < 1, text))
    return conditions


def _stable_in_lag(*measures: str) -> Callable[[Results], Outcome]:
    def check(results: Results) -> Outcome:
        conditions, reasons = [], []
        for item, learner in _OF_FIGURE.items():
            frame, lacking = results.trace(item, "elec2", "lags")
            if frame is None:
                reasons.append(lacking)
                continue
            rows = frame[(frame["learner"] == learner) & (frame["lags"] > 0)]
            if not {*measures} <= {*rows["measure"]}:
                wanted = " and ".join(measures)
                reasons.append(f"the figure of this run lacks {wanted} of {learner}")
                continue
            spans = rows.groupby(["kind", "measure"], sort=False)["value"].agg(["min", "max"])
            for (kind, measure), low, high in spans.itertuples():
                if measure in measures:
                    given = f"{measure} of {learner} with {str(kind).replace('_', ' ')}"
                    text = f"{given} from {number_text(low)} to {number_text(high)}"
                    conditions.append(Condition(_STABLE[measure](low, high), text))
        return unless_lacking(conditions, reasons)

    return check


def _augmented_positive(results: Results) -> Outcome:
    def check(stream: str, learner: str, other: str, gap: Difference) -> Condition:
        return Condition(gap.above(), f"{stream}: accuracy of {learner} less {other}'s {gap.text}")

    pairs = [(f"{name}_augmented", "no_change") for name in FOUR]
    return of_differences(results, ("elec2", "covtype"), pairs, check)


def _repeats_by_chance(results: Results) -> Outcome:
    conditions = []
    for c in ("c1", "c2"):
        found = [
            results.find("bifet2013/table2", "elec2", measure=measure)
            for measure in (f"P({c})", f"P({c}|{c})")
        ]
        lacking = next((one.reason for one in found if one.reason), "")
        if lacking:
            return lacking
        prior, repeated = (one.value for one in found)
        text = f"P({c}|{c}) {number_text(repeated)}, P({c}) {number_text(prior)}"
        conditions.append(Condition(repeated > prior, text))
    return conditions


def _no_change_beats_majority(results: Results) -> Outcome:
    def check(stream: str, learner: str, other: str, gap: Difference) -> Condition:
        return Condition(
            gap.at_most(), f"{stream}: accuracy of {learner} less {other}'s {gap.text}"
        )

    return of_differences(results, ("elec2", "airlines"), [("majority", "no_change")], check)


def _learners_beat_majority(results: Results) -> Outcome:
    learners = ("naive_bayes", "hoeffding_tree")
    found, lacking = of_learners(results, "elec2", "accuracy", (*learners, "moving_majority"))
    if lacking:
        return lacking
    gaps = {name: found[name] - found["moving_majority"] for name in learners}
    return [
        Condition(gap > VERY_WELL, f"accuracy of {name} less moving_majority's {number_text(gap)}")
        for name, gap in gaps.items()
    ]


def _augmented_improves(results: Results) -> Outcome:
    def check(stream: str, learner: str, other: str, gap: Difference) -> Condition:
        return Condition(gap.above(MUCH), f"{stream}: {other} augmented gains {gap.text}")

    pairs = [(f"{name}_augmented", name) for name in FOUR]
    return of_differences(results, ("elec2", "covtype"), pairs, check)


_ALL_LAGS = tuple(
    Need(figure, "lags", ("elec2",), "lags", LAGS, where={"kind": kind})
    for figure in _OF_FIGURE
    for kind in GIVEN
)
_STAYS_WITHIN = (
    "from one lag to as many as the figures show, the accuracy of each learner, given labels "
    f"or labels and inputs, stays within {STABLE}"
)

CLAIMS: dict[str, Predicate] = {
    "few_beat_no_change": Predicate(COUNT, few_are_above("bifet2013/table1", 6, 16)),
    **OF_LABELS,
    "repeats_by_more_than_chance": Predicate(
        "P(c|c) is above P(c) for both classes",
        _repeats_by_chance,
        universal=True,
    ),
    "no_change_beats_majority": Predicate(
        "on electricity and on airlines, over the whole stream, No-Change is more accurate than "
        f"Majority; {BY_INTERVAL}",
        _no_change_beats_majority,
        universal=True,
    ),
    "learners_beat_majority": Predicate(
        "over the whole stream Naive Bayes and the Hoeffding tree are each more accurate than the "
        f"moving majority by more than {VERY_WELL}",
        _learners_beat_majority,
        universal=True,
    ),
    "augmented_improves": Predicate(
        "over each whole stream all four learners of the figures are more accurate augmented than "
        f"without, by more than {MUCH}; {BY_INTERVAL}",
        _augmented_improves,
        universal=True,
    ),
    "label_autocorrelation_peaks": Predicate(
        "the autocorrelation at each of the lags 48, 96, ..., 336 is the largest of all lags "
        "within 24 of it that the figure shows",
        _autocorrelation_peaks,
        (Need("bifet2013/fig1", "autocorrelation", ("elec2",), "lag", (DAY * DAYS + 1,)),),
        universal=True,
    ),
    "no_change_beats_learners": Predicate(
        "over the whole stream, No-Change is more accurate than each, and kappa of the tree is "
        f"above {GOOD_KAPPA}, where Landis and Koch (1977) call agreement moderate; {BY_INTERVAL}",
        _no_change_beats_learners,
        universal=True,
    ),
    "kappa_temporal_negative": Predicate(
        "over the whole stream, kappa_temporal is below 0, which is an accuracy below that of "
        f"No-Change, and of No-Change exactly 0; {BY_INTERVAL}",
        _kappa_temporal_negative,
        universal=True,
    ),
    "hat_lbag_still_negative": Predicate(
        "over the whole stream, kappa_temporal of both is below 0, which is an accuracy below that "
        f"of No-Change, and above that of the plain Hoeffding tree; {BY_INTERVAL}",
        _adaptive_still_negative,
        universal=True,
    ),
    "hat_lbag_mostly_positive": Predicate(
        f"kappa_temporal of both is positive in more than {100 * LONG:g} % of the windows that the "
        "figure shows, and not in all",
        _adaptive_mostly_positive,
    ),
    "augmented_positive": Predicate(
        "over each whole stream, kappa_temporal of all four learners of the figures is above 0, "
        f"which is an accuracy above that of No-Change; {BY_INTERVAL}",
        _augmented_positive,
        universal=True,
    ),
    "stable_in_lag": Predicate(
        _STAYS_WITHIN,
        _stable_in_lag("accuracy"),
        _ALL_LAGS,
        Predicate(
            f"{_STAYS_WITHIN}, and kappa_temporal keeps its sign, as set on 2026-11-22, after "
            "results were known",
            _stable_in_lag("accuracy", "kappa_temporal"),
            _ALL_LAGS,
            universal=True,
        ),
        universal=True,
    ),
}
