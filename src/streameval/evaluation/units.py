"""What lengths of time are shown in."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd

from streameval.durations import UNITS
from streameval.errors import ConfigError, near
from streameval.streams.stream import Stream

#: What a stream's times are called if they are no dates and nothing else is said.
PLAIN = "time units"
#: A length of time is shown in the longest unit of which it has as many.
_ENOUGH = 2


class Unit(NamedTuple):
    """A unit of time: its name in the plural, and how many of the stream's own units it has."""

    name: str
    length: float


#: That of times that are no dates.
WHOLE = Unit(PLAIN, 1.0)


def unit_of(stream: Stream, named: str, longest: float) -> Unit:
    """Return what lengths of time of a stream are shown in.

    Parameters
    ----------
    stream : Stream
        Where its times are dates, lengths are shown in weeks, days, hours, minutes or seconds.
    named : str
        The name that the settings give; "" for one that fits. Of other times it is the name alone.
    longest : float
        The longest length, in the stream's own units.

    Raises
    ------
    ConfigError
        If times are dates, and the unit is none that a date has.
    """
    if not stream.ticks:
        return WHOLE._replace(name=named or PLAIN)
    name = named.removesuffix("s")
    if named and name not in UNITS:
        known = [f"{unit}s" for unit in UNITS]
        raise ConfigError(
            f"unit: expected {', '.join(known)}, since times are dates; found {named!r}. "
            f"{near(named, known)}".rstrip()
        )
    seconds = longest / stream.ticks
    fitting = [unit for unit in UNITS if unit != "week" and seconds >= _ENOUGH * UNITS[unit]]
    name = name or next(iter(fitting), "second")
    return Unit(f"{name}s", float(UNITS[name] * stream.ticks))


def in_units(frame: pd.DataFrame, stream: Stream, named: str) -> pd.DataFrame:
    """Return a frame with its ages in the unit that is shown, and the column ``unit``."""
    unit = unit_of(stream, named, frame["age"].max() if len(frame) else 0)
    if unit.length == 1:
        return frame.assign(unit=unit.name)
    return frame.assign(age=frame["age"] / unit.length, unit=unit.name)
