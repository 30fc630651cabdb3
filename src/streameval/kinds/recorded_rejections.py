"""How often tests reject, as recorded of a long run; nothing of the run at hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from streameval.items.kind import Kind
from streameval.items.recorded import OfRecord, RecordName
from streameval.kinds import rejections


class Settings(OfRecord, rejections.Chosen, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of recorded_rejections."""

    recorded: RecordName
    read_frames: ClassVar[tuple[str, ...]] = ("rates", "gaps")

    def words(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {**super().words(), **self.words_of_record()}


KIND = Kind(
    name="recorded_rejections",
    settings=Settings,
    reads="nothing",
    columns=rejections.COLUMNS,
)
