"""The accuracy by bin for several numbers of bins, on one axis."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from streameval.items.kind import Kind
from streameval.items.settings import Count, Learners
from streameval.kinds.binned_measures import Every, Rule
from streameval.kinds.repredictions import Reevaluated


class Settings(Reevaluated, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of bin_numbers."""

    learners: Learners
    every: Every = 10
    numbers: Annotated[
        tuple[Count, ...],
        Meta(
            description="Numbers of bins (B).",
            min_length=1,
            extra_json_schema={"uniqueItems": True},
        ),
    ] = (5, 10, 20, 50, 100)
    rule: Rule = "paper"

    def learner_runs(self) -> int:
        """See `Settings`: every instance is predicted several times."""
        return 5 * len(self.learners)


KIND = Kind(
    name="bin_numbers",
    settings=Settings,
    reads="source",
    trains=True,
    frames={"bin_numbers": ("learner", "bins", "bin", "accuracy", "predictions")},
)
