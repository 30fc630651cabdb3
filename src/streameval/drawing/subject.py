"""Subject of a figure or table: its settings, streams and titles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from streameval.streams.drift_marks import DriftMarks


@dataclass(frozen=True, kw_only=True)
class Subject:
    """Subject of a figure or table: its settings, streams and titles.

    `title` is the title of the stream of a figure. `picture` is the name of the picture, if the
    item has several. `titles` are titles of learners, `streams` titles of streams, both by id.
    `drifts` are the known drifts of the stream, if figures of this kind mark drifts.
    """

    settings: Any
    titles: Mapping[str, str] = field(default_factory=dict)
    streams: Mapping[str, str] = field(default_factory=dict)
    title: str = ""
    simulated: bool = False
    picture: str = ""
    drifts: DriftMarks | None = None

    @property
    def stream_arguments(self) -> dict[str, Any]:
        """The stream's title and whether it is simulated: arguments of `titled_figure`."""
        return {"title": self.title, "simulated": self.simulated}
