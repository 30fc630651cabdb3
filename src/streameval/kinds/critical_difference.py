"""Mean ranks of learners over streams, and which of them differ (Demšar, 2006)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from msgspec import Meta

from streameval.items.kind import Kind
from streameval.items.settings import Names, OfPredictions
from streameval.studies.ranked import COLUMNS, LEAST, too_few

#: More learners do not fit into the diagram.
MOST = 15


class Settings(OfPredictions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of critical_difference."""

    streams: Annotated[
        Names,
        Meta(
            description="Ids of at least three streams, or all. Each should stand for a domain of "
            "its own."
        ),
    ]
    measure: Annotated[
        str, Meta(description="The measure by which learners are ranked; the greater the better.")
    ] = "accuracy"
    level: Annotated[float, Meta(description="Level of significance of the tests.", gt=0, lt=1)] = (
        0.05
    )

    def objections(self, rows: Mapping[str, Any]) -> Iterator[str]:
        """See `Settings`."""
        is_open = self.streams == ("all",)
        found = too_few([""] * LEAST if is_open else self.streams, self.learners)
        if found:
            yield found
        if len(self.learners) > MOST:
            yield f"expected at most {MOST} learners, found {len(self.learners)}. Name fewer."

    def words(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {"percent": f"{100 * self.level:g}"}


KIND = Kind(
    name="critical_difference",
    settings=Settings,
    reads="predictions",
    joins_streams=True,
    joins_folds=True,
    frames={"ranks": COLUMNS, "scores": ("stream", "simulated", "learner", "value", "rank")},
    columns=COLUMNS,
    table_frame="ranks",
    pictures=("ranks",),
)
