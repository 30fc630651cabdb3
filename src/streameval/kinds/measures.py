"""Measures of learners over a sliding window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import Meta

from streameval.evaluation.roles import MAJORITY
from streameval.items.kind import Kind
from streameval.items.settings import Measures, OfPredictions, Points, Window

_BELOW = (
    " Where a learner's curve is below that of No-Change, repeating the previous label is better."
)
_KAPPA_M = " κ_m compares with the learner {}, over the same window."


class Settings(OfPredictions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of measures."""

    measures: Measures
    window: Window = 1000
    points: Points = 500
    majority: Annotated[str, Meta(description="The learner that κ_m compares with.")] = MAJORITY
    all_windows: Annotated[
        bool,
        Meta(
            description="Whether the frame `windows` counts signs over all windows, and not only "
            "over those that are drawn."
        ),
    ] = False

    def learners_read(self) -> Sequence[str]:
        """See `Settings`."""
        return tuple(dict.fromkeys((*self.learners, self.majority)))

    def words(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {
            "below_no_change": _BELOW if "no_change" in self.learners else "",
            "kappa_m": "" if self.majority == MAJORITY else _KAPPA_M.format(self.majority),
        }


KIND = Kind(
    name="measures",
    settings=Settings,
    reads="predictions",
    frames={
        "curves": ("instance", "learner", "measure", "value", "reason"),
        "windows": (
            *("learner", "measure", "windows", "defined", "below", "above"),
            *("first_below", "last_below", "least", "greatest", "least_beside"),
        ),
    },
)
