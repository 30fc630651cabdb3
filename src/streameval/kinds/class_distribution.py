"""The proportions of the classes over time, and the autocorrelation of the label."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from streameval.items.kind import Kind
from streameval.items.settings import Count, OfStreams, Points, Window


class Settings(OfStreams, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of class_distribution."""

    window: Window = 1000
    lags: Annotated[Count, Meta(description="The longest lag of the autocorrelation.")] = 100
    period: Annotated[
        Annotated[int, Meta(ge=2, le=2**31 - 1)] | None,
        Meta(description="Instances in a natural period, such as a day, to be marked."),
    ] = None
    points: Points = 500


KIND = Kind(
    name="class_distribution",
    settings=Settings,
    reads="stream",
    frames={
        "prior": ("instance", "class", "share"),
        "autocorrelation": ("lag", "autocorrelation"),
    },
)
