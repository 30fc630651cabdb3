"""Inputs that change while labels wait: the time so far, and what becomes known later."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import Meta

from streameval.items.kind import Kind
from streameval.items.settings import Count, Learners
from streameval.kinds.label_waiting import Unit
from streameval.kinds.repredictions import Reevaluated


class Settings(Reevaluated, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of evolving_inputs."""

    learners: Learners
    every: Annotated[
        Count, Meta(description="Number of labels between two predictions of an instance (K).")
    ] = 10
    known_at: Annotated[
        dict[str, str],
        Meta(
            description="For an attribute that becomes known after the instance has arrived, the "
            "one that has the time at which it does. Times are no inputs."
        ),
    ] = msgspec.field(default_factory=dict)
    unit: Unit = ""
    ages: Annotated[Count, Meta(description="Largest number of ages, at equal distances.")] = 40
    least: Annotated[
        Count, Meta(description="Ages go as far as so many instances are still at risk.")
    ] = 100

    def learner_runs(self) -> int:
        """See `Settings`: every instance is predicted several times, in up to six variants."""
        return 30 * len(self.learners)

    def words(self) -> Mapping[str, object]:
        """See `Settings`."""
        later = ", ".join(self.known_at)
        return {"known_later": f" Known later: {later}." if later else ""}


KIND = Kind(
    name="evolving_inputs",
    settings=Settings,
    reads="source",
    trains=True,
    frames={
        "inputs": (
            *("learner", "variant", "age", "at_risk", "accuracy", "low", "high"),
            *("gain", "gain_low", "gain_high", "unit"),
        )
    },
)
