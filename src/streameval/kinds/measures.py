"""Measures of learners over a sliding window."""

from __future__ import annotations

from collections.abc import Mapping

from streameval.kinds.kind import Kind
from streameval.kinds.settings import Measures, OfPredictions, Points, Window

_BELOW = (
    " Where a learner's curve is below that of No-Change, repeating the previous label is better."
)


class Settings(OfPredictions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of measures."""

    measures: Measures
    window: Window = 1000
    points: Points = 500

    def words(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {"below_no_change": _BELOW if "no_change" in self.learners else ""}


KIND = Kind(
    name="measures",
    settings=Settings,
    reads="predictions",
    frames={"curves": ("instance", "learner", "measure", "value", "reason")},
    subject="{measures} over time",
    caption="{measures} over a sliding window of {window} instances.{below_no_change}",
)
