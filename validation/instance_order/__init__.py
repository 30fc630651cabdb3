"""Accuracy that is due to the order of the instances of a stream."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from streameval.base.schema import UNIQUE
from streameval.items.kind import Kind
from streameval.items.settings import DISTINCT, LearnerItemSettings, Seed, StudyCost

#: Columns of the frame ``order``.
ORDER = ("learner", "variant", "size", "seed", "accuracy")
#: Columns of the frame ``shares``.
ORDER_SHARES = ("learner", "part", "size", "mean", "low", "high", "seeds")


class OrderSettings(LearnerItemSettings, frozen=True, kw_only=True):
    """Accuracy that is due to the order of instances."""

    sizes: Annotated[
        tuple[Annotated[int, Meta(ge=2, le=2**31 - 1)], ...],
        DISTINCT,
        Meta(description="Sizes of the blocks inside which instances keep their order."),
    ]
    seeds: Annotated[
        tuple[Seed, ...],
        Meta(
            description="Seeds, each with its own permutation; at least two, for an interval.",
            min_length=2,
            extra_json_schema=UNIQUE,
        ),
    ]

    def cost(self) -> StudyCost:
        """See `Settings`."""
        n_variants = len(self.sizes) + 3  # blocks; original, temporal and shuffled
        return StudyCost(len(self.learners) * len(self.seeds) * n_variants)


KINDS = (
    Kind(
        name="order",
        study="order",
        settings=OrderSettings,
        reads="stream",
        trains="classifiers",
        frames={
            "order": ORDER,
            "shares": ORDER_SHARES,
        },
    ),
)
