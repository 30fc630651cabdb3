"""The claims of Bifet et al. (2013), Pitfalls in benchmarking data stream classification."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pandas as pd

from streameval.base.rounding import percentage
from streameval.papers.bifet2013.by_arithmetic import ARITHMETIC_CLAIMS
from streameval.papers.bifet2013.published import (
    MAX_SLIGHT_IMBALANCE,
    MAX_STABLE_ACCURACY_RANGE,
    MIN_GAIN,
    MIN_LARGE_GAIN,
    MIN_NEARLY_PERFECT_ACCURACY,
    MIN_POSITIVE_FRACTION,
    MIN_PRIOR_RANGE,
)
from streameval.report.claims import (
    COUNT_RULE,
    INTERVAL_RULE,
    MIN_GOOD_KAPPA,
    AccuracyGap,
    Check,
    Condition,
    Need,
    Predicate,
    accuracy_gaps,
    check_differences,
    check_each,
    check_figure_data,
    check_survey_counts,
)
from streameval.report.results import (
    NotRunError,
    Results,
    figure_data,
    measure_by_learner,
    require_number,
)
from streameval.view.numbers import number_text

#: Learners of the paper's figures that do not adapt to drift.
PLAIN_LEARNERS = ("naive_bayes", "hoeffding_tree")
#: Learners of the paper's figures that adapt to drift.
ADAPTIVE_LEARNERS = ("hoeffding_adaptive_tree", "leveraging_bagging")
FIGURE_LEARNERS = (*PLAIN_LEARNERS, *ADAPTIVE_LEARNERS)
#: Half-hours in a day: elec2 has an instance every half-hour.
LAGS_PER_DAY = 48
#: Days that the paper's Figure 1 shows.
N_DAYS = 7
#: The lags of Figures 9 to 11 at paper scale.
LAGS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16)
#: Additional inputs in Figures 9 to 11: previous labels, or previous labels and inputs.
LAGGED_INPUTS = ("labels", "labels_and_inputs")
#: Whether a measure is stable, from its smallest and largest value. An accuracy is stable if its
#: range is small, kappa_temporal if its sign is the same for all lags: its sign says whether the
#: learner or No-Change is more accurate.
_IS_STABLE: dict[str, Callable[[float, float], bool]] = {
    "accuracy": lambda low, high: high - low <= MAX_STABLE_ACCURACY_RANGE,
    "kappa_temporal": lambda low, high: low > 0 or high < 0,
}
#: The learner of each figure that has the lag as its x axis.
_LEARNER_OF_FIGURE = {
    "bifet2013/fig9": "hoeffding_tree",
    "bifet2013/fig10": "hoeffding_adaptive_tree",
    "bifet2013/fig11": "leveraging_bagging",
}


_LABELS_TABLE = "bifet2013/table2"
#: According to the paper, KDD99 has more classes than this.
MIN_KDD99_CLASSES = 20


def _measures(results: Results, stream: str, names: Sequence[str]) -> Mapping[str, float]:
    """Measures of a stream in our Table 2, by name."""
    return {
        name: require_number(results.find(_LABELS_TABLE, stream, measure=name)) for name in names
    }


def _is_measure_above(
    measures: Mapping[str, float], name: str, other: str, stream: str
) -> Condition:
    """Whether the measure `name` of a stream is above the measure `other`."""
    text = f"{stream}: {name} {number_text(measures[name])}, {other} {number_text(measures[other])}"
    return Condition(measures[name] > measures[other], text)


def _check_repeats_above_prior(results: Results, stream: str) -> list[Condition]:
    classes = ("c1", "c2") if stream != "kdd99" else ("c1", "c2", "c3")
    names = [name for c in classes for name in (f"P({c})", f"P({c}|{c})")]
    measures = _measures(results, stream, names)
    return [_is_measure_above(measures, f"P({c}|{c})", f"P({c})", stream) for c in classes]


def _check_nearly_perfect(results: Results) -> list[Condition]:
    accuracy = require_number(results.find(_LABELS_TABLE, "kdd99", measure="no_change_accuracy"))
    text = f"accuracy of no_change {number_text(accuracy)} >= {MIN_NEARLY_PERFECT_ACCURACY}"
    return [Condition(accuracy >= MIN_NEARLY_PERFECT_ACCURACY, text)]


def _check_no_advantage(results: Results) -> list[Condition]:
    measures = _measures(results, "ozone", ("P(c2)", "P(c2|c2)"))
    (gap,) = accuracy_gaps(results, "ozone", [("majority", "no_change")])
    return [
        _is_measure_above(measures, "P(c2|c2)", "P(c2)", "ozone"),
        Condition(gap.above(), f"ozone: accuracy of majority less no_change's {gap.text}"),
    ]


def _check_prior_evolves(frame: pd.DataFrame, stream: str) -> list[Condition]:
    # elec2 has two classes, so the proportions of either class have the same range.
    proportions = frame.loc[frame["class"] == frame["class"].iloc[0], "proportion"]
    low, high = float(proportions.min()), float(proportions.max())
    text = f"the proportion of a class is from {number_text(low)} to {number_text(high)}"
    return [Condition(high - low > MIN_PRIOR_RANGE, text)]


def _check_slight_imbalance(results: Results, stream: str) -> list[Condition]:
    measures = _measures(results, stream, ("P(c1)", "P(c2)"))
    gap = measures["P(c1)"] - measures["P(c2)"]
    text = f"{stream}: P(c1) less P(c2) {number_text(gap)}"
    return [Condition(0 < gap <= MAX_SLIGHT_IMBALANCE, text)]


def _check_kdd99_classes(results: Results) -> list[Condition]:
    # The tables of Bifet et al. (2013) do not have the number of classes.
    classes = require_number(results.find("zliobaite2015/table3", "kdd99", "classes"))
    return [Condition(classes > MIN_KDD99_CLASSES, f"kdd99: {number_text(int(classes))} classes")]


def _check_peaks(frame: pd.DataFrame, stream: str) -> list[Condition]:
    correlation = pd.Series(frame["autocorrelation"].to_numpy(), index=frame["lag"].to_numpy())
    conditions = []
    for lag in range(LAGS_PER_DAY, LAGS_PER_DAY * N_DAYS + 1, LAGS_PER_DAY):
        half_a_day = LAGS_PER_DAY // 2
        near = correlation.loc[lag - half_a_day : lag + half_a_day]
        is_largest = bool(near[lag] == near.max())
        conditions.append(Condition(is_largest, f"{number_text(float(near[lag]))} at {lag}"))
    return conditions


def _check_not_above_no_change(
    results: Results, stream: str, learners: Sequence[str]
) -> list[Condition]:
    """Conditions that learners are not more accurate than No-Change."""
    gaps = accuracy_gaps(results, stream, [(name, "no_change") for name in learners])
    return [
        Condition(gap.at_most(), f"accuracy of {name} less no_change's {gap.text}")
        for name, gap in zip(learners, gaps, strict=True)
    ]


def _find_measure(results: Results, stream: str, learner: str, measure: str) -> float:
    return measure_by_learner(results, stream, measure, (learner,))[learner]


def _check_no_change_beats_learners(results: Results) -> list[Condition]:
    conditions = _check_not_above_no_change(results, "elec2", (*PLAIN_LEARNERS, "moving_majority"))
    kappa = _find_measure(results, "elec2", "hoeffding_tree", "kappa")
    text = f"kappa of hoeffding_tree {number_text(kappa)} > {MIN_GOOD_KAPPA}"
    return [*conditions, Condition(kappa > MIN_GOOD_KAPPA, text)]


def _check_kappa_temporal_negative(results: Results) -> list[Condition]:
    conditions = _check_not_above_no_change(results, "covtype", PLAIN_LEARNERS)
    kappa = _find_measure(results, "covtype", "no_change", "kappa_temporal")
    text = f"kappa_temporal of no_change {number_text(kappa)} = 0"
    return [*conditions, Condition(kappa == 0, text)]


def _is_on_side_of_reference(stream: str, learner: str, other: str, gap: AccuracyGap) -> Condition:
    """One side of "between": not above No-Change, or else above the reference `other`."""
    holds = gap.at_most() if other == "no_change" else gap.above()
    return Condition(holds, f"accuracy of {learner} less {other}'s {gap.text}")


def _check_adaptive_mostly_positive(curves: pd.DataFrame, stream: str) -> list[Condition]:
    curves = curves[curves["measure"] == "kappa_temporal"].dropna(subset="value")
    conditions = []
    for learner in ADAPTIVE_LEARNERS:
        values = curves.loc[curves["learner"] == learner, "value"]
        if values.empty:
            raise NotRunError(f"the figure of this run does not have {learner}")
        positive_fraction = float((values > 0).mean())
        fraction_text = percentage(positive_fraction)
        text = f"kappa_temporal of {learner} is positive in {fraction_text} of the windows"
        conditions.append(Condition(MIN_POSITIVE_FRACTION < positive_fraction < 1, text))
    return conditions


def _check_stable_in_lag(*measures: str) -> Check:
    """The check that measures are stable over all lags of Figures 9 to 11."""

    def check(results: Results, item: str) -> list[Condition]:
        learner, frame = _LEARNER_OF_FIGURE[item], figure_data(results, item, "elec2", "lags")
        # Lag 0 is the learner without lagged inputs.
        rows = frame[(frame["learner"] == learner) & (frame["lags"] > 0)]
        if not {*measures} <= {*rows["measure"]}:
            raise NotRunError(f"the figure of this run lacks {' and '.join(measures)} of {learner}")
        ranges = rows.groupby(["kind", "measure"], sort=False)["value"].agg(["min", "max"])
        return [
            Condition(
                _IS_STABLE[measure](low, high),
                f"{measure} of {learner} with {str(kind).replace('_', ' ')} from "
                f"{number_text(low)} to {number_text(high)}",
            )
            for (kind, measure), low, high in ranges.itertuples()
            if measure in measures
        ]

    return check_each(_LEARNER_OF_FIGURE, check)


def _is_more_accurate(stream: str, learner: str, other: str, gap: AccuracyGap) -> Condition:
    return Condition(gap.above(), f"{stream}: accuracy of {learner} less {other}'s {gap.text}")


def _is_not_more_accurate(stream: str, learner: str, other: str, gap: AccuracyGap) -> Condition:
    return _is_more_accurate(stream, learner, other, gap)._replace(holds=gap.at_most())


def _gains_substantially(stream: str, augmented: str, plain: str, gap: AccuracyGap) -> Condition:
    return Condition(gap.above(MIN_GAIN), f"{stream}: {plain} augmented gains {gap.text}")


def _check_repeats_above_chance(results: Results) -> list[Condition]:
    pairs = [(f"P({c})", f"P({c}|{c})") for c in ("c1", "c2")]
    measures = _measures(results, "elec2", [name for pair in pairs for name in pair])
    return [
        Condition(
            measures[repeated] > measures[prior],
            f"{repeated} {number_text(measures[repeated])}, {prior} {number_text(measures[prior])}",
        )
        for prior, repeated in pairs
    ]


def _check_learners_beat_majority(results: Results) -> list[Condition]:
    accuracies = measure_by_learner(
        results, "elec2", "accuracy", (*PLAIN_LEARNERS, "moving_majority")
    )
    gaps = {name: accuracies[name] - accuracies["moving_majority"] for name in PLAIN_LEARNERS}
    return [
        Condition(
            gap > MIN_LARGE_GAIN, f"accuracy of {name} less moving_majority's {number_text(gap)}"
        )
        for name, gap in gaps.items()
    ]


#: The streams of Figures 6 and 7.
_FIGURE_6_7_STREAMS = ("elec2", "covtype")
#: Pairs of a learner and a reference that `_is_on_side_of_reference` compares.
_BETWEEN_PAIRS = [
    (name, other) for name in ADAPTIVE_LEARNERS for other in ("no_change", "hoeffding_tree")
]
#: The learners of Figure 8.
_HOEFFDING_TREES = ("hoeffding_tree", "hoeffding_adaptive_tree")


def _check_augmented(learners: Sequence[str]) -> Check:
    """The check that augmented learners are more accurate than No-Change."""
    return check_differences(
        _FIGURE_6_7_STREAMS,
        [(f"{name}_augmented", "no_change") for name in learners],
        _is_more_accurate,
    )


_ALL_LAGS_NEEDS = tuple(
    Need(
        figure,
        part="lags",
        streams=("elec2",),
        column="lags",
        values=LAGS,
        where={"kind": kind},
    )
    for figure in _LEARNER_OF_FIGURE
    for kind in LAGGED_INPUTS
)
_STABLE_RULE = (
    "from one lag to as many as the figures show, the accuracy of each learner, given labels "
    f"or labels and inputs, stays within {MAX_STABLE_ACCURACY_RANGE}"
)

CLAIMS: dict[str, Predicate] = {
    "few_beat_no_change": Predicate(
        COUNT_RULE, check_survey_counts("bifet2013/table1", above=6, reported=16), universal=False
    ),
    "dependent_labels": Predicate(
        "P(c|c) is above P(c) for both classes of electricity and of airlines, and for the three "
        "classes of KDD99 that the table has",
        check_each(("elec2", "airlines", "kdd99"), _check_repeats_above_prior),
    ),
    "slightly_imbalanced": Predicate(
        f"P(c1) exceeds P(c2) on electricity and on airlines, by at most {MAX_SLIGHT_IMBALANCE}",
        check_each(("elec2", "airlines"), _check_slight_imbalance),
    ),
    "kdd99_classes": Predicate(
        f"the stream that the run uses has more than {MIN_KDD99_CLASSES} classes",
        _check_kdd99_classes,
        universal=False,
    ),
    "kdd99_nearly_perfect": Predicate(
        f"the accuracy of No-Change is at least {MIN_NEARLY_PERFECT_ACCURACY}",
        _check_nearly_perfect,
        universal=False,
    ),
    "ozone_no_advantage": Predicate(
        "P(c2|c2) of the rarer class is above P(c2), and Majority is more accurate than No-Change; "
        f"{INTERVAL_RULE}",
        _check_no_advantage,
    ),
    "prior_evolves": Predicate(
        "over the windows of the figure, the proportion of a class has a range above "
        f"{MIN_PRIOR_RANGE}, which is ten standard errors of 1000 independent labels",
        check_figure_data("bifet2013/fig1", "prior", ("elec2",), _check_prior_evolves),
        universal=False,
    ),
    "repeats_by_more_than_chance": Predicate(
        "P(c|c) is above P(c) for both classes",
        _check_repeats_above_chance,
    ),
    "no_change_beats_majority": Predicate(
        "on electricity and on airlines, over the whole stream, No-Change is more accurate than "
        f"Majority; {INTERVAL_RULE}",
        check_differences(
            ("elec2", "airlines"), [("majority", "no_change")], _is_not_more_accurate
        ),
    ),
    "learners_beat_majority": Predicate(
        "over the whole stream Naive Bayes and the Hoeffding tree are each more accurate than the "
        f"moving majority by more than {MIN_LARGE_GAIN}",
        _check_learners_beat_majority,
    ),
    "augmented_improves": Predicate(
        "over each whole stream all four learners of the figures are more accurate augmented than "
        f"without, by more than {MIN_GAIN}; {INTERVAL_RULE}",
        check_differences(
            _FIGURE_6_7_STREAMS,
            [(f"{name}_augmented", name) for name in FIGURE_LEARNERS],
            _gains_substantially,
        ),
    ),
    "label_autocorrelation_peaks": Predicate(
        "the autocorrelation at each of the lags 48, 96, ..., 336 is the largest of all lags "
        "within 24 of it that the figure shows",
        check_figure_data("bifet2013/fig1", "autocorrelation", ("elec2",), _check_peaks),
        (
            Need(
                "bifet2013/fig1",
                part="autocorrelation",
                streams=("elec2",),
                column="lag",
                values=(LAGS_PER_DAY * N_DAYS + 1,),  # a lag beyond the last peak
            ),
        ),
    ),
    "no_change_beats_learners": Predicate(
        "over the whole stream, No-Change is more accurate than each, and kappa of the tree is "
        f"above {MIN_GOOD_KAPPA}, where Landis and Koch (1977) call agreement moderate; "
        f"{INTERVAL_RULE}",
        _check_no_change_beats_learners,
    ),
    "kappa_temporal_negative": Predicate(
        "over the whole stream, kappa_temporal is below 0, which is an accuracy below that of "
        f"No-Change, and of No-Change exactly 0; {INTERVAL_RULE}",
        _check_kappa_temporal_negative,
    ),
    "hat_lbag_still_negative": Predicate(
        "over the whole stream, kappa_temporal of both is below 0, which is an accuracy below that "
        f"of No-Change, and above that of the plain Hoeffding tree; {INTERVAL_RULE}",
        check_differences(("covtype",), _BETWEEN_PAIRS, _is_on_side_of_reference),
    ),
    "hat_lbag_mostly_positive": Predicate(
        f"kappa_temporal of both is positive in more than {100 * MIN_POSITIVE_FRACTION:g} % of "
        "the windows that the "
        'figure shows, which is our reading of "a long period", and not in all',
        check_figure_data("bifet2013/fig5", "curves", ("elec2",), _check_adaptive_mostly_positive),
        universal=False,
    ),
    "augmented_positive": Predicate(
        "over each whole stream, kappa_temporal of the Hoeffding tree and of the adaptive tree, "
        "which Figure 8 shows, is above 0, which is an accuracy above that of No-Change; "
        f"{INTERVAL_RULE}",
        _check_augmented(_HOEFFDING_TREES),
        alternative=Predicate(
            "kappa_temporal of all four learners of Figures 6 and 7 is above 0, as read until "
            "2026-11-26",
            _check_augmented(FIGURE_LEARNERS),
        ),
    ),
    "stable_in_lag": Predicate(
        _STABLE_RULE,
        _check_stable_in_lag("accuracy"),
        _ALL_LAGS_NEEDS,
        alternative=Predicate(
            f"{_STABLE_RULE}, and kappa_temporal keeps its sign, as set on 2026-11-22, after "
            "results were known",
            _check_stable_in_lag("accuracy", "kappa_temporal"),
            _ALL_LAGS_NEEDS,
        ),
    ),
    **ARITHMETIC_CLAIMS,
}
