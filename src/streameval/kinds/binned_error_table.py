"""Absolute errors of regressors under re-evaluation in some bins."""

from __future__ import annotations

from streameval.items.kind import Kind
from streameval.items.settings import OfItems
from streameval.kinds.binned_table import Shown


class Settings(OfItems, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of binned_error_table."""

    shown: Shown = (45,)


COLUMNS = (
    *("stream", "simulated", "labels", "attributes", "bin", "which", "learner"),
    *("mean_absolute_error", "low", "high", "seeds", "seeds_low", "seeds_high"),
    *("skill_over_previous_target", "skill_over_target_mean"),
)

KIND = Kind(
    name="binned_error_table",
    settings=Settings,
    reads="item",
    of="binned_errors",
    columns=COLUMNS,
)
