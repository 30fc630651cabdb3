"""Labels that wait: their classes, how long they take, and the bias of stopping."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from streameval.items.kind import Kind
from streameval.items.settings import Count, Learners
from streameval.kinds.repredictions import Reevaluated

Unit = Annotated[
    str,
    Meta(
        description="What lengths of time are shown in. Times that are dates are in days, hours, "
        "minutes or seconds, whichever fits, unless one is named here. Of other times it is what "
        "one unit is called."
    ),
]


class Settings(Reevaluated, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of label_waiting."""

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

    unit: Unit = ""

    def learner_runs(self) -> int:
        """See `Settings`: every instance is predicted twice."""
        return 2 * len(self.learners)


KIND = Kind(
    name="label_waiting",
    settings=Settings,
    reads="source",
    trains=True,
    frames={
        "classes": ("labels", "time", "class", "arrived", "pending"),
        "latency": ("class", "labels", "fraction", "latency", "unit"),
        "stopping": (
            *("labels", "time", "learner", "window", "begun", "pending"),
            *("arrived_accuracy", "pending_accuracy", "accuracy", "bias"),
        ),
        "size": ("labels", "simulated"),
    },
)
