"""The claims of Grzenda et al. (2019), Section 5.2, about accuracies by bin."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd

from streameval.papers.grzenda2019.published import (
    ADAPTIVE,
    AGRAWAL,
    AIRLINES,
    ALL,
    APART,
    BY_BIN,
    COVERTYPE,
    ELECTRICITY,
    FIGURES,
    FIRST,
    FOREST,
    HYPERPLANE,
    KNN,
    LAST,
    LATE,
    LED,
    LINEAR,
    MAJORITY,
    NAIVE_BAYES,
    NEARLY,
    NO_CHANGE,
    PAPER_BASELINES,
    TRAINED,
    TREE,
    TREND,
    Accuracies,
    Cell,
    all_above,
    all_labels,
    each_above,
    gains,
    is_linear,
    latency_of,
    of_bins,
    of_figures,
)
from streameval.report.claims import Condition, Predicate, check_figure_data, most_hold
from streameval.report.results import NotRunError, Results
from streameval.view.numbers import lower_bound_text, number_text, upper_bound_text

#: The bin "halfway" to the label.
_HALFWAY = 25
#: The bin of "closer to bin 40".
_NEAR = 40
#: Bins "closer to bin 40" are at most this number of bins away from it.
_AROUND = 10


def _none_linear(accuracies: Accuracies) -> list[Condition]:
    conditions = [is_linear(name, accuracies, LINEAR) for name in TRAINED]
    not_linear = [condition.numbers for condition in conditions if not condition.holds]
    names = ", ".join(not_linear)
    text = f"{len(not_linear)} of {len(TRAINED)} learners are below {LINEAR}: {names}"
    return [Condition(bool(not_linear), text)]


def _similar_first(accuracies: Accuracies) -> list[Condition]:
    return [
        accuracies.near(Cell(name, FIRST), Cell(other, FIRST), APART)
        for name, other in combinations((KNN, TREE, ADAPTIVE), 2)
    ]


def _majority_stays(accuracies: Accuracies) -> list[Condition]:
    curve = accuracies.curve(MAJORITY)
    distance = float(np.abs(curve - curve[FIRST]).max())
    text = f"{MAJORITY} is at most {upper_bound_text(distance)} from its accuracy in bin 0"
    return [Condition(distance <= NEARLY, text)]


def _gains_differ(accuracies: Accuracies) -> list[Condition]:
    names = (KNN, TREE, NAIVE_BAYES)
    gain = {
        name: float(accuracies.curve(name)[LAST] - accuracies.curve(name)[FIRST]) for name in names
    }
    return [
        Condition(
            abs(gain[name] - gain[other]) > APART,
            f"the gain of {name} less that of {other} {number_text(gain[name] - gain[other])}",
        )
        for name, other in combinations(names, 2)
    ]


def _sometimes_lower(accuracies: Accuracies) -> list[Condition]:
    gaps = {b: accuracies.gap(Cell(ADAPTIVE, b), Cell(KNN, b)) for b in range(accuracies.bins)}
    best = max(gaps, key=lambda b: gaps[b].value)
    n_higher = sum(gap.value > 0 for gap in gaps.values())
    is_proven = any(gap.above() for gap in gaps.values())
    text = (
        f"{ADAPTIVE} is more accurate than {KNN} in {n_higher} of {accuracies.bins} bins; "
        f"most in bin {best}, by {gaps[best].text}"
    )
    return [Condition(True if is_proven else None if n_higher else False, text)]


def _other_best(accuracies: Accuracies) -> list[Condition]:
    first = max(ALL, key=lambda name: accuracies.curve(name)[FIRST])
    last = max(ALL, key=lambda name: accuracies.curve(name)[LAST])
    if first == last:
        return [Condition(False, f"{first} is the most accurate one in bin 0 and in the last bin")]
    return [
        accuracies.above(Cell(first, FIRST), Cell(last, FIRST)),
        accuracies.above(Cell(last, LAST), Cell(first, LAST)),
    ]


def _outperform_late(accuracies: Accuracies) -> list[Condition]:
    conditions = []
    for name in (ADAPTIVE, FOREST):
        is_better = accuracies.curve(name) > accuracies.curve(NAIVE_BAYES)
        first_bin = int(np.flatnonzero(is_better)[0]) if is_better.any() else accuracies.bins
        text = f"{name} is first more accurate than {NAIVE_BAYES} in bin {first_bin}"
        conditions.append(Condition(abs(first_bin - _NEAR) <= _AROUND, text))
    return conditions


def _typically_better_late(results: Results) -> list[Condition]:
    conditions = of_figures(tuple(FIGURES), all_above(gains((KNN,), FIRST, LATE)))(results)
    numbers = "; ".join(condition.numbers for condition in conditions)
    if len(conditions) < len(FIGURES):
        raise NotRunError(numbers)
    signs = [condition.holds for condition in conditions]
    text = f"on {signs.count(True)} of {len(signs)} streams, undecided {signs.count(None)}: "
    return [Condition(most_hold(signs), text + numbers)]


_BEST_FIRST = (NAIVE_BAYES, TREE, ADAPTIVE, FOREST)
#: The label delay in the text on Figure 9, in instances.
LATENCY = 500
#: The number of labels from which the text on Figure 10 compares accuracies.
DRIFT = 2000
#: Numbers of nominal and of continuous attributes of Agrawal, according to Section 5.1.
KINDS_OF_ATTRIBUTES = (6, 3)


def _grows(accuracies: Accuracies) -> list[Condition]:
    spans = {name: float(np.ptp(accuracies.curve(name))) for name in ALL}
    smallest = min(spans[name] for name in TRAINED)
    stable = [
        Condition(spans[name] < smallest, f"{name} spans {number_text(spans[name])} over bins, the "
                  f"trained learners at least {lower_bound_text(smallest)}")
        for name in PAPER_BASELINES
    ]  # fmt: skip
    return [*all_above(gains(TRAINED, FIRST, LAST))(accuracies), *stable]


def _closer_is_better(accuracies: Accuracies) -> list[Condition]:
    trends = accuracies.trends()
    rising = [
        Condition(trend >= TREND, f"rank correlation of {name} with the bin {number_text(trend)}")
        for name, trend in trends.items()
    ]
    return [*all_above(gains(TRAINED, FIRST, LAST))(accuracies), *rising]


def _is_not_simple(accuracies: Accuracies) -> list[Condition]:
    trends = accuracies.trends()
    name, trend = min(trends.items(), key=lambda item: item[1])
    text = f"rank correlation of {name} with the bin {number_text(trend)}, the least of five"
    return [Condition(trend < TREND, text)]


def _kinds_of_attributes(size: pd.DataFrame, stream: str) -> list[Condition]:
    from streameval.streams.generators.agrawal import (
        Agrawal,
    )  # here: reading claims does not need it

    attributes = Agrawal().stream(1).schema.attributes
    nominal = sum(attribute.is_nominal for attribute in attributes)
    text = f"{stream}: {nominal} nominal and {len(attributes) - nominal} numeric attributes"
    return [Condition((nominal, len(attributes) - nominal) == KINDS_OF_ATTRIBUTES, text)]


def _late_beat_first(accuracies: Accuracies) -> list[Condition]:
    best = max(ALL, key=lambda name: accuracies.curve(name)[FIRST])
    return [accuracies.above(Cell(name, LATE), Cell(best, FIRST)) for name in (TREE, ADAPTIVE)]


def _waiting(size: pd.DataFrame, stream: str) -> list[Condition]:
    latency = latency_of(stream)
    labels = number_text(int(size["labels"].iloc[0]))
    text = f"{stream}: {labels} labels, each delayed by {number_text(latency)} instances"
    return [Condition(latency == LATENCY, text)]


def _improves_or_not(stages: pd.DataFrame, stream: str) -> list[Condition]:
    conditions = []
    for learner, sign in ((KNN, 1), (ADAPTIVE, -1)):
        rows = stages[(stages["learner"] == learner) & (stages["bin"] == LATE)]
        rows = rows[rows["labels"] >= DRIFT].sort_values("labels")
        if rows.empty:
            what = f"bin {LATE} of {learner}"
            raise NotRunError(f"{stream}: the figure of this run does not have {what}")
        accuracy = (rows["correct"] / rows["labels"]).to_numpy(dtype=float)
        text = (
            f"{stream}: accuracy so far of {learner} in bin {LATE} from {number_text(accuracy[0])} "
            f"after {number_text(int(rows['labels'].iloc[0]))} labels to "
            f"{number_text(accuracy[-1])}"
        )
        holds = bool(sign * (accuracy[-1] - accuracy[0]) > 0)
        if learner == ADAPTIVE:
            rise = float((accuracy - np.minimum.accumulate(accuracy)).max())
            text += f", at most {upper_bound_text(rise)} above an earlier value"
            holds &= rise == 0  # the accuracy never rises
        conditions.append(Condition(holds, text))
    return conditions


BY_BINS: Mapping[str, Predicate] = {
    **{
        key: of_bins(
            stream,
            f"in {'bin 0' if b == FIRST else 'the last bin'} {title} is more accurate "
            "than each other learner",
            all_above(each_above((name,), ALL, b)),
        )
        for key, stream, title, name, b in (
            ("electricity_no_change_last", ELECTRICITY, "No-Change", NO_CHANGE, LAST),
            ("electricity_knn_first", ELECTRICITY, "k-NN", KNN, FIRST),
            ("covertype_naive_bayes_first", COVERTYPE, "Naive Bayes", NAIVE_BAYES, FIRST),
        )
    },
    "no_linear_trend": of_bins(
        (AIRLINES, ELECTRICITY),
        "on airlines and on electricity there is a trained learner of whose accuracies a straight "
        f"line over all bins explains less than {100 * LINEAR:g} % of the variance",
        _none_linear,
        by_interval=False,
    ),
    "airlines_best_last": of_bins(
        AIRLINES,
        "in the last bin k-NN is more accurate than Naive Bayes and the forest, and each of the "
        "three than the other four",
        all_above(
            [
                *each_above((KNN,), (NAIVE_BAYES, FOREST), LAST),
                *each_above((KNN, NAIVE_BAYES, FOREST), (TREE, ADAPTIVE, *PAPER_BASELINES), LAST),
            ]
        ),
    ),
    "airlines_similar_first": of_bins(
        AIRLINES,
        f"in bin 0 the accuracies of k-NN and both trees are within {APART} of each other",
        _similar_first,
    ),
    "airlines_benefit": of_bins(
        AIRLINES,
        "Naive Bayes, k-NN and the forest are each more accurate in the last bin than in bin 0",
        all_above(gains((NAIVE_BAYES, KNN, FOREST), FIRST, LAST)),
    ),
    "airlines_majority_stays": of_bins(
        AIRLINES,
        f"in no bin the accuracy of Majority is more than {NEARLY} from that in bin 0",
        _majority_stays,
        by_interval=False,
    ),
    "airlines_gains_differ": of_bins(
        AIRLINES,
        "the accuracies in the last bin less those in bin 0, of the Hoeffding tree, k-NN and Naive "
        f"Bayes, differ by more than {APART} from each other",
        _gains_differ,
        by_interval=False,
    ),
    "electricity_hat_above_knn": of_bins(
        ELECTRICITY,
        "in some bin the adaptive tree is more accurate than k-NN; it fails if it is in no bin, "
        "by the accuracies themselves",
        _sometimes_lower,
        universal=False,
    ),
    "electricity_knn_falls": of_bins(
        ELECTRICITY,
        f"k-NN is less accurate in bin {LATE} than in bin 0, by more than {APART}",
        all_above([(Cell(KNN, FIRST), Cell(KNN, LATE))], APART),
        universal=False,
    ),
    "electricity_other_best": of_bins(
        ELECTRICITY,
        "the most accurate learner in bin 0 is another one than that in the last bin, each more "
        "accurate than the other one there",
        _other_best,
    ),
    "electricity_best_before_label": of_bins(
        ELECTRICITY,
        f"k-NN and the adaptive tree are each more accurate in the last bin than in bins 0, "
        f"{_HALFWAY} and {LATE}, over all labels",
        all_above(
            pair for b in (FIRST, _HALFWAY, LATE) for pair in gains((KNN, ADAPTIVE), b, LAST)
        ),
    ),
    "covertype_outperformed_late": of_bins(
        COVERTYPE,
        "the first bin in which the adaptive tree, and that in which the forest, is more accurate "
        f"than Naive Bayes is at most {_AROUND} bins from bin {_NEAR}",
        _outperform_late,
        by_interval=False,
    ),
    "covertype_rise_late": of_bins(
        COVERTYPE,
        f"the forest and k-NN are each more accurate in the last bin than in bin {LATE}, by more "
        f"than {APART}, and in bin {LATE} than in bin 0",
        lambda accuracies: [
            *all_above(gains((FOREST, KNN), LATE, LAST), APART)(accuracies),
            *all_above(gains((FOREST, KNN), FIRST, LATE))(accuracies),
        ],
    ),
    "last_bin_optimistic": of_bins(
        tuple(FIGURES),
        "on each of the six streams each of the seven learners is more accurate in the last bin "
        f"than in bins 0 and {LATE}",
        all_above(pair for b in (FIRST, LATE) for pair in gains(ALL, b, LAST)),
        needs=all_labels(AIRLINES, ELECTRICITY),
    ),
    "knn_better_late": Predicate(
        f"k-NN is more accurate in bin {LATE} than in bin 0 on more than half of the six streams; "
        f"{BY_BIN}",
        _typically_better_late,
        all_labels(AIRLINES, ELECTRICITY),
        universal=False,
    ),
    "hyperplane_best_first": of_bins(
        HYPERPLANE,
        "in bin 0 Naive Bayes, the Hoeffding tree, the adaptive tree and the forest are each more "
        "accurate than k-NN, No-Change and Majority",
        all_above(each_above(_BEST_FIRST, (KNN, *PAPER_BASELINES), FIRST)),
    ),
    "hyperplane_grows": of_bins(
        HYPERPLANE,
        "each of the five trained learners is more accurate in the last bin than in bin 0, and "
        "the accuracies of No-Change and Majority span less over all bins than those of each of "
        "the five",
        _grows,
    ),
    "hyperplane_linear": of_bins(
        HYPERPLANE,
        f"a straight line over all bins explains at least {100 * LINEAR:g} % of the variance of "
        "the accuracies of each of the five trained learners",
        lambda accuracies: [is_linear(name, accuracies, LINEAR) for name in TRAINED],
        by_interval=False,
    ),
    "led_increases": of_bins(
        LED,
        "each of the five trained learners is more accurate in the last bin than in bin 0, and its "
        f"accuracy and the bin have a rank correlation of at least {TREND}",
        _closer_is_better,
    ),
    "agrawal_increases": of_bins(
        AGRAWAL,
        "each of the five trained learners is more accurate in bin B, the last one before the "
        f"label, than in bin 0, by more than {APART}",
        all_above(gains(TRAINED, FIRST, LAST - 1), APART),
    ),
    "agrawal_late_beat_first": of_bins(
        AGRAWAL,
        f"both trees are more accurate in bin {LATE} than the most accurate learner is in bin 0",
        _late_beat_first,
    ),
    "agrawal_not_simple": of_bins(
        AGRAWAL,
        "of at least one of the five trained learners the accuracy and the bin have a rank "
        f"correlation below {TREND}",
        _is_not_simple,
        universal=False,
        by_interval=False,
    ),
    "agrawal_attributes": Predicate(
        f"the generator of our figure, whose accuracies Table 1 has, has {KINDS_OF_ATTRIBUTES[0]} "
        f"nominal and {KINDS_OF_ATTRIBUTES[1]} numeric attributes",
        check_figure_data(FIGURES[AGRAWAL], "size", (AGRAWAL,), _kinds_of_attributes),
        universal=False,
    ),
    "agrawal_latency": Predicate(
        f"the stream of our figure, whose accuracies Table 1 has, has labels {LATENCY} instances "
        "late",
        check_figure_data(FIGURES[AGRAWAL], "size", (AGRAWAL,), _waiting),
        universal=False,
    ),
    "agrawal_hat_best_late": of_bins(
        AGRAWAL,
        f"over all labels the adaptive tree is more accurate in bin {LATE} and in the last bin "
        f"than in bins 0 and {_HALFWAY}, and than k-NN in bins 0, {_HALFWAY}, {LATE} and the last "
        f"one",
        all_above(
            (Cell(ADAPTIVE, end), Cell(other, b))
            for end in (LATE, LAST)
            for other, compared_bins in (
                (ADAPTIVE, (FIRST, _HALFWAY)),
                (KNN, (FIRST, _HALFWAY, LATE, LAST)),
            )
            for b in compared_bins
        ),
    ),
    "agrawal_after_drift": Predicate(
        f"of the accuracies so far in bin {LATE}, that of k-NN is higher after all labels than "
        f"after {DRIFT}; that of the adaptive tree is lower, and at no time from there on above an "
        "earlier one",
        check_figure_data(FIGURES[AGRAWAL], "stages", (AGRAWAL,), _improves_or_not),
        universal=False,
    ),
}
