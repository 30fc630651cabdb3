"""Pending labels: their classes and delays, and estimates of accuracy without them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from streameval.base.errors import error_prefix
from streameval.evaluation.roles import CLASSIFICATION_BASELINES
from streameval.items.kind import ItemKind
from streameval.items.settings import (
    NON_EMPTY_UNIQUE,
    Count,
    DerivedItemSettings,
    LearnerItemSettings,
    Learners,
    ReevaluationItemSettings,
    RepredictionItemSettings,
    StreamItemSettings,
    StudyCost,
)
from streameval.streams.delay_laws import DelayLaw

UnitName = Annotated[
    str,
    Meta(
        description="Unit of the times in the item. For dates: days, hours, minutes or seconds; "
        "default: the unit that fits. For times without dates: a name for their unit."
    ),
]


#: Ages with fewer instances at risk are not shown.
MIN_AT_RISK = 100


# Columns of the frames of `label_waiting`. Instances that have arrived at a stop are ``begun``.
CLASSES = ("labels", "time", "class", "arrived", "pending")
LATENCY = ("class", "labels", "fraction", "latency", "unit")
STOPPING = (
    *("labels", "time", "learner", "window", "begun", "pending"),
    *("arrived_accuracy", "pending_accuracy", "accuracy", "bias"),
)
#: Columns of the frame of `evolving_inputs`, without the unit.
INPUTS = (
    *("learner", "variant", "age", "at_risk", "accuracy", "low", "high"),
    *("gain", "gain_low", "gain_high"),
)
#: Columns of the frame of `censored_accuracy`.
CENSORED = ("law", "learner", "estimator", "run", "arrived", "truth", "estimate")
#: Columns of the frame of `delays`.
DELAYS = (
    *("delay", "learner", "option", "measure", "value", "reason"),
    *("gain", "low", "high"),
)


class LabelWaitingSettings(ReevaluationItemSettings, frozen=True, kw_only=True):
    """Pending labels: their classes, their delays, and the bias of stopping."""

    learners: Learners
    stops: Annotated[
        Count,
        Meta(
            description="Maximum number of times at which evaluation could stop, at equal numbers "
            "of labels. At the last time the number of labels in `labels` has arrived; later "
            "labels are used, too."
        ),
    ] = 120
    window: Annotated[Count, Meta(description="Length of the window, in instances.")] = 500

    unit: UnitName = ""

    def cost(self) -> StudyCost:
        """See `Settings`: every instance is predicted twice."""
        return StudyCost(2 * len(self.learners))


class WaitingClassesSettings(DerivedItemSettings, frozen=True, kw_only=True):
    """Classes of arrived and of pending labels, and their delays."""


class StoppingBiasSettings(DerivedItemSettings, frozen=True, kw_only=True):
    """Bias of the accuracy over the labels that have arrived."""


#: Text in captions on what an age measures, by clock.
_CLOCKS = {
    "time": "the time",
    "labels": "the number of labels that have arrived",
    "instances": "the number of instances that have arrived",
}


class AccuracyByAgeSettings(RepredictionItemSettings, frozen=True, kw_only=True):
    """Accuracy by the time since an instance has arrived, with the number at risk."""

    clock: Annotated[
        Literal["time", "labels", "instances"],
        Meta(description="Clock of the ages, from the arrival of an instance."),
    ] = "time"
    unit: UnitName = ""
    ages: Annotated[Count, Meta(description="Maximum number of ages, at equal distances.")] = 60

    def caption_values(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {"since": _CLOCKS[self.clock]}


class EvolvingInputsSettings(RepredictionItemSettings, frozen=True, kw_only=True):
    """Inputs that change while labels are pending: elapsed time, and attributes known later."""

    known_at: Annotated[
        dict[str, str],
        Meta(
            description="For each attribute that becomes known after arrival, the attribute with "
            "the time at which it becomes known. Times are not inputs."
        ),
    ] = msgspec.field(default_factory=dict)
    unit: UnitName = ""
    ages: Annotated[Count, Meta(description="Maximum number of ages, at equal distances.")] = 40

    def cost(self) -> StudyCost:
        """See `Settings`: about five predictions per instance, in up to six variants."""
        return StudyCost(30 * len(self.learners))

    def caption_values(self) -> Mapping[str, object]:
        """See `Settings`."""
        later = ", ".join(self.known_at)
        return {"known_later": f" Known later: {later}." if later else ""}


class CensoredAccuracySettings(StreamItemSettings, frozen=True, kw_only=True):
    """Estimates of accuracy with missing labels, weighted or not, against the true accuracy."""

    learners: Learners
    laws: Annotated[
        dict[str, DelayLaw], Meta(description="Laws of label delays, by name.", min_length=1)
    ]
    instances: Annotated[
        Count,
        Meta(
            description="Length of each run: evaluation stops when the last instance arrives. "
            "Drifts are at the same fractions of a run as of the stream."
        ),
    ] = 4000
    runs: Annotated[
        int, Meta(description="Runs, each with its own instances and delays.", ge=2, le=2**31 - 1)
    ] = 20

    def cost(self) -> StudyCost:
        """See `Settings`."""
        return StudyCost(self.runs * len(self.laws) * len(self.learners))

    def rows(self, rows: int) -> int:
        """See `Settings`."""
        return self.instances


class CensoredTableSettings(DerivedItemSettings, frozen=True, kw_only=True):
    """Errors of estimates of accuracy with missing labels."""


class DelaysSettings(LearnerItemSettings, frozen=True, kw_only=True):
    """Learners with delayed labels, and substitutes for the previous label."""

    delays: Annotated[
        tuple[Annotated[int, Meta(ge=0, le=2**31 - 1)], ...],
        NON_EMPTY_UNIQUE,
        Meta(
            description="Label delays: numbers of instances that arrive before a label is known. "
            "With 0, it is known before the next prediction."
        ),
    ]

    def extra_learners(self) -> Sequence[str]:
        """See `Settings`."""
        return CLASSIFICATION_BASELINES

    def cost(self) -> StudyCost:
        """See `Settings`."""
        n_options = 4  # the `delays.OPTIONS`
        return StudyCost(n_options * len(self.learners) * len(self.delays))

    def setting_faults(self, registry: Mapping[str, Any]) -> Iterator[str]:
        """See `Settings`."""
        for name in self.learners:
            if name in CLASSIFICATION_BASELINES:
                yield f"the study always runs {name!r}. Leave it out of the item's `learners`."
            elif registry[name].wrapper:
                yield (
                    f"the learner {name!r} has the wrapper {registry[name].wrapper!r}. Expected "
                    "learners without a wrapper, as the study adds its own wrappers. Name the "
                    "learner inside."
                )

    def check_learners(self, learners: Mapping[str, Any]) -> None:
        """See `Settings`."""
        # A plain import would make all kinds of this package depend on the module of this study.
        options = import_module(f"{__package__}.delays").OPTIONS
        for name in self.learners:
            with error_prefix(f"the study cannot run {name!r}"):
                for wrap in options.values():
                    wrap(learners[name])  # raises an error if the wrapper refuses the learner


KINDS = (
    ItemKind(
        name="label_waiting",
        study="label_waiting",
        settings=LabelWaitingSettings,
        reads="source",
        trains="classifiers",
        frames={
            "classes": CLASSES,
            "latency": LATENCY,
            "stopping": STOPPING,
            "size": ("labels", "simulated"),
        },
    ),
    ItemKind(
        name="waiting_classes",
        study="show",
        settings=WaitingClassesSettings,
        reads="label_waiting",
        columns=(
            *("stream", "simulated", "labels", "pending_labels", "class", "arrived", "pending"),
            *("arrived_fraction", "pending_fraction", "low", "median", "high", "unit"),
        ),
    ),
    ItemKind(
        name="stopping_bias",
        study="show",
        settings=StoppingBiasSettings,
        reads="label_waiting",
        columns=(
            *("stream", "simulated", "learner", "labels", "begun", "pending", "arrived_accuracy"),
            *("pending_accuracy", "accuracy", "bias"),
            *("window", "stops", "mean_pending", "window_bias", "low", "high"),
        ),
    ),
    ItemKind(
        name="accuracy_by_age",
        study="accuracy_by_age",
        settings=AccuracyByAgeSettings,
        reads="source",
        trains="classifiers",
        frames={
            "ages": (
                *("learner", "age", "at_risk", "pending", "accuracy", "low", "high"),
                *("gain", "gain_low", "gain_high"),
                *("overall", "overall_low", "overall_high", "unit"),
            )
        },
    ),
    ItemKind(
        name="evolving_inputs",
        study="evolving_inputs",
        settings=EvolvingInputsSettings,
        reads="source",
        trains="classifiers",
        frames={"inputs": (*INPUTS, "unit")},
    ),
    ItemKind(
        name="censored_accuracy",
        study="censored_accuracy",
        settings=CensoredAccuracySettings,
        reads="generator",
        trains="classifiers",
        frames={
            "censored": CENSORED,
            "size": ("instances", "simulated"),
        },
    ),
    ItemKind(
        name="censored_table",
        study="show",
        settings=CensoredTableSettings,
        reads="censored_accuracy",
        columns=(
            *("stream", "simulated", "law", "learner", "estimator", "runs"),
            *("arrived", "truth", "estimate", "error", "low", "high"),
        ),
    ),
    ItemKind(
        name="delays",
        study="delays",
        by_entity=True,
        settings=DelaysSettings,
        reads="stream",
        trains="classifiers",
        frames={"delays": DELAYS},
    ),
)
