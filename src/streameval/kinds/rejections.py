"""How often tests reject, over all streams of a study of type errors or by stream."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta

from streameval.items.kind import Kind
from streameval.items.settings import Settings as AnySettings
from streameval.items.settings import SomeNames


class Chosen(AnySettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is shown of a study of type errors."""

    tests: Annotated[SomeNames, Meta(description="Names of tests, as in its frame of rates.")]
    alternatives: Annotated[
        SomeNames, Meta(description="What is tested: same, swapped, noise 0.05, drift 0.1, ...")
    ]
    readings: Annotated[
        tuple[Literal["held_out", "learnt"], ...],
        Meta(
            description="Which instances of a fold count: those that its model does not learn, or "
            "those that it learns, before it does.",
            min_length=1,
            extra_json_schema={"uniqueItems": True},
        ),
    ] = ("held_out", "learnt")
    by_stream: Annotated[
        bool, Meta(description="Whether there is a row for each stream, or only their average.")
    ] = False

    def words(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {"what": "of each stream" if self.by_stream else "averaged over the streams"}


class Settings(Chosen, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of rejections."""

    of: Annotated[
        str, Meta(description="The item of kind type_errors, or STUDY/ITEM of another study.")
    ]


COLUMNS = (
    *("stream", "simulated", "test", "reading", "scheme", "alternative"),
    *("instances", "streams", "runs", "value", "low", "high", "gap"),
)

TITLE = "How often tests reject that two learners are equally accurate"

KIND = Kind(
    name="rejections",
    settings=Settings,
    reads="item",
    of="type_errors",
    columns=COLUMNS,
)
