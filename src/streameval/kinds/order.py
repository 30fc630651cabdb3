"""The part of accuracy that is owed to the order of instances."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta

from streameval.items.kind import Kind
from streameval.items.settings import IgnoreLabelTimes, Learners, OfStreams, Seed


class Settings(OfStreams, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of order."""

    ignore_label_times: IgnoreLabelTimes = False
    learners: Learners
    sizes: Annotated[
        tuple[Annotated[int, Meta(ge=2, le=2**31 - 1)], ...],
        Meta(
            description="Sizes of the blocks inside which instances keep their order.",
            min_length=1,
            extra_json_schema={"uniqueItems": True},
        ),
    ]
    seeds: Annotated[
        tuple[Seed, ...],
        Meta(
            description="Each gives its own permutation; at least two, for an interval.",
            min_length=2,
            extra_json_schema={"uniqueItems": True},
        ),
    ]

    def learner_runs(self) -> int:
        """See `Settings`."""
        return len(self.learners) * len(self.seeds) * (len(self.sizes) + 3)

    def words(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {"seeds": len(self.seeds)}


KIND = Kind(
    name="order",
    settings=Settings,
    reads="stream",
    trains=True,
    frames={
        "order": ("learner", "variant", "size", "seed", "accuracy"),
        "shares": ("learner", "part", "size", "mean", "low", "high", "seeds"),
    },
)
