"""Absolute errors of regressors under re-evaluation in some bins."""

from __future__ import annotations

from streameval.kinds.binned_table import Shown
from streameval.kinds.kind import Kind
from streameval.kinds.settings import OfItems


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
    title="Mean absolute error in some bins of the time to the label",
    subject="mean absolute error by bin",
    caption="Mean absolute error, in the unit of the target, of the predictions that count in a "
    "bin. Bin 0 is the first prediction, bin B + 1 the one just before the label is learnt. The "
    "previous target is the latest one that is known at the prediction; the CSV has the skill over "
    "it, and over the mean so far.",
)
