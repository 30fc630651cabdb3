"""Accuracy by the time since an instance has arrived, with the number at risk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta

from streameval.items.kind import Kind
from streameval.items.settings import Count, Learners
from streameval.kinds.label_waiting import Unit
from streameval.kinds.repredictions import Reevaluated

#: What an age counts, in captions.
_CLOCKS = {
    "time": "the time",
    "labels": "the number of labels that have arrived",
    "instances": "the number of instances that have arrived",
}


class Settings(Reevaluated, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of accuracy_by_age."""

    learners: Learners
    every: Annotated[
        Count, Meta(description="Number of labels between two predictions of an instance (K).")
    ] = 10
    clock: Annotated[
        Literal["time", "labels", "instances"],
        Meta(description="What ages count, from when an instance arrives."),
    ] = "time"
    unit: Unit = ""
    ages: Annotated[Count, Meta(description="Largest number of ages, at equal distances.")] = 60
    least: Annotated[
        Count, Meta(description="Ages go as far as so many instances are still at risk.")
    ] = 100

    def learner_runs(self) -> int:
        """See `Settings`: every instance is predicted several times."""
        return 5 * len(self.learners)

    def words(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {"since": _CLOCKS[self.clock]}


KIND = Kind(
    name="accuracy_by_age",
    settings=Settings,
    reads="source",
    trains=True,
    frames={
        "ages": (
            *("learner", "age", "at_risk", "pending", "accuracy", "low", "high"),
            *("gain", "gain_low", "gain_high", "overall", "overall_low", "overall_high", "unit"),
        )
    },
)
