"""Settings of kinds: labels that are pending."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from streameval.errors import ConfigError
from streameval.evaluation.roles import COMPARATORS
from streameval.items.kind import Kind
from streameval.items.settings import (
    Count,
    Every,
    IgnoreLabelTimes,
    Law,
    Learners,
    OfItems,
    OfReevaluation,
    OfStreams,
)
from streameval.plain_data import ONCE

UnitName = Annotated[
    str,
    Meta(
        description="What lengths of time are shown in. Times that are dates are in days, hours, "
        "minutes or seconds, whichever fits, unless one is named here. Of other times it is what "
        "one unit is called."
    ),
]


_AtRisk = Annotated[
    Count, Meta(description="Ages go as far as so many instances are still at risk.")
]


class LabelWaitingSettings(OfReevaluation, frozen=True, kw_only=True):
    """Labels that wait: their classes, how long they take, and the bias of stopping."""

    learners: Learners
    stops: Annotated[
        Count,
        Meta(
            description="Largest number of times at which evaluation could stop, at equal numbers "
            "of labels; the last one is at `labels`. What comes later counts as known."
        ),
    ] = 120
    window: Annotated[Count, Meta(description="How many of the latest instances a window has.")] = (
        500
    )

    unit: UnitName = ""

    def learner_runs(self) -> int:
        """See `Settings`: every instance is predicted twice."""
        return 2 * len(self.learners)


class WaitingClassesSettings(OfItems, frozen=True, kw_only=True):
    """The classes of labels that have arrived and that are pending, and how long they take."""


class StoppingBiasSettings(OfItems, frozen=True, kw_only=True):
    """The bias of an accuracy that counts only labels which have arrived."""


#: What an age counts, in captions.
_CLOCKS = {
    "time": "the time",
    "labels": "the number of labels that have arrived",
    "instances": "the number of instances that have arrived",
}


class AccuracyByAgeSettings(OfReevaluation, frozen=True, kw_only=True):
    """Accuracy by the time since an instance has arrived, with the number at risk."""

    learners: Learners
    every: Every = 10
    clock: Annotated[
        Literal["time", "labels", "instances"],
        Meta(description="What ages count, from when an instance arrives."),
    ] = "time"
    unit: UnitName = ""
    ages: Annotated[Count, Meta(description="Largest number of ages, at equal distances.")] = 60
    least: _AtRisk = 100

    def learner_runs(self) -> int:
        """See `Settings`: every instance is predicted several times."""
        return 5 * len(self.learners)

    def words(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {"since": _CLOCKS[self.clock]}


class EvolvingInputsSettings(OfReevaluation, frozen=True, kw_only=True):
    """Inputs that change while labels wait: the time so far, and what becomes known later."""

    learners: Learners
    every: Every = 10
    known_at: Annotated[
        dict[str, str],
        Meta(
            description="For an attribute that becomes known after the instance has arrived, the "
            "one that has the time at which it does. Times are no inputs."
        ),
    ] = msgspec.field(default_factory=dict)
    unit: UnitName = ""
    ages: Annotated[Count, Meta(description="Largest number of ages, at equal distances.")] = 40
    least: _AtRisk = 100

    def learner_runs(self) -> int:
        """See `Settings`: every instance is predicted several times, in up to six variants."""
        return 30 * len(self.learners)

    def words(self) -> Mapping[str, object]:
        """See `Settings`."""
        later = ", ".join(self.known_at)
        return {"known_later": f" Known later: {later}." if later else ""}


class CensoredAccuracySettings(OfStreams, frozen=True, kw_only=True):
    """Accuracy where labels are missing at the end, with and without weights, against the truth."""

    learners: Learners
    laws: Annotated[
        dict[str, Law],
        Meta(description="Laws of label delays, by name.", min_length=1),
    ]
    instances: Annotated[
        Count,
        Meta(
            description="Length of each run: evaluation stops when the last instance arrives. "
            "Drifts come at the same parts of it."
        ),
    ] = 4000
    runs: Annotated[
        int, Meta(description="Runs, each with its own instances and delays.", ge=2, le=2**31 - 1)
    ] = 20

    def learner_runs(self) -> int:
        """See `Settings`."""
        return self.runs * len(self.laws) * len(self.learners)

    def rows(self, rows: int) -> int:
        """See `Settings`."""
        return self.instances


class CensoredTableSettings(OfItems, frozen=True, kw_only=True):
    """Errors of estimates of accuracy where labels are missing at the end."""


class DelaysSettings(OfStreams, frozen=True, kw_only=True):
    """Learners whose labels are delayed, with something in place of the previous label."""

    ignore_label_times: IgnoreLabelTimes = False
    learners: Learners
    delays: Annotated[
        tuple[Annotated[int, Meta(ge=0, le=2**31 - 1)], ...],
        Meta(
            description="Instances that arrive before a label is known; 0 means before the next "
            "prediction.",
            min_length=1,
            extra_json_schema=ONCE,
        ),
    ]

    def learners_run(self) -> Sequence[str]:
        """See `Settings`."""
        return COMPARATORS

    def learner_runs(self) -> int:
        """See `Settings`."""
        return 4 * len(self.learners) * len(self.delays)

    def objections(self, rows: Mapping[str, Any]) -> Iterator[str]:
        """See `Settings`."""
        for name in self.learners:
            if name in COMPARATORS:
                yield f"the study always runs {name!r}. Leave it out of the item's `learners`."
            elif rows[name].wrapper:
                yield (
                    f"the learner {name!r} is in the wrapper {rows[name].wrapper!r}. Expected "
                    "learners without one, as the study puts them into its own: name the one "
                    "inside."
                )

    def check_learners(self, made: Mapping[str, Any]) -> None:
        """See `Settings`."""
        # By name, so that no other kind of the family depends on this study and its wrappers.
        options = import_module(f"{__package__}.delays").OPTIONS
        for name in self.learners:
            try:
                for give in options.values():
                    give(made[name])
            except ConfigError as error:
                raise ConfigError(f"the study cannot run {name!r}: {error}") from error


KINDS = (
    Kind(
        name="label_waiting",
        drawing="draw_waiting",
        settings=LabelWaitingSettings,
        reads="source",
        trains="classifiers",
        frames={
            "classes": ("labels", "time", "class", "arrived", "pending"),
            "latency": ("class", "labels", "fraction", "latency", "unit"),
            "stopping": (
                *("labels", "time", "learner", "window", "begun", "pending"),
                *("arrived_accuracy", "pending_accuracy", "accuracy", "bias"),
            ),
            "size": ("labels", "simulated"),
        },
    ),
    Kind(
        name="waiting_classes",
        settings=WaitingClassesSettings,
        reads="label_waiting",
        columns=(
            *("stream", "simulated", "labels", "pending_labels", "class", "arrived", "pending"),
            *("arrived_fraction", "pending_fraction", "low", "median", "high", "unit"),
        ),
    ),
    Kind(
        name="stopping_bias",
        settings=StoppingBiasSettings,
        reads="label_waiting",
        columns=(
            *("stream", "simulated", "learner", "labels", "begun", "pending", "arrived_accuracy"),
            *(
                "pending_accuracy",
                "accuracy",
                "bias",
                "window",
                "stops",
                "mean_pending",
                "window_bias",
            ),
            *("low", "high"),
        ),
    ),
    Kind(
        name="accuracy_by_age",
        drawing="draw_waiting",
        settings=AccuracyByAgeSettings,
        reads="source",
        trains="classifiers",
        frames={
            "ages": (
                *("learner", "age", "at_risk", "pending", "accuracy", "low", "high"),
                *(
                    "gain",
                    "gain_low",
                    "gain_high",
                    "overall",
                    "overall_low",
                    "overall_high",
                    "unit",
                ),
            )
        },
    ),
    Kind(
        name="evolving_inputs",
        drawing="draw_waiting",
        settings=EvolvingInputsSettings,
        reads="source",
        trains="classifiers",
        frames={
            "inputs": (
                *("learner", "variant", "age", "at_risk", "accuracy", "low", "high"),
                *("gain", "gain_low", "gain_high", "unit"),
            )
        },
    ),
    Kind(
        name="censored_accuracy",
        drawing="draw_waiting",
        settings=CensoredAccuracySettings,
        reads="generator",
        trains="classifiers",
        frames={
            "censored": ("law", "learner", "estimator", "run", "arrived", "truth", "estimate"),
            "size": ("instances", "simulated"),
        },
    ),
    Kind(
        name="censored_table",
        settings=CensoredTableSettings,
        reads="censored_accuracy",
        columns=(
            *(
                "stream",
                "simulated",
                "law",
                "learner",
                "estimator",
                "runs",
                "arrived",
                "truth",
                "estimate",
            ),
            *("error", "low", "high"),
        ),
    ),
    Kind(
        name="delays",
        settings=DelaysSettings,
        reads="stream",
        trains="classifiers",
        frames={
            "delays": (
                *("delay", "learner", "option", "measure", "value", "reason"),
                *("gain", "low", "high"),
            )
        },
    ),
)
