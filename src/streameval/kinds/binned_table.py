"""Accuracies of a re-evaluation in some bins, over the streams of several items."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from streameval.items.kind import Kind
from streameval.items.settings import Names, OfItems

Shown = Annotated[
    tuple[Annotated[int, Meta(ge=0)], ...],
    Meta(
        description="Bins between the first and the last one, which are always shown.",
        extra_json_schema={"uniqueItems": True},
    ),
]


class Settings(OfItems, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of binned_table."""

    shown: Shown = (45,)
    weights: Annotated[
        Names,
        Meta(
            description="Names of weights, which each of the items has in its own `weights`: the "
            "weighted performance follows below the bins."
        ),
    ] = ()


COLUMNS = (
    *("stream", "simulated", "labels", "attributes", "bin", "which", "learner"),
    *("accuracy_percent", "low", "high"),
)

KIND = Kind(
    name="binned_table",
    settings=Settings,
    reads="item",
    of="binned_measures",
    columns=COLUMNS,
)
