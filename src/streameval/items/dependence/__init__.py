"""Temporal dependence of labels, and the accuracy that learners gain from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from streameval.evaluation.roles import NO_CHANGE
from streameval.items.kind import ItemKind
from streameval.items.settings import (
    NON_EMPTY_UNIQUE,
    Count,
    IgnoreLabelTimes,
    LearnerItemSettings,
    Measures,
    Points,
    Seeds,
    StreamItemSettings,
    StudyCost,
    Window,
)

#: Columns of the measures by number of lagged labels; `kind` is a field of `Lags`.
LAGS = ("learner", "kind", "lags", "measure", "value", "reason")
#: Columns of the costs of the runs in `LAGS`.
COSTS = ("learner", "kind", "lags", "instances", "seconds", "model_bytes")
#: Orders of a stream in the study of false alarms. Each seed makes a temporal and a shuffled order.
STREAM_ORDERS = ("original", "temporal", "shuffled")
#: Columns of the accuracies under false alarms; `variant` is one of `STREAM_ORDERS`.
FALSE_ALARMS = ("variant", "seed", "learner", "probability", "accuracy")


class DependenceSettings(StreamItemSettings, frozen=True, kw_only=True):
    """Dependence of a label on the previous labels."""

    orders: Annotated[Count, Meta(description="The largest number of lagged labels.")]


class ClassDistributionSettings(StreamItemSettings, frozen=True, kw_only=True):
    """Proportions of the classes over time, and autocorrelation of the label."""

    window: Window = 1000
    lags: Annotated[Count, Meta(description="The longest lag of the autocorrelation.")] = 100
    period: Annotated[
        Annotated[int, Meta(ge=2, le=2**31 - 1)] | None,
        Meta(
            description=(
                "Length of a natural period, such as a day, in instances; its multiples are marked."
            )
        ),
    ] = None
    points: Points = 500


class ClassCharacteristicsSettings(StreamItemSettings, frozen=True, kw_only=True):
    """Proportions of the largest classes, and the accuracies of the two baselines."""

    ignore_label_times: IgnoreLabelTimes = False

    def evaluated_learners(self) -> Sequence[str]:
        """See `Settings`."""
        return ["no_change"]


class StreamCharacteristicsSettings(StreamItemSettings, frozen=True, kw_only=True):
    """Size and temporal dependence of streams."""


_Lags = Annotated[
    tuple[Annotated[int, Meta(ge=0, le=1000)], ...],
    NON_EMPTY_UNIQUE,
]


class Lags(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Numbers of lagged labels, by how a learner uses them."""

    labels: Annotated[_Lags | None, Meta(description="Lagged labels are inputs.")] = None
    labels_and_inputs: Annotated[
        _Lags | None, Meta(description="Lagged labels and as many lagged inputs are inputs.")
    ] = None
    correction: Annotated[
        _Lags | None, Meta(description="Lagged labels correct the scores (Temporal Correction).")
    ] = None


class LagsSettings(LearnerItemSettings, frozen=True, kw_only=True):
    """Learners by the number of lagged labels that they use."""

    measures: Measures
    lags: Annotated[
        Lags,
        Meta(
            description="Numbers of lagged labels, for each way to use them; 0 is the learner "
            "without them.",
            extra_json_schema={"minProperties": 1},
        ),
    ]
    times: Annotated[
        bool,
        Meta(description="Also draw times and sizes, which differ from run to run."),
    ] = False

    def extra_learners(self) -> Sequence[str]:
        """See `Settings`: No-Change is the baseline of the figure."""
        return (NO_CHANGE,)

    def cost(self) -> StudyCost:
        """See `Settings`."""
        lag_lists = (self.lags.labels, self.lags.labels_and_inputs, self.lags.correction)
        runs = len(self.learners) * sum(len(lags) for lags in lag_lists if lags)
        most_inputs = max(self.lags.labels_and_inputs or (0,))
        return StudyCost(
            runs,
            # Corrections add no inputs.
            lags=max(most_inputs, *(self.lags.labels or (0,))),
            lagged_inputs=most_inputs > 0,
        )


class FalseAlarmsSettings(StreamItemSettings, frozen=True, kw_only=True):
    """Accuracy of Naive Bayes with random resets."""

    ignore_label_times: IgnoreLabelTimes = False
    probabilities: Annotated[
        tuple[Annotated[float, Meta(gt=0, le=1)], ...],
        NON_EMPTY_UNIQUE,
        Meta(description="Probabilities of a false alarm at an instance."),
    ]
    seeds: Annotated[Seeds, Meta(description="Seeds, each with its own alarms and permutations.")]

    def extra_learners(self) -> Sequence[str]:
        """See `Settings`."""
        return ("no_change", "naive_bayes", "ddm_nb", "ddm_random")

    def cost(self) -> StudyCost:
        """See `Settings`."""
        n_without_alarms = 3  # learners without random alarms
        runs_by_order = len(self.seeds) * (len(self.probabilities) + n_without_alarms)
        return StudyCost(len(STREAM_ORDERS) * runs_by_order)


KINDS = (
    ItemKind(
        name="dependence",
        study="dependence",
        settings=DependenceSettings,
        reads="stream",
        frames={"dependence": ("class", "order", "cases", "proportion", "delta")},
    ),
    ItemKind(
        name="class_distribution",
        study="class_distribution",
        marks_drifts=True,
        by_entity=True,
        settings=ClassDistributionSettings,
        reads="stream",
        frames={
            "prior": ("instance", "class", "proportion"),
            "autocorrelation": ("lag", "autocorrelation"),
        },
    ),
    ItemKind(
        name="class_characteristics",
        study="show",
        settings=ClassCharacteristicsSettings,
        reads="predictions",
        columns=("stream", "simulated", "measure", "value"),
    ),
    ItemKind(
        name="stream_characteristics",
        study="show",
        settings=StreamCharacteristicsSettings,
        reads="stream",
        columns=("stream", "simulated", "instances", "attributes", "classes", "P(M)", "P(T)"),
    ),
    ItemKind(
        name="lags",
        study="lags",
        by_entity=True,
        settings=LagsSettings,
        reads="stream",
        trains="classifiers",
        frames={
            "lags": LAGS,
            "costs": COSTS,
        },
        times=("costs",),
    ),
    ItemKind(
        name="false_alarms",
        study="false_alarms",
        settings=FalseAlarmsSettings,
        reads="stream",
        trains="classifiers",
        frames={"false_alarms": FALSE_ALARMS},
    ),
)
