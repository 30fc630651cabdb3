"""Accuracy that is due to the order of the instances of a stream."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from streameval.base.schema import UNIQUE_ITEMS
from streameval.items.kind import ItemKind
from streameval.items.settings import NON_EMPTY_UNIQUE, LearnerItemSettings, Seed, StudyCost

#: Columns of the frame ``order``.
ORDER = ("learner", "variant", "size", "seed", "accuracy")
#: Columns of the frame ``shares``: gains in accuracy from parts of the order.
ORDER_GAINS = ("learner", "part", "size", "mean", "low", "high", "seeds")


class OrderSettings(LearnerItemSettings, frozen=True, kw_only=True):
    """Accuracy that is due to the order of instances."""

    sizes: Annotated[
        tuple[Annotated[int, Meta(ge=2, le=2**31 - 1)], ...],
        NON_EMPTY_UNIQUE,
        Meta(description="Sizes of the blocks inside which instances keep their order."),
    ]
    seeds: Annotated[
        tuple[Seed, ...],
        Meta(
            description="Seeds, each with its own permutation; at least two, for an interval.",
            min_length=2,
            extra_json_schema=UNIQUE_ITEMS,
        ),
    ]

    def cost(self) -> StudyCost:
        """See `Settings`."""
        n_variants = len(self.sizes) + 3  # blocks; original, temporal and shuffled
        return StudyCost(len(self.learners) * len(self.seeds) * n_variants)


KINDS = (
    ItemKind(
        name="order",
        study="order",
        settings=OrderSettings,
        reads="stream",
        trains="classifiers",
        frames={
            "order": ORDER,
            "shares": ORDER_GAINS,
        },
    ),
)
