"""Skill over No-Change and Majority in some bins: as published, and under the same delays."""

from __future__ import annotations

from streameval.kinds.binned_table import Shown
from streameval.kinds.kind import Kind
from streameval.kinds.settings import OfItems


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
    title="Skill under the same delays",
    subject="skill under the same delays",
    caption="By how much learners err less than No-Change (κ_t) and Majority (κ_m), in some bins "
    "of the time to the label. The published program compares with comparators that know each "
    "label at once, also in bin 0. Under the same delays they run as learners do, and their "
    "predictions count in the same bin; with 95 % intervals that respect dependence.",
)
