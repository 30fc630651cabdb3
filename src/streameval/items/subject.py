"""What a figure or table is about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Subject:
    """What a figure or table is about.

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
        """How drawings name the stream: its title, and whether it is simulated."""
        return {"title": self.title, "simulated": self.simulated}
