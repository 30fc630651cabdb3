"""Estimates of accuracy against fresh instances of the current concept."""

from __future__ import annotations

from math import ceil
from typing import Annotated

from msgspec import Meta

from streameval.items.kind import Kind
from streameval.items.settings import (
    Count,
    Delta,
    IgnoreLabelTimes,
    Learners,
    OfStreams,
    Seed,
    Windows,
)
from streameval.kinds.windows import CLOSER, FOLLOWING
from streameval.kinds.windows import DISTANCES as OF_WINDOWS

DISTANCES = (*OF_WINDOWS, "tests", "floor")


class Settings(OfStreams, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of holdout."""

    ignore_label_times: IgnoreLabelTimes = False
    learners: Learners
    instances: Annotated[
        Count | None, Meta(description="Length of each stream; null: that of the registry.")
    ] = None
    tests: Annotated[
        Annotated[int, Meta(ge=8, le=100_000)],
        Meta(description="How often a learner is tested, at even distances."),
    ] = 200
    fresh: Annotated[
        Annotated[int, Meta(ge=2, le=1_000_000)], Meta(description="Fresh instances of each test.")
    ] = 1000
    windows: Windows = (100, 1000, 10_000)
    delta: Delta = 0.002
    seed: Annotated[Seed, Meta(description="Of the fresh instances and of learners.")] = 1

    def learner_runs(self) -> int:
        """See `Settings`: fresh instances take as long as those of a stream of a million."""
        return len(self.learners) * (1 + ceil(self.tests * self.fresh / 1_000_000))

    def rows(self, rows: int) -> int:
        """See `Settings`."""
        return self.instances or rows


KIND = Kind(
    name="holdout",
    settings=Settings,
    reads="generator",
    trains=True,
    frames={"following": FOLLOWING, "distances": DISTANCES, "closer": CLOSER},
)
