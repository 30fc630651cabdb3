"""Settings of items that show a record: the results of a long run, in resources/recorded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from streameval.base.settings import locate
from streameval.evaluation.records import (
    DESCRIPTION_FILE,
    RECORDED,
    read_description,
    record_dates,
    record_files,
)

RecordName = Annotated[
    str,
    Meta(
        description="The record: its folder in resources/recorded, STUDY/NAME.",
        pattern="[a-z][a-z0-9_]*/[A-Za-z0-9_.-]+",
    ),
]


class RecordSettings:
    """Mixin for settings that name a record, as ``recorded``."""

    __slots__ = ()

    recorded: RecordName
    #: The frames of the record that the study reads.
    read_frames: ClassVar[tuple[str, ...]]

    @property
    def folder(self) -> str:
        """The folder of the record."""
        return f"{RECORDED}/{self.recorded}"

    def description(self) -> Mapping[str, Any]:
        """The description of the record."""
        return read_description(locate(f"{self.folder}/{DESCRIPTION_FILE}"))

    def resources(self) -> Sequence[str]:
        """See `Settings`."""
        return [
            f"{self.folder}/{name}" for name in record_files(self.description(), self.read_frames)
        ]

    def stream_titles(self) -> dict[str, str]:
        """The titles of the streams of the record, by their ids."""
        return {name: stream["title"] for name, stream in self.description()["streams"].items()}

    def record_caption_values(self) -> Mapping[str, object]:
        """Values of the record that the caption quotes."""
        description = self.description()
        lengths = {stream["instances"] for stream in description["streams"].values()}
        longest = f"{max(lengths):,}"
        return {
            "when": record_dates(description),
            "length": f"n {'=' if len(lengths) == 1 else 'up to'} {longest}",
            "runs": max(stream["runs"] for stream in description["streams"].values()),
        }
