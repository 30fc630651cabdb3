"""The claims of Grzenda et al. (2019), Section 5.2, about accuracies on real streams."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from streameval.papers.grzenda2019.accuracies import (
    ADAPTIVE,
    AIRLINES,
    ALL,
    BY_BIN,
    COVERTYPE,
    ELECTRICITY,
    FIGURES,
    FIRST,
    FOREST,
    KNN,
    LAST,
    LATE,
    MAJORITY,
    NAIVE_BAYES,
    NO_CHANGE,
    PAPER_BASELINES,
    TRAINED,
    TREE,
    Accuracies,
    Cell,
    all_above,
    all_labels,
    each_above,
    gains,
    is_linear,
    of_figure,
    of_figures,
)
from streameval.papers.grzenda2019.published import APART, LINEAR, NEARLY
from streameval.report.claims import Condition, Outcome, Predicate, most_hold
from streameval.report.results import Results
from streameval.report.tables import number_text

#: Bins that the paper names; "closer to bin 40" is at most so far from it.
_HALFWAY, _NEAR, _AROUND = 25, 40, 10
#: The instances of forest cover type, by Section 5.1.
INSTANCES = 581_383


def _none_linear(found: Accuracies) -> list[Condition]:
    straight = [is_linear(name, found, LINEAR) for name in TRAINED]
    bent = [one.numbers for one in straight if not one.holds]
    text = f"{len(bent)} of {len(TRAINED)} learners are below {LINEAR}: {', '.join(bent)}"
    return [Condition(bool(bent), text)]


def _similar_first(found: Accuracies) -> list[Condition]:
    pairs = [(KNN, TREE), (KNN, ADAPTIVE), (TREE, ADAPTIVE)]
    gaps = [found.gap(Cell(one, FIRST), Cell(other, FIRST)) for one, other in pairs]
    return [
        Condition(gap.within(APART), f"{one} less {other} in bin 0 {gap.text}")
        for (one, other), gap in zip(pairs, gaps, strict=True)
    ]


def _majority_stays(found: Accuracies) -> list[Condition]:
    curve = found.curve(MAJORITY)
    away = float(np.abs(curve - curve[FIRST]).max())
    text = f"{MAJORITY} is at most {number_text(away)} from its accuracy in bin 0"
    return [Condition(away <= NEARLY, text)]


def _gains_differ(found: Accuracies) -> list[Condition]:
    gain = {
        name: found.gap(Cell(name, LAST), Cell(name, FIRST)).value
        for name in (TREE, KNN, NAIVE_BAYES)
    }
    pairs = [(KNN, TREE), (KNN, NAIVE_BAYES), (TREE, NAIVE_BAYES)]
    return [
        Condition(
            abs(gain[one] - gain[other]) > APART,
            f"the gain of {one} less that of {other} {number_text(gain[one] - gain[other])}",
        )
        for one, other in pairs
    ]


def _sometimes_lower(found: Accuracies) -> list[Condition]:
    gaps = {b: found.gap(Cell(ADAPTIVE, b), Cell(KNN, b)) for b in range(found.bins)}
    best = max(gaps, key=lambda b: gaps[b].value)
    higher = sum(gap.value > 0 for gap in gaps.values())
    proven = any(gap.above() for gap in gaps.values())
    text = (
        f"{ADAPTIVE} is more accurate than {KNN} in {higher} of {found.bins} bins; most in bin "
        f"{best}, by {gaps[best].text}"
    )
    return [Condition(True if proven else None if higher else False, text)]


def _other_best(found: Accuracies) -> list[Condition]:
    first = max(ALL, key=lambda name: found.curve(name)[FIRST])
    last = max(ALL, key=lambda name: found.curve(name)[LAST])
    if first == last:
        return [Condition(False, f"{first} is the most accurate one in bin 0 and in the last bin")]
    return [
        found.above(Cell(first, FIRST), Cell(last, FIRST)),
        found.above(Cell(last, LAST), Cell(first, LAST)),
    ]


def _outperform_late(found: Accuracies) -> list[Condition]:
    conditions = []
    for name in (ADAPTIVE, FOREST):
        ahead = found.curve(name) > found.curve(NAIVE_BAYES)
        since = int(np.flatnonzero(ahead)[0]) if ahead.any() else found.bins
        text = f"{name} is first more accurate than {NAIVE_BAYES} in bin {since}"
        conditions.append(Condition(abs(since - _NEAR) <= _AROUND, text))
    return conditions


def _typically_better_late(results: Results) -> Outcome:
    outcome = of_figures(tuple(FIGURES), all_above(gains((KNN,), FIRST, LATE)))(results)
    if isinstance(outcome, str) or len(outcome) < len(FIGURES):
        return outcome if isinstance(outcome, str) else "; ".join(one.numbers for one in outcome)
    signs = [one.holds for one in outcome]
    text = f"on {signs.count(True)} of {len(signs)} streams, undecided {signs.count(None)}: "
    return [Condition(most_hold(signs), text + "; ".join(one.numbers for one in outcome))]


def _instances_of_covertype(results: Results) -> Outcome:
    found = results.find("zliobaite2015/table3", COVERTYPE, "instances")
    if found.reason:
        return found.reason
    text = f"{COVERTYPE}: {number_text(int(found.value))} instances"
    return [Condition(found.value == INSTANCES, text)]


BY_BINS: Mapping[str, Predicate] = {
    "no_linear_trend": Predicate(
        "on airlines and on electricity there is a trained learner of whose accuracies a straight "
        f"line over all bins explains less than {100 * LINEAR:g} % of the variance",
        of_figures((AIRLINES, ELECTRICITY), _none_linear),
        all_labels(AIRLINES, ELECTRICITY),
        universal=True,
    ),
    "airlines_best_last": Predicate(
        "in the last bin k-NN is more accurate than Naive Bayes and the forest, and each of the "
        f"three than the other four; {BY_BIN}",
        of_figure(
            AIRLINES,
            all_above(
                [
                    *each_above((KNN,), (NAIVE_BAYES, FOREST), LAST),
                    *each_above(
                        (KNN, NAIVE_BAYES, FOREST), (TREE, ADAPTIVE, *PAPER_BASELINES), LAST
                    ),
                ]
            ),
        ),
        all_labels(AIRLINES),
        universal=True,
    ),
    "airlines_similar_first": Predicate(
        f"in bin 0 the accuracies of k-NN and both trees are within {APART} of each other; "
        f"{BY_BIN}",
        of_figure(AIRLINES, _similar_first),
        all_labels(AIRLINES),
        universal=True,
    ),
    "airlines_benefit": Predicate(
        "Naive Bayes, k-NN and the forest are each more accurate in the last bin than in bin 0; "
        f"{BY_BIN}",
        of_figure(AIRLINES, all_above(gains((NAIVE_BAYES, KNN, FOREST), FIRST, LAST))),
        all_labels(AIRLINES),
        universal=True,
    ),
    "airlines_majority_stays": Predicate(
        f"in no bin the accuracy of Majority is more than {NEARLY} from that in bin 0",
        of_figure(AIRLINES, _majority_stays),
        all_labels(AIRLINES),
        universal=True,
    ),
    "airlines_gains_differ": Predicate(
        "the accuracies in the last bin less those in bin 0, of the Hoeffding tree, k-NN and Naive "
        f"Bayes, differ by more than {APART} from each other",
        of_figure(AIRLINES, _gains_differ),
        all_labels(AIRLINES),
        universal=True,
    ),
    "electricity_no_change_last": Predicate(
        f"in the last bin No-Change is more accurate than each other learner; {BY_BIN}",
        of_figure(ELECTRICITY, all_above(each_above((NO_CHANGE,), (*TRAINED, MAJORITY), LAST))),
        all_labels(ELECTRICITY),
        universal=True,
    ),
    "electricity_knn_first": Predicate(
        f"in bin 0 k-NN is more accurate than each other learner; {BY_BIN}",
        of_figure(ELECTRICITY, all_above(each_above((KNN,), ALL, FIRST))),
        all_labels(ELECTRICITY),
        universal=True,
    ),
    "electricity_hat_above_knn": Predicate(
        "in some bin the adaptive tree is more accurate than k-NN; it fails if it is in no bin, "
        f"by the accuracies themselves; {BY_BIN}",
        of_figure(ELECTRICITY, _sometimes_lower),
        all_labels(ELECTRICITY),
    ),
    "electricity_knn_falls": Predicate(
        f"k-NN is less accurate in bin {LATE} than in bin 0, by more than {APART}; {BY_BIN}",
        of_figure(ELECTRICITY, all_above([(Cell(KNN, FIRST), Cell(KNN, LATE))], APART)),
        all_labels(ELECTRICITY),
    ),
    "electricity_other_best": Predicate(
        "the most accurate learner in bin 0 is another one than that in the last bin, each more "
        f"accurate than the other one there; {BY_BIN}",
        of_figure(ELECTRICITY, _other_best),
        all_labels(ELECTRICITY),
        universal=True,
    ),
    "electricity_best_before_label": Predicate(
        f"k-NN and the adaptive tree are each more accurate in the last bin than in bins 0, "
        f"{_HALFWAY} and {LATE}, over all labels; {BY_BIN}",
        of_figure(
            ELECTRICITY,
            all_above(
                pair for b in (FIRST, _HALFWAY, LATE) for pair in gains((KNN, ADAPTIVE), b, LAST)
            ),
        ),
        all_labels(ELECTRICITY),
        universal=True,
    ),
    "covertype_naive_bayes_first": Predicate(
        f"in bin 0 Naive Bayes is more accurate than each other learner; {BY_BIN}",
        of_figure(COVERTYPE, all_above(each_above((NAIVE_BAYES,), ALL, FIRST))),
        all_labels(COVERTYPE),
        universal=True,
    ),
    "covertype_outperformed_late": Predicate(
        "the first bin in which the adaptive tree, and that in which the forest, is more accurate "
        f"than Naive Bayes is at most {_AROUND} bins from bin {_NEAR}",
        of_figure(COVERTYPE, _outperform_late),
        all_labels(COVERTYPE),
        universal=True,
    ),
    "covertype_instances": Predicate(
        f"the stream of our figure has {INSTANCES:,} instances", _instances_of_covertype
    ),
    "covertype_rise_late": Predicate(
        f"the forest and k-NN are each more accurate in the last bin than in bin {LATE}, by more "
        f"than {APART}, and in bin {LATE} than in bin 0; {BY_BIN}",
        of_figure(
            COVERTYPE,
            lambda found: [
                *all_above(gains((FOREST, KNN), LATE, LAST), APART)(found),
                *all_above(gains((FOREST, KNN), FIRST, LATE))(found),
            ],
        ),
        all_labels(COVERTYPE),
        universal=True,
    ),
    "last_bin_optimistic": Predicate(
        "on each of the six streams each of the seven learners is more accurate in the last bin "
        f"than in bins 0 and {LATE}; {BY_BIN}",
        of_figures(
            tuple(FIGURES),
            all_above(pair for b in (FIRST, LATE) for pair in gains(ALL, b, LAST)),
        ),
        all_labels(AIRLINES, ELECTRICITY),
        universal=True,
    ),
    "knn_better_late": Predicate(
        f"k-NN is more accurate in bin {LATE} than in bin 0 on more than half of the six streams; "
        f"{BY_BIN}",
        _typically_better_late,
        all_labels(AIRLINES, ELECTRICITY),
    ),
}
