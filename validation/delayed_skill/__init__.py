"""Skill over baselines that have the same delays as the learners."""

from __future__ import annotations

from streameval.items.kind import ItemKind
from streameval.items.reevaluation import ShownBins
from streameval.items.settings import DerivedItemSettings


class DelayedSkillSettings(DerivedItemSettings, frozen=True, kw_only=True):
    """Skill in given bins over No-Change and Majority, with and without label delays of these."""

    bins: ShownBins = ()


KINDS = (
    ItemKind(
        name="delayed_skill",
        study="show",
        settings=DelayedSkillSettings,
        reads="binned_measures",
        # ``which`` names the bin in the table: its number, or the last bin.
        columns=(
            *("stream", "simulated", "labels", "bin", "which", "learner", "reference"),
            *("published", "skill", "low", "high"),
        ),
    ),
)
