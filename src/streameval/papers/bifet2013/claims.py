"""The claims of Bifet et al. (2013), Pitfalls in benchmarking data stream classification."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pandas as pd

from streameval.base.rounding import percentage
from streameval.papers.bifet2013.by_arithmetic import BY_ARITHMETIC
from streameval.papers.bifet2013.published import (
    EVOLVES,
    LONG,
    MUCH,
    NEARLY_PERFECT,
    SLIGHT,
    STABLE,
    VERY_WELL,
)
from streameval.report.claims import (
    BY_INTERVAL,
    COUNT,
    GOOD_KAPPA,
    AccuracyGap,
    Check,
    Condition,
    Need,
    Predicate,
    check_differences,
    check_each,
    check_figure_data,
    check_survey_counts,
    differences,
)
from streameval.report.results import NotRunError, Results, figure_data, measure_by_learner, number
from streameval.view.numbers import number_text

#: The four learners of the paper's figures.
FIGURE_LEARNERS = ("naive_bayes", "hoeffding_tree", "hoeffding_adaptive_tree", "leveraging_bagging")
#: Half-hours in a day.
DAY = 48
#: Number of days that the paper's Figure 1 shows.
DAYS = 7
#: The lags of Figures 9 to 11 at paper scale.
LAGS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16)
#: What learners of Figures 9 to 11 get from earlier instances.
LAGGED = ("labels", "labels_and_inputs")
#: Whether a measure is stable, from its smallest and largest value. An accuracy has a small range;
#: kappa_temporal keeps its sign, so the same one of learner and No-Change stays the better.
_STABLE: dict[str, Callable[[float, float], bool]] = {
    "accuracy": lambda low, high: high - low <= STABLE,
    "kappa_temporal": lambda low, high: low > 0 or high < 0,
}
#: The learner of each figure by lag.
_LEARNER_OF_FIGURE = {
    "bifet2013/fig9": "hoeffding_tree",
    "bifet2013/fig10": "hoeffding_adaptive_tree",
    "bifet2013/fig11": "leveraging_bagging",
}


_TABLE = "bifet2013/table2"
#: According to the paper, KDD99 has "more than" 20 classes.
KDD99_CLASSES = 20


def _measures(results: Results, stream: str, names: Sequence[str]) -> Mapping[str, float]:
    """Measures of a stream in our Table 2, by name."""
    return {name: number(results.find(_TABLE, stream, measure=name)) for name in names}


def _is_above(measures: Mapping[str, float], name: str, other: str, stream: str) -> Condition:
    """Whether a measure of a stream is above another."""
    text = f"{stream}: {name} {number_text(measures[name])}, {other} {number_text(measures[other])}"
    return Condition(measures[name] > measures[other], text)


def _dependent_labels(results: Results, stream: str) -> list[Condition]:
    classes = ("c1", "c2") if stream != "kdd99" else ("c1", "c2", "c3")
    names = [name for c in classes for name in (f"P({c})", f"P({c}|{c})")]
    measures = _measures(results, stream, names)
    return [_is_above(measures, f"P({c}|{c})", f"P({c})", stream) for c in classes]


def _nearly_perfect(results: Results) -> list[Condition]:
    accuracy = number(results.find(_TABLE, "kdd99", measure="no_change_accuracy"))
    text = f"accuracy of no_change {number_text(accuracy)} >= {NEARLY_PERFECT}"
    return [Condition(accuracy >= NEARLY_PERFECT, text)]


def _no_advantage(results: Results) -> list[Condition]:
    measures = _measures(results, "ozone", ("P(c2)", "P(c2|c2)"))
    (gap,) = differences(results, "ozone", [("majority", "no_change")])
    return [
        _is_above(measures, "P(c2|c2)", "P(c2)", "ozone"),
        Condition(gap.above(), f"ozone: accuracy of majority less no_change's {gap.text}"),
    ]


def _prior_evolves(frame: pd.DataFrame, stream: str) -> list[Condition]:
    proportions = frame.loc[frame["class"] == frame["class"].iloc[0], "share"]
    low, high = float(proportions.min()), float(proportions.max())
    text = f"the proportion of a class is from {number_text(low)} to {number_text(high)}"
    return [Condition(high - low > EVOLVES, text)]


def _slightly_imbalanced(results: Results, stream: str) -> list[Condition]:
    measures = _measures(results, stream, ("P(c1)", "P(c2)"))
    gap = measures["P(c1)"] - measures["P(c2)"]
    text = f"{stream}: P(c1) less P(c2) {number_text(gap)}"
    return [Condition(0 < gap <= SLIGHT, text)]


def _classes_of_kdd99(results: Results) -> list[Condition]:
    classes = number(results.find("zliobaite2015/table3", "kdd99", "classes"))
    return [Condition(classes > KDD99_CLASSES, f"kdd99: {number_text(int(classes))} classes")]


def _autocorrelation_peaks(frame: pd.DataFrame, stream: str) -> list[Condition]:
    correlation = pd.Series(frame["autocorrelation"].to_numpy(), index=frame["lag"].to_numpy())
    conditions = []
    for lag in range(DAY, DAY * DAYS + 1, DAY):
        near = correlation.loc[lag - DAY // 2 : lag + DAY // 2]  # half a day on either side
        is_largest = bool(near[lag] == near.max())
        conditions.append(Condition(is_largest, f"{number_text(float(near[lag]))} at {lag}"))
    return conditions


def _not_above_no_change(
    results: Results, stream: str, learners: Sequence[str], learner: str, measure: str
) -> tuple[list[Condition], float]:
    """Conditions that learners are not above No-Change, and the value of a measure of `learner`."""
    gaps = differences(results, stream, [(name, "no_change") for name in learners])
    conditions = [
        Condition(gap.at_most(), f"accuracy of {name} less no_change's {gap.text}")
        for name, gap in zip(learners, gaps, strict=True)
    ]
    return conditions, measure_by_learner(results, stream, measure, (learner,))[learner]


def _no_change_beats_learners(results: Results) -> list[Condition]:
    learners = (*FIGURE_LEARNERS[:2], "moving_majority")
    conditions, kappa = _not_above_no_change(
        results, "elec2", learners, learner="hoeffding_tree", measure="kappa"
    )
    text = f"kappa of hoeffding_tree {number_text(kappa)} > {GOOD_KAPPA}"
    return [*conditions, Condition(kappa > GOOD_KAPPA, text)]


def _kappa_temporal_negative(results: Results) -> list[Condition]:
    conditions, kappa = _not_above_no_change(
        results, "covtype", FIGURE_LEARNERS[:2], learner="no_change", measure="kappa_temporal"
    )
    text = f"kappa_temporal of no_change {number_text(kappa)} = 0"
    return [*conditions, Condition(kappa == 0, text)]


def _is_between(stream: str, learner: str, other: str, gap: AccuracyGap) -> Condition:
    """Whether a learner is not above No-Change, or is above the other reference."""
    holds = gap.at_most() if other == "no_change" else gap.above()
    return Condition(holds, f"accuracy of {learner} less {other}'s {gap.text}")


def _adaptive_mostly_positive(curves: pd.DataFrame, stream: str) -> list[Condition]:
    curves = curves[curves["measure"] == "kappa_temporal"].dropna(subset="value")
    conditions = []
    for learner in FIGURE_LEARNERS[2:]:
        values = curves.loc[curves["learner"] == learner, "value"]
        if values.empty:
            raise NotRunError(f"the figure of this run does not have {learner}")
        positive = float((values > 0).mean())
        text = f"kappa_temporal of {learner} is positive in {percentage(positive)} of the windows"
        conditions.append(Condition(LONG < positive < 1, text))
    return conditions


def _stable_in_lag(*measures: str) -> Check:
    """The check that measures are stable over all lags."""

    def check(results: Results, item: str) -> list[Condition]:
        learner, frame = _LEARNER_OF_FIGURE[item], figure_data(results, item, "elec2", "lags")
        rows = frame[(frame["learner"] == learner) & (frame["lags"] > 0)]
        if not {*measures} <= {*rows["measure"]}:
            raise NotRunError(f"the figure of this run lacks {' and '.join(measures)} of {learner}")
        ranges = rows.groupby(["kind", "measure"], sort=False)["value"].agg(["min", "max"])
        return [
            Condition(
                _STABLE[measure](low, high),
                f"{measure} of {learner} with {str(kind).replace('_', ' ')} from "
                f"{number_text(low)} to {number_text(high)}",
            )
            for (kind, measure), low, high in ranges.itertuples()
            if measure in measures
        ]

    return check_each(_LEARNER_OF_FIGURE, check)


def _gains(stream: str, learner: str, other: str, gap: AccuracyGap) -> Condition:
    return Condition(gap.above(), f"{stream}: accuracy of {learner} less {other}'s {gap.text}")


def _does_not_gain(stream: str, learner: str, other: str, gap: AccuracyGap) -> Condition:
    return _gains(stream, learner, other, gap)._replace(holds=gap.at_most())


def _gains_much(stream: str, learner: str, other: str, gap: AccuracyGap) -> Condition:
    return Condition(gap.above(MUCH), f"{stream}: {other} augmented gains {gap.text}")


def _repeats_by_chance(results: Results) -> list[Condition]:
    names = [(f"P({c})", f"P({c}|{c})") for c in ("c1", "c2")]
    measures = _measures(results, "elec2", [name for pair in names for name in pair])
    return [
        Condition(
            measures[repeated] > measures[prior],
            f"{repeated} {number_text(measures[repeated])}, {prior} {number_text(measures[prior])}",
        )
        for prior, repeated in names
    ]


def _learners_beat_majority(results: Results) -> list[Condition]:
    accuracies = measure_by_learner(
        results, "elec2", "accuracy", (*FIGURE_LEARNERS[:2], "moving_majority")
    )
    gaps = {name: accuracies[name] - accuracies["moving_majority"] for name in FIGURE_LEARNERS[:2]}
    return [
        Condition(gap > VERY_WELL, f"accuracy of {name} less moving_majority's {number_text(gap)}")
        for name, gap in gaps.items()
    ]


#: The streams of Figures 6 and 7.
_BOTH = ("elec2", "covtype")
#: Adaptive learners, each with the references of `_is_between`.
_PLAIN_OR_BASELINE = [
    (name, other) for name in FIGURE_LEARNERS[2:] for other in ("no_change", "hoeffding_tree")
]
#: The learners of Figure 8.
_TREES = FIGURE_LEARNERS[1:3]


def _augmented(learners: Sequence[str]) -> Check:
    """The check that augmented learners are more accurate than No-Change."""
    return check_differences(
        _BOTH, [(f"{name}_augmented", "no_change") for name in learners], _gains
    )


_ALL_LAGS = tuple(
    Need(figure, "lags", ("elec2",), "lags", LAGS, where={"kind": kind})
    for figure in _LEARNER_OF_FIGURE
    for kind in LAGGED
)
_STAYS_WITHIN = (
    "from one lag to as many as the figures show, the accuracy of each learner, given labels "
    f"or labels and inputs, stays within {STABLE}"
)

CLAIMS: dict[str, Predicate] = {
    "few_beat_no_change": Predicate(
        COUNT, check_survey_counts("bifet2013/table1", 6, 16), universal=False
    ),
    "dependent_labels": Predicate(
        "P(c|c) is above P(c) for both classes of electricity and of airlines, and for the three "
        "classes of KDD99 that the table has",
        check_each(("elec2", "airlines", "kdd99"), _dependent_labels),
    ),
    "slightly_imbalanced": Predicate(
        f"P(c1) exceeds P(c2) on electricity and on airlines, by at most {SLIGHT}",
        check_each(("elec2", "airlines"), _slightly_imbalanced),
    ),
    "kdd99_classes": Predicate(
        f"the stream that the run uses has more than {KDD99_CLASSES} classes",
        _classes_of_kdd99,
        universal=False,
    ),
    "kdd99_nearly_perfect": Predicate(
        f"the accuracy of No-Change is at least {NEARLY_PERFECT}", _nearly_perfect, universal=False
    ),
    "ozone_no_advantage": Predicate(
        "P(c2|c2) of the rarer class is above P(c2), and Majority is more accurate than No-Change; "
        f"{BY_INTERVAL}",
        _no_advantage,
    ),
    "prior_evolves": Predicate(
        "over the windows of the figure, the proportion of a class has a range above "
        f"{EVOLVES}, which is ten standard errors of 1000 independent labels",
        check_figure_data("bifet2013/fig1", "prior", ("elec2",), _prior_evolves),
        universal=False,
    ),
    "repeats_by_more_than_chance": Predicate(
        "P(c|c) is above P(c) for both classes",
        _repeats_by_chance,
    ),
    "no_change_beats_majority": Predicate(
        "on electricity and on airlines, over the whole stream, No-Change is more accurate than "
        f"Majority; {BY_INTERVAL}",
        check_differences(("elec2", "airlines"), [("majority", "no_change")], _does_not_gain),
    ),
    "learners_beat_majority": Predicate(
        "over the whole stream Naive Bayes and the Hoeffding tree are each more accurate than the "
        f"moving majority by more than {VERY_WELL}",
        _learners_beat_majority,
    ),
    "augmented_improves": Predicate(
        "over each whole stream all four learners of the figures are more accurate augmented than "
        f"without, by more than {MUCH}; {BY_INTERVAL}",
        check_differences(
            _BOTH, [(f"{name}_augmented", name) for name in FIGURE_LEARNERS], _gains_much
        ),
    ),
    "label_autocorrelation_peaks": Predicate(
        "the autocorrelation at each of the lags 48, 96, ..., 336 is the largest of all lags "
        "within 24 of it that the figure shows",
        check_figure_data("bifet2013/fig1", "autocorrelation", ("elec2",), _autocorrelation_peaks),
        (Need("bifet2013/fig1", "autocorrelation", ("elec2",), "lag", (DAY * DAYS + 1,)),),
    ),
    "no_change_beats_learners": Predicate(
        "over the whole stream, No-Change is more accurate than each, and kappa of the tree is "
        f"above {GOOD_KAPPA}, where Landis and Koch (1977) call agreement moderate; {BY_INTERVAL}",
        _no_change_beats_learners,
    ),
    "kappa_temporal_negative": Predicate(
        "over the whole stream, kappa_temporal is below 0, which is an accuracy below that of "
        f"No-Change, and of No-Change exactly 0; {BY_INTERVAL}",
        _kappa_temporal_negative,
    ),
    "hat_lbag_still_negative": Predicate(
        "over the whole stream, kappa_temporal of both is below 0, which is an accuracy below that "
        f"of No-Change, and above that of the plain Hoeffding tree; {BY_INTERVAL}",
        check_differences(("covtype",), _PLAIN_OR_BASELINE, _is_between),
    ),
    "hat_lbag_mostly_positive": Predicate(
        f"kappa_temporal of both is positive in more than {100 * LONG:g} % of the windows that the "
        'figure shows, which is our reading of "a long period", and not in all',
        check_figure_data("bifet2013/fig5", "curves", ("elec2",), _adaptive_mostly_positive),
        universal=False,
    ),
    "augmented_positive": Predicate(
        "over each whole stream, kappa_temporal of the Hoeffding tree and of the adaptive tree, "
        "which Figure 8 shows, is above 0, which is an accuracy above that of No-Change; "
        f"{BY_INTERVAL}",
        _augmented(_TREES),
        other=Predicate(
            "kappa_temporal of all four learners of Figures 6 and 7 is above 0, as read until "
            "2026-11-26",
            _augmented(FIGURE_LEARNERS),
        ),
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
        ),
    ),
    **BY_ARITHMETIC,
}
