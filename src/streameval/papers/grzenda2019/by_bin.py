"""The claims of Grzenda et al. (2019), Section 5.2, about accuracies by bin."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd

from streameval.papers.grzenda2019.published import (
    ADAPTIVE_FOREST,
    ADAPTIVE_TREE,
    AGRAWAL,
    AIRLINES,
    ALL_LEARNERS,
    BIN_FIGURES,
    BIN_INTERVAL_RULE,
    COVERTYPE,
    ELECTRICITY,
    FIRST_BIN,
    HOEFFDING_TREE,
    HYPERPLANE,
    KNN,
    LAST_BIN,
    LATE_BIN,
    LED,
    MAJORITY,
    MAX_NEARLY_SAME_DISTANCE,
    MAX_SIMILAR_DIFFERENCE,
    MIN_LINEAR_R_SQUARED,
    MIN_TREND_CORRELATION,
    NAIVE_BAYES,
    NO_CHANGE,
    PAPER_BASELINES,
    TRAINED_LEARNERS,
    Accuracies,
    Cell,
    all_labels_needs,
    bin_predicate,
    check_accuracies,
    check_cells_above,
    is_linear,
    label_delay,
    pairs_in_bin,
    pairs_over_bins,
)
from streameval.report.claims import Condition, Predicate, check_figure_data, most_hold
from streameval.report.results import NotRunError, Results
from streameval.view.numbers import lower_bound_text, number_text, upper_bound_text

#: The bin "halfway" to the label: half of B = 50.
_HALFWAY_BIN = 25
#: The paper's curves cross "closer to bin 40".
_CROSSING_BIN = 40
#: A bin is "closer to bin 40" if it is at most this number of bins away.
_MAX_CROSSING_DISTANCE = 10


def _check_none_linear(accuracies: Accuracies) -> list[Condition]:
    conditions = [is_linear(name, accuracies, MIN_LINEAR_R_SQUARED) for name in TRAINED_LEARNERS]
    not_linear = [condition.text for condition in conditions if not condition.holds]
    names = ", ".join(not_linear)
    text = f"{len(not_linear)} of {len(TRAINED_LEARNERS)} learners "
    text += f"are below {MIN_LINEAR_R_SQUARED}: {names}"
    return [Condition(bool(not_linear), text)]


def _check_similar_first(accuracies: Accuracies) -> list[Condition]:
    return [
        accuracies.near(Cell(name, FIRST_BIN), Cell(other, FIRST_BIN), MAX_SIMILAR_DIFFERENCE)
        for name, other in combinations((KNN, HOEFFDING_TREE, ADAPTIVE_TREE), 2)
    ]


def _check_majority_stays(accuracies: Accuracies) -> list[Condition]:
    curve = accuracies.curve(MAJORITY)
    distance = float(np.abs(curve - curve[FIRST_BIN]).max())
    text = f"{MAJORITY} is at most {upper_bound_text(distance)} from its accuracy in bin 0"
    return [Condition(distance <= MAX_NEARLY_SAME_DISTANCE, text)]


def _check_gains_differ(accuracies: Accuracies) -> list[Condition]:
    names = (KNN, HOEFFDING_TREE, NAIVE_BAYES)
    gains = {
        name: float(accuracies.curve(name)[LAST_BIN] - accuracies.curve(name)[FIRST_BIN])
        for name in names
    }
    return [
        Condition(
            abs(gains[name] - gains[other]) > MAX_SIMILAR_DIFFERENCE,
            f"the gain of {name} less that of {other} {number_text(gains[name] - gains[other])}",
        )
        for name, other in combinations(names, 2)
    ]


def _check_sometimes_lower(accuracies: Accuracies) -> list[Condition]:
    gaps = {b: accuracies.gap(Cell(ADAPTIVE_TREE, b), Cell(KNN, b)) for b in range(accuracies.bins)}
    best = max(gaps, key=lambda b: gaps[b].value)
    n_higher = sum(gap.value > 0 for gap in gaps.values())
    is_proven = any(gap.above() for gap in gaps.values())
    text = (
        f"{ADAPTIVE_TREE} is more accurate than {KNN} in {n_higher} of {accuracies.bins} bins; "
        f"most in bin {best}, by {gaps[best].text}"
    )
    return [Condition(True if is_proven else None if n_higher else False, text)]


def _check_other_best(accuracies: Accuracies) -> list[Condition]:
    first = max(ALL_LEARNERS, key=lambda name: accuracies.curve(name)[FIRST_BIN])
    last = max(ALL_LEARNERS, key=lambda name: accuracies.curve(name)[LAST_BIN])
    if first == last:
        return [Condition(False, f"{first} is the most accurate one in bin 0 and in the last bin")]
    return [
        accuracies.above(Cell(first, FIRST_BIN), Cell(last, FIRST_BIN)),
        accuracies.above(Cell(last, LAST_BIN), Cell(first, LAST_BIN)),
    ]


def _check_crossing_bin(accuracies: Accuracies) -> list[Condition]:
    conditions = []
    for name in (ADAPTIVE_TREE, ADAPTIVE_FOREST):
        is_better = accuracies.curve(name) > accuracies.curve(NAIVE_BAYES)
        first_bin = int(np.flatnonzero(is_better)[0]) if is_better.any() else accuracies.bins
        text = f"{name} is first more accurate than {NAIVE_BAYES} in bin {first_bin}"
        conditions.append(Condition(abs(first_bin - _CROSSING_BIN) <= _MAX_CROSSING_DISTANCE, text))
    return conditions


def _check_better_late(results: Results) -> list[Condition]:
    conditions = check_accuracies(
        tuple(BIN_FIGURES), check_cells_above(pairs_over_bins((KNN,), FIRST_BIN, LATE_BIN))
    )(results)
    numbers = "; ".join(condition.text for condition in conditions)
    if len(conditions) < len(BIN_FIGURES):
        raise NotRunError(numbers)
    signs = [condition.holds for condition in conditions]
    text = f"on {signs.count(True)} of {len(signs)} streams, undecided {signs.count(None)}: "
    return [Condition(most_hold(signs), text + numbers)]


_BEST_IN_FIRST_BIN = (NAIVE_BAYES, HOEFFDING_TREE, ADAPTIVE_TREE, ADAPTIVE_FOREST)
#: The label delay in the paper's text on Figure 9, in instances.
LABEL_DELAY = 500
#: The number of labels from which the paper's text on Figure 10 compares accuracies.
N_LABELS_AT_DRIFT = 2000


class AttributeCounts(NamedTuple):
    """Numbers of attributes of a stream by kind."""

    nominal: int
    numeric: int


#: Attributes of Agrawal according to Section 5.1.
ATTRIBUTE_COUNTS = AttributeCounts(nominal=6, numeric=3)


def _check_growth(accuracies: Accuracies) -> list[Condition]:
    spans = {name: float(np.ptp(accuracies.curve(name))) for name in ALL_LEARNERS}
    smallest = min(spans[name] for name in TRAINED_LEARNERS)
    stable = [
        Condition(spans[name] < smallest, f"{name} spans {number_text(spans[name])} over bins, the "
                  f"trained learners at least {lower_bound_text(smallest)}")
        for name in PAPER_BASELINES
    ]  # fmt: skip
    return [
        *check_cells_above(pairs_over_bins(TRAINED_LEARNERS, FIRST_BIN, LAST_BIN))(accuracies),
        *stable,
    ]


def _check_closer_is_better(accuracies: Accuracies) -> list[Condition]:
    trends = accuracies.trends()
    rising = [
        Condition(
            trend >= MIN_TREND_CORRELATION,
            f"rank correlation of {name} with the bin {number_text(trend)}",
        )
        for name, trend in trends.items()
    ]
    return [
        *check_cells_above(pairs_over_bins(TRAINED_LEARNERS, FIRST_BIN, LAST_BIN))(accuracies),
        *rising,
    ]


def _check_no_clear_trend(accuracies: Accuracies) -> list[Condition]:
    trends = accuracies.trends()
    name, trend = min(trends.items(), key=lambda item: item[1])
    text = f"rank correlation of {name} with the bin {number_text(trend)}, the least of five"
    return [Condition(trend < MIN_TREND_CORRELATION, text)]


def _check_attribute_counts(size: pd.DataFrame, stream: str) -> list[Condition]:
    # Imported here, as reading the claims does not need the generator.
    from streameval.streams.generators.agrawal import Agrawal

    attributes = Agrawal().stream(1).schema.attributes
    n_nominal = sum(attribute.is_nominal for attribute in attributes)
    counts = AttributeCounts(n_nominal, len(attributes) - n_nominal)
    text = f"{stream}: {counts.nominal} nominal and {counts.numeric} numeric attributes"
    return [Condition(counts == ATTRIBUTE_COUNTS, text)]


def _check_late_beat_first(accuracies: Accuracies) -> list[Condition]:
    best = max(ALL_LEARNERS, key=lambda name: accuracies.curve(name)[FIRST_BIN])
    return [
        accuracies.above(Cell(name, LATE_BIN), Cell(best, FIRST_BIN))
        for name in (HOEFFDING_TREE, ADAPTIVE_TREE)
    ]


def _check_label_delay(size: pd.DataFrame, stream: str) -> list[Condition]:
    latency = label_delay(stream)
    labels = number_text(int(size["labels"].iloc[0]))
    text = f"{stream}: {labels} labels, each delayed by {number_text(latency)} instances"
    return [Condition(latency == LABEL_DELAY, text)]


def _check_after_drift(stages: pd.DataFrame, stream: str) -> list[Condition]:
    conditions = []
    # The paper says that the accuracy of k-NN rises and that of the adaptive tree falls.
    for learner, sign in ((KNN, 1), (ADAPTIVE_TREE, -1)):
        rows = stages[(stages["learner"] == learner) & (stages["bin"] == LATE_BIN)]
        rows = rows[rows["labels"] >= N_LABELS_AT_DRIFT].sort_values("labels")
        if rows.empty:
            name = f"bin {LATE_BIN} of {learner}"
            raise NotRunError(f"{stream}: the figure of this run does not have {name}")
        accuracy = (rows["correct"] / rows["labels"]).to_numpy(dtype=float)
        text = (
            f"{stream}: accuracy so far of {learner} in bin {LATE_BIN} from "
            f"{number_text(accuracy[0])} after {number_text(int(rows['labels'].iloc[0]))} labels "
            f"to {number_text(accuracy[-1])}"
        )
        holds = bool(sign * (accuracy[-1] - accuracy[0]) > 0)
        if learner == ADAPTIVE_TREE:
            rise = float((accuracy - np.minimum.accumulate(accuracy)).max())
            text += f", at most {upper_bound_text(rise)} above an earlier value"
            holds &= rise == 0  # the accuracy never rises
        conditions.append(Condition(holds, text))
    return conditions


BIN_CLAIMS: Mapping[str, Predicate] = {
    **{
        key: bin_predicate(
            stream,
            f"in {'bin 0' if b == FIRST_BIN else 'the last bin'} {title} is more accurate "
            "than each other learner",
            check_cells_above(pairs_in_bin((name,), ALL_LEARNERS, b)),
        )
        for key, stream, title, name, b in (
            ("electricity_no_change_last", ELECTRICITY, "No-Change", NO_CHANGE, LAST_BIN),
            ("electricity_knn_first", ELECTRICITY, "k-NN", KNN, FIRST_BIN),
            ("covertype_naive_bayes_first", COVERTYPE, "Naive Bayes", NAIVE_BAYES, FIRST_BIN),
        )
    },
    "no_linear_trend": bin_predicate(
        (AIRLINES, ELECTRICITY),
        "on airlines and on electricity there is a trained learner of whose accuracies a straight "
        f"line over all bins explains less than {100 * MIN_LINEAR_R_SQUARED:g} % of the variance",
        _check_none_linear,
        by_interval=False,
    ),
    "airlines_best_last": bin_predicate(
        AIRLINES,
        "in the last bin k-NN is more accurate than Naive Bayes and the forest, and each of the "
        "three than the other four",
        check_cells_above(
            [
                *pairs_in_bin((KNN,), (NAIVE_BAYES, ADAPTIVE_FOREST), LAST_BIN),
                *pairs_in_bin(
                    (KNN, NAIVE_BAYES, ADAPTIVE_FOREST),
                    (HOEFFDING_TREE, ADAPTIVE_TREE, *PAPER_BASELINES),
                    LAST_BIN,
                ),
            ]
        ),
    ),
    "airlines_similar_first": bin_predicate(
        AIRLINES,
        f"in bin 0 the accuracies of k-NN and both trees are within {MAX_SIMILAR_DIFFERENCE} of "
        "each other",
        _check_similar_first,
    ),
    "airlines_benefit": bin_predicate(
        AIRLINES,
        "Naive Bayes, k-NN and the forest are each more accurate in the last bin than in bin 0",
        check_cells_above(
            pairs_over_bins((NAIVE_BAYES, KNN, ADAPTIVE_FOREST), FIRST_BIN, LAST_BIN)
        ),
    ),
    "airlines_majority_stays": bin_predicate(
        AIRLINES,
        f"in no bin the accuracy of Majority is more than {MAX_NEARLY_SAME_DISTANCE} from that in "
        "bin 0",
        _check_majority_stays,
        by_interval=False,
    ),
    "airlines_gains_differ": bin_predicate(
        AIRLINES,
        "the accuracies in the last bin less those in bin 0, of the Hoeffding tree, k-NN and Naive "
        f"Bayes, differ by more than {MAX_SIMILAR_DIFFERENCE} from each other",
        _check_gains_differ,
        by_interval=False,
    ),
    "electricity_hat_above_knn": bin_predicate(
        ELECTRICITY,
        "in some bin the adaptive tree is more accurate than k-NN; it fails if it is in no bin, "
        "by the accuracies themselves",
        _check_sometimes_lower,
        universal=False,
    ),
    "electricity_knn_falls": bin_predicate(
        ELECTRICITY,
        f"k-NN is less accurate in bin {LATE_BIN} than in bin 0, by more than "
        f"{MAX_SIMILAR_DIFFERENCE}",
        check_cells_above([(Cell(KNN, FIRST_BIN), Cell(KNN, LATE_BIN))], MAX_SIMILAR_DIFFERENCE),
        universal=False,
    ),
    "electricity_other_best": bin_predicate(
        ELECTRICITY,
        "the most accurate learner in bin 0 is another one than that in the last bin, each more "
        "accurate than the other one there",
        _check_other_best,
    ),
    "electricity_best_before_label": bin_predicate(
        ELECTRICITY,
        f"k-NN and the adaptive tree are each more accurate in the last bin than in bins 0, "
        f"{_HALFWAY_BIN} and {LATE_BIN}, over all labels",
        check_cells_above(
            pair
            for b in (FIRST_BIN, _HALFWAY_BIN, LATE_BIN)
            for pair in pairs_over_bins((KNN, ADAPTIVE_TREE), b, LAST_BIN)
        ),
    ),
    "covertype_outperformed_late": bin_predicate(
        COVERTYPE,
        "the first bin in which the adaptive tree, and that in which the forest, is more accurate "
        f"than Naive Bayes is at most {_MAX_CROSSING_DISTANCE} bins from bin {_CROSSING_BIN}",
        _check_crossing_bin,
        by_interval=False,
    ),
    "covertype_rise_late": bin_predicate(
        COVERTYPE,
        f"the forest and k-NN are each more accurate in the last bin than in bin {LATE_BIN}, by "
        f"more than {MAX_SIMILAR_DIFFERENCE}, and in bin {LATE_BIN} than in bin 0",
        lambda accuracies: [
            *check_cells_above(
                pairs_over_bins((ADAPTIVE_FOREST, KNN), LATE_BIN, LAST_BIN), MAX_SIMILAR_DIFFERENCE
            )(accuracies),
            *check_cells_above(pairs_over_bins((ADAPTIVE_FOREST, KNN), FIRST_BIN, LATE_BIN))(
                accuracies
            ),
        ],
    ),
    "last_bin_optimistic": bin_predicate(
        tuple(BIN_FIGURES),
        "on each of the six streams each of the seven learners is more accurate in the last bin "
        f"than in bins 0 and {LATE_BIN}",
        check_cells_above(
            pair
            for b in (FIRST_BIN, LATE_BIN)
            for pair in pairs_over_bins(ALL_LEARNERS, b, LAST_BIN)
        ),
        needs=all_labels_needs(AIRLINES, ELECTRICITY),
    ),
    "knn_better_late": Predicate(
        f"k-NN is more accurate in bin {LATE_BIN} than in bin 0 on more than half of the six "
        f"streams; {BIN_INTERVAL_RULE}",
        _check_better_late,
        all_labels_needs(AIRLINES, ELECTRICITY),
        universal=False,
    ),
    "hyperplane_best_first": bin_predicate(
        HYPERPLANE,
        "in bin 0 Naive Bayes, the Hoeffding tree, the adaptive tree and the forest are each more "
        "accurate than k-NN, No-Change and Majority",
        check_cells_above(pairs_in_bin(_BEST_IN_FIRST_BIN, (KNN, *PAPER_BASELINES), FIRST_BIN)),
    ),
    "hyperplane_grows": bin_predicate(
        HYPERPLANE,
        "each of the five trained learners is more accurate in the last bin than in bin 0, and "
        "the accuracies of No-Change and Majority span less over all bins than those of each of "
        "the five",
        _check_growth,
    ),
    "hyperplane_linear": bin_predicate(
        HYPERPLANE,
        f"a straight line over all bins explains at least {100 * MIN_LINEAR_R_SQUARED:g} % of the "
        "variance of the accuracies of each of the five trained learners",
        lambda accuracies: [
            is_linear(name, accuracies, MIN_LINEAR_R_SQUARED) for name in TRAINED_LEARNERS
        ],
        by_interval=False,
    ),
    "led_increases": bin_predicate(
        LED,
        "each of the five trained learners is more accurate in the last bin than in bin 0, and its "
        f"accuracy and the bin have a rank correlation of at least {MIN_TREND_CORRELATION}",
        _check_closer_is_better,
    ),
    "agrawal_increases": bin_predicate(
        AGRAWAL,
        "each of the five trained learners is more accurate in bin B, the last one before the "
        f"label, than in bin 0, by more than {MAX_SIMILAR_DIFFERENCE}",
        check_cells_above(
            pairs_over_bins(TRAINED_LEARNERS, FIRST_BIN, LAST_BIN - 1), MAX_SIMILAR_DIFFERENCE
        ),
    ),
    "agrawal_late_beat_first": bin_predicate(
        AGRAWAL,
        f"both trees are more accurate in bin {LATE_BIN} than the most accurate learner is in bin "
        "0",
        _check_late_beat_first,
    ),
    "agrawal_not_simple": bin_predicate(
        AGRAWAL,
        "of at least one of the five trained learners the accuracy and the bin have a rank "
        f"correlation below {MIN_TREND_CORRELATION}",
        _check_no_clear_trend,
        universal=False,
        by_interval=False,
    ),
    "agrawal_attributes": Predicate(
        "the generator of our figure, whose accuracies Table 1 has, has "
        f"{ATTRIBUTE_COUNTS.nominal} nominal and {ATTRIBUTE_COUNTS.numeric} numeric attributes",
        check_figure_data(BIN_FIGURES[AGRAWAL], "size", (AGRAWAL,), _check_attribute_counts),
        universal=False,
    ),
    "agrawal_latency": Predicate(
        f"the stream of our figure, whose accuracies Table 1 has, has labels {LABEL_DELAY} "
        "instances late",
        check_figure_data(BIN_FIGURES[AGRAWAL], "size", (AGRAWAL,), _check_label_delay),
        universal=False,
    ),
    "agrawal_hat_best_late": bin_predicate(
        AGRAWAL,
        f"over all labels the adaptive tree is more accurate in bin {LATE_BIN} and in the last "
        f"bin than in bins 0 and {_HALFWAY_BIN}, and than k-NN in bins 0, {_HALFWAY_BIN}, "
        f"{LATE_BIN} and the last one",
        check_cells_above(
            (Cell(ADAPTIVE_TREE, better_bin), Cell(other, b))
            for better_bin in (LATE_BIN, LAST_BIN)
            for other, compared_bins in (
                (ADAPTIVE_TREE, (FIRST_BIN, _HALFWAY_BIN)),
                (KNN, (FIRST_BIN, _HALFWAY_BIN, LATE_BIN, LAST_BIN)),
            )
            for b in compared_bins
        ),
    ),
    "agrawal_after_drift": Predicate(
        f"of the accuracies so far in bin {LATE_BIN}, that of k-NN is higher after all labels "
        f"than after {N_LABELS_AT_DRIFT}; that of the adaptive tree is lower, and at no time from "
        "there on above an earlier one",
        check_figure_data(BIN_FIGURES[AGRAWAL], "stages", (AGRAWAL,), _check_after_drift),
        universal=False,
    ),
}
