"""How much each label depends on the ones before."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from streameval.items.kind import Kind
from streameval.items.settings import Count, OfStreams


class Settings(OfStreams, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of dependence."""

    orders: Annotated[Count, Meta(description="The largest number of lagged labels.")]


KIND = Kind(
    name="dependence",
    settings=Settings,
    reads="stream",
    frames={"dependence": ("class", "order", "cases", "share", "delta")},
)
