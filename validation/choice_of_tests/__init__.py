"""Size and power of each test, as means over streams, from a study of type errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar

from msgspec import Meta

from streameval.items.error_rates import Reading, Scheme
from streameval.items.kind import ItemKind
from streameval.items.recorded import RecordName, RecordSettings
from streameval.items.settings import (
    ItemName,
    Settings,
    TestLevel,
)


class _Choice(Settings, frozen=True, kw_only=True):
    """Selection from a study of type errors."""

    times: ClassVar[bool] = True

    scheme: Annotated[Scheme, Meta(description="Assignment of instances to folds.")] = (
        "bootstrap_validation"
    )
    reading: Annotated[
        Reading, Meta(description="Instances of a fold that are scored, see rejections.")
    ] = "learnt"
    level: TestLevel = 0.05


class TestChoiceSettings(_Choice, frozen=True, kw_only=True):
    """Type I error and power of each test, by the length of the stream."""

    of: ItemName


#: Columns of the frame ``choice``.
CHOICE_COLUMNS = (
    *("test", "estimand", "alternative", "instances", "streams", "runs"),
    *("size", "size_low", "size_high", "power", "power_low", "power_high", "verdict"),
)
_CHOICE_FRAMES = {"choice": CHOICE_COLUMNS, "seconds": ("stream", "runs", "seconds", "instances")}


class RecordedChoiceSettings(RecordSettings, _Choice, frozen=True, kw_only=True):
    """Type I error and power of each test, from the record of a long run."""

    recorded: RecordName
    read_frames: ClassVar[tuple[str, ...]] = ("rates", "seconds")

    def caption_values(self) -> Mapping[str, object]:
        """See `Settings`."""
        return self.record_caption_values()


KINDS = (
    ItemKind(
        name="test_choice",
        study="rates",
        settings=TestChoiceSettings,
        reads="type_errors",
        frames=_CHOICE_FRAMES,
        times=("seconds",),
        columns=CHOICE_COLUMNS,
        pictures=("choice",),
    ),
    ItemKind(
        name="recorded_choice",
        study="rates",
        settings=RecordedChoiceSettings,
        reads="nothing",
        frames=_CHOICE_FRAMES,
        columns=CHOICE_COLUMNS,
        pictures=("choice",),
    ),
)
