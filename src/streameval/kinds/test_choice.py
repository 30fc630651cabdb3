"""Which test to use: how often each errs, and what it notices, by the length of the stream."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta

from streameval.items.kind import Kind
from streameval.items.settings import Settings as AnySettings


class Chosen(AnySettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is shown of a study of type errors."""

    scheme: Annotated[
        Literal["cross_validation", "split_validation", "bootstrap_validation"],
        Meta(description="How instances come to folds."),
    ] = "bootstrap_validation"
    reading: Annotated[
        Literal["held_out", "learnt"],
        Meta(description="Which instances of a fold count, see rejections."),
    ] = "learnt"
    level: Annotated[float, Meta(description="Level of significance of the tests.", gt=0, lt=1)] = (
        0.05
    )

    def shows_times(self) -> bool:
        """See `Settings`."""
        return True

    def words(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {"percent": f"{100 * self.level:g}"}


class Settings(Chosen, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of test_choice."""

    of: Annotated[
        str, Meta(description="The item of kind type_errors, or STUDY/ITEM of another study.")
    ]


COLUMNS = (
    *("test", "estimand", "alternative", "instances", "streams", "runs"),
    *("size", "size_low", "size_high", "power", "power_low", "power_high", "verdict"),
)

KIND = Kind(
    name="test_choice",
    settings=Settings,
    reads="item",
    of="type_errors",
    frames={"choice": COLUMNS, "seconds": ("stream", "runs", "seconds", "instances")},
    times=("seconds",),
    columns=COLUMNS,
    table_frame="choice",
    pictures=("choice",),
)
