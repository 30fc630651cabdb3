"""By how much the two rules for predictions in a bin differ."""

from __future__ import annotations

from streameval.items.kind import Kind
from streameval.items.settings import OfItems


class Settings(OfItems, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of bin_rules."""


KIND = Kind(
    name="bin_rules",
    settings=Settings,
    reads="item",
    of="binned_measures",
    columns=(
        *("stream", "simulated", "labels", "learner", "bin", "differing_percent"),
        *("published_percent", "paper_percent", "difference"),
    ),
)
