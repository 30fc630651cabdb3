"""The claims of Grzenda et al. (2019), Section 5.2, about accuracies on generated streams."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import scipy

from streameval.papers.grzenda2019.accuracies import (
    ADAPTIVE,
    AGRAWAL,
    ALL,
    BY_BIN,
    FIGURES,
    FIRST,
    FOREST,
    HYPERPLANE,
    KNN,
    LAST,
    LATE,
    LED,
    NAIVE_BAYES,
    PAPER_BASELINES,
    TRAINED,
    TREE,
    Accuracies,
    Cell,
    all_above,
    each_above,
    gains,
    is_linear,
    of_figure,
)
from streameval.papers.grzenda2019.published import APART, LINEAR, TREND
from streameval.report.claims import Condition, Outcome, Predicate, of_traces
from streameval.report.results import Results
from streameval.report.tables import number_text

_BEST_FIRST = (NAIVE_BAYES, TREE, ADAPTIVE, FOREST)
#: A bin that Figure 10 shows, the latency in the text on Figure 9, and the label from which the
#: text on Figure 10 counts.
_HALFWAY, LATENCY, DRIFT = 25, 500, 2000
#: How many attributes of Agrawal are nominal and how many continuous, by Section 5.1.
KINDS_OF_ATTRIBUTES = (6, 3)


def _grows(found: Accuracies) -> list[Condition]:
    spans = {name: float(np.ptp(found.curve(name))) for name in ALL}
    least = min(spans[name] for name in TRAINED)
    stable = [
        Condition(spans[name] < least, f"{name} spans {number_text(spans[name])} over bins, the "
                  f"trained learners at least {number_text(least)}")
        for name in PAPER_BASELINES
    ]  # fmt: skip
    return [*all_above(gains(TRAINED, FIRST, LAST))(found), *stable]


def _linear(found: Accuracies) -> list[Condition]:
    return [is_linear(name, found, LINEAR) for name in TRAINED]


def _trends(found: Accuracies) -> dict[str, float]:
    """Return the rank correlation of accuracy and bin, by trained learner."""
    return {
        name: float(scipy.stats.spearmanr(np.arange(found.bins), found.curve(name)).statistic)
        for name in TRAINED
    }


def _closer_is_better(found: Accuracies) -> list[Condition]:
    trends = _trends(found)
    rising = [
        Condition(trend >= TREND, f"rank correlation of {name} with the bin {number_text(trend)}")
        for name, trend in trends.items()
    ]
    return [*all_above(gains(TRAINED, FIRST, LAST))(found), *rising]


def _is_not_simple(found: Accuracies) -> list[Condition]:
    trends = _trends(found)
    least = min(trends, key=lambda name: trends[name])
    text = (
        f"rank correlation of {least} with the bin {number_text(trends[least])}, the least of five"
    )
    return [Condition(trends[least] < TREND, text)]


def _attributes(results: Results) -> Outcome:
    return of_traces(results, FIGURES[AGRAWAL], "size", (AGRAWAL,), _kinds_of_attributes)


def _kinds_of_attributes(size: pd.DataFrame, stream: str) -> Outcome:
    from streameval.streams.generators.agrawal import agrawal  # claims are read without

    attributes = agrawal(1).schema.attributes
    nominal = sum(one.is_nominal for one in attributes)
    text = f"{stream}: {nominal} nominal and {len(attributes) - nominal} numeric attributes"
    return [Condition((nominal, len(attributes) - nominal) == KINDS_OF_ATTRIBUTES, text)]


def _late_beat_first(found: Accuracies) -> list[Condition]:
    best = max(ALL, key=lambda name: found.curve(name)[FIRST])
    return [found.above(Cell(name, LATE), Cell(best, FIRST)) for name in (TREE, ADAPTIVE)]


def _latency(results: Results) -> Outcome:
    return of_traces(results, FIGURES[AGRAWAL], "size", (AGRAWAL,), _waiting)


def _waiting(size: pd.DataFrame, stream: str) -> Outcome:
    latency = latency_of(stream)
    labels = number_text(int(size["labels"].iloc[0]))
    text = f"{stream}: {labels} labels, each {number_text(latency)} instances late"
    return [Condition(latency == LATENCY, text)]


def latency_of(stream: str) -> int:
    """Return the label delay of a generated stream, in instances."""
    from streameval.streams.registry import GeneratorSpec, load_registry  # claims are read without

    spec = load_registry(check_options=False)[stream]
    return (isinstance(spec, GeneratorSpec) and spec.label_delay) or 0


def _after_the_drift(results: Results) -> Outcome:
    return of_traces(results, FIGURES[AGRAWAL], "stages", (AGRAWAL,), _improves_or_not)


def _improves_or_not(stages: pd.DataFrame, stream: str) -> Outcome:
    conditions = []
    for learner, sign in ((KNN, 1), (ADAPTIVE, -1)):
        own = stages[(stages["learner"] == learner) & (stages["bin"] == LATE)]
        own = own[own["labels"] >= DRIFT].sort_values("labels")
        if own.empty:
            return f"{stream}: the figure of this run does not have bin {LATE} of {learner}"
        accuracy = (own["correct"] / own["labels"]).to_numpy(dtype=float)
        text = (
            f"{stream}: accuracy so far of {learner} in bin {LATE} from {number_text(accuracy[0])} "
            f"after {number_text(int(own['labels'].iloc[0]))} labels to {number_text(accuracy[-1])}"
        )
        conditions.append(Condition(bool(sign * (accuracy[-1] - accuracy[0]) > 0), text))
    return conditions


OF_GENERATED: Mapping[str, Predicate] = {
    "hyperplane_best_first": Predicate(
        "in bin 0 Naive Bayes, the Hoeffding tree, the adaptive tree and the forest are each more "
        f"accurate than k-NN, No-Change and Majority; {BY_BIN}",
        of_figure(HYPERPLANE, all_above(each_above(_BEST_FIRST, (KNN, *PAPER_BASELINES), FIRST))),
        universal=True,
    ),
    "hyperplane_grows": Predicate(
        "each of the five trained learners is more accurate in the last bin than in bin 0, and "
        "the accuracies of No-Change and Majority span less over all bins than those of each of "
        f"the five; {BY_BIN}",
        of_figure(HYPERPLANE, _grows),
        universal=True,
    ),
    "hyperplane_linear": Predicate(
        f"a straight line over all bins explains at least {100 * LINEAR:g} % of the variance of "
        "the accuracies of each of the five trained learners",
        of_figure(HYPERPLANE, _linear),
        universal=True,
    ),
    "led_increases": Predicate(
        "each of the five trained learners is more accurate in the last bin than in bin 0, and its "
        f"accuracy and the bin have a rank correlation of at least {TREND}; {BY_BIN}",
        of_figure(LED, _closer_is_better),
        universal=True,
    ),
    "agrawal_increases": Predicate(
        "each of the five trained learners is more accurate in bin B, the last one before the "
        f"label, than in bin 0, by more than {APART}; {BY_BIN}",
        of_figure(AGRAWAL, all_above(gains(TRAINED, FIRST, LAST - 1), APART)),
        universal=True,
    ),
    "agrawal_late_beat_first": Predicate(
        f"both trees are more accurate in bin {LATE} than the most accurate learner is in bin 0; "
        f"{BY_BIN}",
        of_figure(AGRAWAL, _late_beat_first),
        universal=True,
    ),
    "agrawal_not_simple": Predicate(
        "of at least one of the five trained learners the accuracy and the bin have a rank "
        f"correlation below {TREND}",
        of_figure(AGRAWAL, _is_not_simple),
    ),
    "agrawal_attributes": Predicate(
        f"the generator of our figure, whose accuracies Table 1 has, has {KINDS_OF_ATTRIBUTES[0]} "
        f"nominal and {KINDS_OF_ATTRIBUTES[1]} numeric attributes",
        _attributes,
    ),
    "agrawal_latency": Predicate(
        f"the stream of our figure, whose accuracies Table 1 has, has labels {LATENCY} instances "
        "late",
        _latency,
    ),
    "agrawal_hat_best_late": Predicate(
        f"over all labels the adaptive tree is more accurate in bin {LATE} and in the last bin "
        f"than in bins 0 and {_HALFWAY}, and than k-NN in bins 0, {_HALFWAY}, {LATE} and the last "
        f"one; {BY_BIN}",
        of_figure(
            AGRAWAL,
            all_above(
                (Cell(ADAPTIVE, end), Cell(other, b))
                for end in (LATE, LAST)
                for other, shown in (
                    (ADAPTIVE, (FIRST, _HALFWAY)),
                    (KNN, (FIRST, _HALFWAY, LATE, LAST)),
                )
                for b in shown
            ),
        ),
        universal=True,
    ),
    "agrawal_after_drift": Predicate(
        f"of the accuracies so far in bin {LATE}, that of k-NN is higher after all labels than "
        f"after {DRIFT}, and that of the adaptive tree is lower",
        _after_the_drift,
    ),
}
