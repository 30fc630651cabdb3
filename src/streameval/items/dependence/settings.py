"""Settings of kinds: dependence of labels, and what learners gain from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from streameval.evaluation.roles import NO_CHANGE
from streameval.items.kind import Kind
from streameval.items.settings import (
    Count,
    IgnoreLabelTimes,
    Learners,
    Measures,
    OfStreams,
    Points,
    Seed,
    Seeds,
    Window,
)
from streameval.plain_data import ONCE


class DependenceSettings(OfStreams, frozen=True, kw_only=True):
    """How much each label depends on the ones before."""

    orders: Annotated[Count, Meta(description="The largest number of lagged labels.")]


class ClassDistributionSettings(OfStreams, frozen=True, kw_only=True):
    """The proportions of the classes over time, and the autocorrelation of the label."""

    window: Window = 1000
    lags: Annotated[Count, Meta(description="The longest lag of the autocorrelation.")] = 100
    period: Annotated[
        Annotated[int, Meta(ge=2, le=2**31 - 1)] | None,
        Meta(description="Instances in a natural period, such as a day, to be marked."),
    ] = None
    points: Points = 500


class ClassCharacteristicsSettings(OfStreams, frozen=True, kw_only=True):
    """Proportions of the largest classes, and the accuracies of the two baselines."""

    ignore_label_times: IgnoreLabelTimes = False

    def learners_read(self) -> Sequence[str]:
        """See `Settings`."""
        return ["no_change"]


class StreamCharacteristicsSettings(OfStreams, frozen=True, kw_only=True):
    """Size and temporal dependence of streams."""


_Lags = Annotated[
    tuple[Annotated[int, Meta(ge=0, le=1000)], ...],
    Meta(min_length=1, extra_json_schema=ONCE),
]


class Lags(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many lagged labels a learner is given in which way."""

    labels: Annotated[_Lags | None, Meta(description="As inputs.")] = None
    labels_and_inputs: Annotated[
        _Lags | None, Meta(description="As inputs, with the inputs of as many instances.")
    ] = None
    correction: Annotated[
        _Lags | None, Meta(description="For the Temporal Correction of the scores.")
    ] = None


class LagsSettings(OfStreams, frozen=True, kw_only=True):
    """Learners that are given more and more lagged labels."""

    ignore_label_times: IgnoreLabelTimes = False
    learners: Learners
    measures: Measures
    lags: Annotated[
        Lags,
        Meta(
            description="How many lagged labels are given in which way; 0 is the learner alone.",
            extra_json_schema={"minProperties": 1},
        ),
    ]
    times: Annotated[
        bool,
        Meta(description="Show times and sizes too; no two runs draw the same picture then."),
    ] = False

    def learners_run(self) -> Sequence[str]:
        """See `Settings`: gains are over No-Change."""
        return (NO_CHANGE,)

    def learner_runs(self) -> int:
        """See `Settings`."""
        given = (self.lags.labels, self.lags.labels_and_inputs, self.lags.correction)
        return len(self.learners) * sum(len(lags) for lags in given if lags)

    def lagged(self) -> tuple[int, bool]:
        """See `Settings`."""
        with_inputs = max(self.lags.labels_and_inputs or (0,))
        return max(with_inputs, *(self.lags.labels or (0,))), with_inputs > 0

    def shows_times(self) -> bool:
        """See `Settings`."""
        return self.times


class OrderSettings(OfStreams, frozen=True, kw_only=True):
    """The part of accuracy that is owed to the order of instances."""

    ignore_label_times: IgnoreLabelTimes = False
    learners: Learners
    sizes: Annotated[
        tuple[Annotated[int, Meta(ge=2, le=2**31 - 1)], ...],
        Meta(
            description="Sizes of the blocks inside which instances keep their order.",
            min_length=1,
            extra_json_schema=ONCE,
        ),
    ]
    seeds: Annotated[
        tuple[Seed, ...],
        Meta(
            description="Each gives its own permutation; at least two, for an interval.",
            min_length=2,
            extra_json_schema=ONCE,
        ),
    ]

    def learner_runs(self) -> int:
        """See `Settings`."""
        return len(self.learners) * len(self.seeds) * (len(self.sizes) + 3)

    def words(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {"seeds": len(self.seeds)}


class FalseAlarmsSettings(OfStreams, frozen=True, kw_only=True):
    """The accuracy of Naive Bayes that resets at random."""

    ignore_label_times: IgnoreLabelTimes = False
    probabilities: Annotated[
        tuple[Annotated[float, Meta(gt=0, le=1)], ...],
        Meta(
            description="Probabilities of a false alarm at an instance.",
            min_length=1,
            extra_json_schema=ONCE,
        ),
    ]
    seeds: Annotated[Seeds, Meta(description="Each gives its own alarms and permutations.")]

    def learners_run(self) -> Sequence[str]:
        """See `Settings`."""
        return ("no_change", "naive_bayes", "ddm_nb", "ddm_random")

    def learner_runs(self) -> int:
        """See `Settings`."""
        return 3 * len(self.seeds) * (len(self.probabilities) + 3)

    def words(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {"seeds": len(self.seeds)}


KINDS = (
    Kind(
        name="dependence",
        study="labels",
        drawing="draw_labels",
        settings=DependenceSettings,
        reads="stream",
        frames={"dependence": ("class", "order", "cases", "share", "delta")},
    ),
    Kind(
        name="class_distribution",
        study="labels",
        drawing="draw_labels",
        settings=ClassDistributionSettings,
        reads="stream",
        frames={
            "prior": ("instance", "class", "share"),
            "autocorrelation": ("lag", "autocorrelation"),
        },
    ),
    Kind(
        name="class_characteristics",
        settings=ClassCharacteristicsSettings,
        reads="predictions",
        columns=("stream", "simulated", "measure", "value"),
    ),
    Kind(
        name="stream_characteristics",
        settings=StreamCharacteristicsSettings,
        reads="stream",
        columns=("stream", "simulated", "instances", "attributes", "classes", "P(M)", "P(T)"),
    ),
    Kind(
        name="lags",
        settings=LagsSettings,
        reads="stream",
        trains="classifiers",
        frames={
            "lags": ("learner", "kind", "lags", "measure", "value", "reason"),
            "costs": ("learner", "kind", "lags", "instances", "seconds", "model_bytes"),
        },
        times=("costs",),
    ),
    Kind(
        name="order",
        drawing="draw_orders",
        settings=OrderSettings,
        reads="stream",
        trains="classifiers",
        frames={
            "order": ("learner", "variant", "size", "seed", "accuracy"),
            "shares": ("learner", "part", "size", "mean", "low", "high", "seeds"),
        },
    ),
    Kind(
        name="false_alarms",
        drawing="draw_orders",
        settings=FalseAlarmsSettings,
        reads="stream",
        trains="classifiers",
        frames={"false_alarms": ("variant", "seed", "learner", "probability", "accuracy")},
    ),
)
