"""Subject of a figure or table: its settings, streams and titles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Subject:
    """Subject of a figure or table: its settings, streams and titles.

    Parameters
    ----------
    settings : Settings
        Those of the item, of its kind's type.
    titles : mapping of str to str
        Names of all learners of the run, for people.
    streams : mapping of str to str
        Names of the streams of a table, for people.
    title : str
        Name of the stream of a figure, for people.
    simulated : bool
        Whether the stream only resembles a real one.
    picture : str
        Name of the picture, of a kind that has several.
    """

    settings: Any
    titles: Mapping[str, str] = field(default_factory=dict)
    streams: Mapping[str, str] = field(default_factory=dict)
    title: str = ""
    simulated: bool = False
    picture: str = ""

    @property
    def stream(self) -> dict[str, Any]:
        """Return the stream's title and whether it is simulated, as arguments of a drawing."""
        return {"title": self.title, "simulated": self.simulated}
