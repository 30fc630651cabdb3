"""Skill over No-Change and Majority in some bins: as published, and under the same delays."""

from __future__ import annotations

from streameval.items.kind import Kind
from streameval.items.settings import OfItems
from streameval.kinds.binned_table import Shown


class Settings(OfItems, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of delayed_skill."""

    shown: Shown = ()


KIND = Kind(
    name="delayed_skill",
    settings=Settings,
    reads="item",
    of="binned_measures",
    columns=(
        *("stream", "simulated", "labels", "bin", "which", "learner", "reference"),
        *("published", "skill", "low", "high"),
    ),
)
