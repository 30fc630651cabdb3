"""Size and temporal dependence of streams."""

from __future__ import annotations

from streameval.items.kind import Kind
from streameval.items.settings import OfStreams


class Settings(OfStreams, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of stream_characteristics."""


KIND = Kind(
    name="stream_characteristics",
    settings=Settings,
    reads="stream",
    columns=("stream", "simulated", "instances", "attributes", "classes", "P(M)", "P(T)"),
)
