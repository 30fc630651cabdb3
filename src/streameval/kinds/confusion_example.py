"""Measures of a confusion matrix of two classes."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from streameval.items.kind import Kind
from streameval.items.settings import Settings as AnySettings

_Pair = Meta(min_length=2, max_length=2)
_Counts = Annotated[tuple[Annotated[int, Meta(ge=0, le=1_000_000)], ...], _Pair]


class Settings(AnySettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of confusion_example."""

    classes: Annotated[
        tuple[str, ...],
        Meta(
            description="Names of both classes.",
            min_length=2,
            max_length=2,
            extra_json_schema={"uniqueItems": True},
        ),
    ]
    confusion: Annotated[
        tuple[_Counts, ...],
        Meta(
            description="Counts: a list for each true class, by predicted class.",
            min_length=2,
            max_length=2,
        ),
    ]


KIND = Kind(
    name="confusion_example",
    settings=Settings,
    reads="nothing",
    columns=("measure", "class", "value"),
)
