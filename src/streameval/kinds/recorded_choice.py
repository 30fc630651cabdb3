"""Which test to use, as recorded of a long run; nothing of the run at hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from streameval.items.kind import Kind
from streameval.items.recorded import OfRecord, RecordName
from streameval.kinds import test_choice


class Settings(OfRecord, test_choice.Chosen, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of recorded_choice."""

    recorded: RecordName
    read_frames: ClassVar[tuple[str, ...]] = ("rates", "seconds")

    def words(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {**super().words(), **self.words_of_record()}


_SHOWN = test_choice.KIND

KIND = Kind(
    name="recorded_choice",
    settings=Settings,
    reads="nothing",
    frames=_SHOWN.frames,
    columns=_SHOWN.columns,
    table_frame=_SHOWN.table_frame,
    pictures=_SHOWN.pictures,
)
