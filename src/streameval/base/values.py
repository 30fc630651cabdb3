"""Conversion and formatting of values in settings and output: names, flags, durations, dates."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import numpy as np

from streameval.base.errors import ConfigError, excerpt

#: Pattern of a number. `float` accepts more: nan, inf, 1_000, digits of other scripts.
NUMBER = re.compile(r"[+-]?(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?")


def names_of(values: Any, place: str) -> tuple[str, ...]:
    """Values as names; a single value counts as a list of one."""
    is_list = isinstance(values, Iterable) and not isinstance(values, str | Mapping)
    is_list = is_list and not (isinstance(values, np.ndarray) and values.ndim == 0)
    return tuple(name_of(value, place) for value in (values if is_list else [values]))


def name_of(value: Any, place: str) -> str:
    """Value as a name; see `names_of`."""
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if type(value) is date:  # as Snakemake reads 2008-01-31; `streameval.base.settings` does not
        return value.isoformat()
    where = f"at {place}: " if place else ""
    hint = " (as YAML reads yes, no, on and off)" if isinstance(value, bool) else ""
    raise ConfigError(
        f"{where}expected a name, found {excerpt(repr(value))}{hint}. If it is a name, write it in "
        "quotes."
    )


def arguments_of(function: Callable[..., Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of a function; those annotated as texts, lists of texts or flags are checked."""
    declared = inspect.signature(function).parameters
    return {
        name: _argument(name, str(declared[name].annotation), value)
        for name, value in arguments.items()
    }


def _argument(name: str, annotation: str, value: Any) -> Any:
    if value is None and "None" in annotation:
        return None
    if "[str" in annotation:  # a list of texts, such as Iterable[str]
        return list(names_of(value, name))
    if annotation.startswith("str"):
        return name_of(value, name)
    return flag_of(value, name) if annotation.startswith("bool") else value


def flag_of(value: Any, place: str) -> bool:
    """Check a truth value of Python or numpy."""
    if not isinstance(value, bool | np.bool_):
        raise ConfigError(f"at {place}: expected true or false, found {excerpt(repr(value), 60)}.")
    return bool(value)


def python_value(value: Any) -> Any:
    """A numpy scalar as a Python object; other values unchanged."""
    return value.item() if isinstance(value, np.generic) else value


def json_value(value: Any) -> Any:
    """A value for JSON: None for NaN and infinite numbers, which JSON lacks."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def enumeration(parts: Iterable[str], word: str = "and") -> str:
    """Enumeration in a sentence: "a", "a and b", "a, b and c"."""
    *first, last = [*parts] or [""]
    return f"{', '.join(first)} {word} {last}" if first else last


def quantity(number: int, noun: str, plural: str = "") -> str:
    """Number with its noun: "1 job", "2,000 jobs"; `plural` is an irregular plural."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {plural or noun + 's'}"


def check_integer(value: Any, name: str, least: int = 1, most: int = 2**63 - 1) -> int:
    """An integer of Python or numpy as an int; refuses other values and values out of range."""
    if (
        isinstance(value, bool)
        or not isinstance(value, int | np.integer)
        or not least <= value <= most
    ):
        limit = "above 0" if least == 1 else f"of at least {least}"
        limit += f" and at most {most:,}" if most < 2**63 - 1 else ""
        raise ConfigError(
            f"{name}: expected a whole number {limit}, found {excerpt(repr(value), 60)}."
        )
    return int(value)


#: Pattern of an offset from UTC at the end of a date.
OFFSET = r"(?:Z|[+-][0-9]{2}(?::?[0-9]{2})?)"
#: The time of a label that never arrives: the largest integer of 64 bits.
NEVER = 2**63 - 1
#: Seconds in each unit, the longest first.
UNITS = {"week": 604_800, "day": 86_400, "hour": 3_600, "minute": 60, "second": 1}
#: A number and a unit of a duration, with the separator that follows.
_PART = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z]+?)s?(?:\s+|,\s*|$)", re.IGNORECASE)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def duration_text(seconds: float) -> str:
    """A duration as text in two adjacent units, of which days are the largest: "12 days 4 hours".

    Below a minute, three significant digits of the seconds are shown.
    """
    remaining, parts = abs(seconds), []
    if remaining < UNITS["minute"]:
        parts = [_with_unit(remaining, "second")]
    else:
        remaining = round(remaining)
        for unit in ("day", "hour", "minute", "second"):
            number, remainder = divmod(remaining, UNITS[unit])
            if parts or number:  # a second unit of 0 is left out, and no smaller one follows
                parts.append(_with_unit(number, unit) if number else "")
                remaining = remainder
            if len(parts) == 2:
                break
    return ("−" if seconds < 0 else "") + " ".join(filter(None, parts))


def _with_unit(number: float, unit: str) -> str:
    return (
        f"{number:,.3g} {unit}{'s' * (number != 1)}" if number < 1000 else f"{number:,.0f} {unit}s"
    )


def parse_duration(text: str, what: str) -> float:
    """Seconds of a duration such as "30 days" or "1 day 12 hours".

    Months and years are refused: their lengths vary.
    """
    parts = _PART.findall(text.strip())
    matched = "".join(match[0] for match in _PART.finditer(text.strip()))
    unknown = [unit for _, unit in parts if unit.lower() not in UNITS]
    if not parts or matched != text.strip() or unknown:
        quoted = f"{excerpt(repr(text), 40)}"
        unit_error = f", whose unit {unknown[0]!r} is unknown" if unknown else ""
        raise ConfigError(
            f"{what}: expected a whole number of instances, or a length of time such as '30 days' "
            f"or '1 day 12 hours', in {', '.join(f'{unit}s' for unit in UNITS)}; found "
            f"{quoted}{unit_error}."
        )
    return sum(float(number) * UNITS[unit.lower()] for number, unit in parts)


def delay_of(value: Any) -> Any:
    """A delay as a number of instances, or as the text of a length of time.

    Durations of Python, numpy and pandas become texts.

    Raises
    ------
    ConfigError
        If a duration is missing or negative, or has no fixed length.
    """
    if isinstance(value, np.timedelta64):
        if np.datetime_data(value.dtype)[0] in ("generic", "M", "Y"):
            raise _delay_error(value)
        seconds = float(value / np.timedelta64(1, "ns")) / 1e9
    elif isinstance(value, timedelta):
        seconds = value.total_seconds()
    else:
        return python_value(value)
    if not seconds >= 0:  # a missing duration is NaN
        raise _delay_error(value)
    return f"{seconds:.9f}".rstrip("0").rstrip(".") + " seconds"


def _delay_error(value: object) -> ConfigError:
    return ConfigError(
        "delay: expected a whole number of instances, or a length of time such as '30 days' or "
        f"timedelta(days=30), found {excerpt(repr(value), 60)}."
    )


def date_text(seconds: float, zone: str = "") -> str:
    """Date of a time in seconds since 1970-01-01 UTC, with the time of day unless it is 0:00.

    `zone` is a name or an offset such as ``+02:00``, by default UTC.
    """
    try:
        moment = (EPOCH + timedelta(seconds=seconds)).astimezone(timezone_of(zone))
    except OverflowError:
        return f"{seconds:,.0f} s after 1970"
    date_and_time = moment.strftime("%Y-%m-%d %H:%M:%S").removesuffix(":00")
    return date_and_time.removesuffix(" 00:00")


def iso_text(time: int, ticks: int, zone: str = "") -> str:
    """ISO text of a date and time, such as 2025-04-19 22:52:28+02:00, for JSON.

    `time` is a number of ticks since 1970-01-01 UTC, `ticks` their number per second: a divisor of
    10^6.

    The date is local to `zone` and ends with its offset; without a zone it is UTC without offset.
    """
    elapsed = timedelta(microseconds=time * (10**6 // ticks))  # seconds as floats are not exact
    moment = (EPOCH + elapsed).astimezone(timezone_of(zone))
    return (moment if zone else moment.replace(tzinfo=None)).isoformat(sep=" ")


def timezone_of(name: str) -> tzinfo:
    """Time zone of a name or an offset; UTC for "" and for zones unknown to the system."""
    if re.fullmatch(OFFSET, name):
        return datetime.fromisoformat(f"1970-01-01T00:00:00{name}").tzinfo or UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def round_step(total: float, max_steps: int) -> int:
    """Shortest round step in seconds such that at most `max_steps` steps cover `total` seconds."""
    steps = [
        *(1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800),
        *(UNITS["hour"] * hours for hours in (1, 2, 3, 6, 12)),
        *(UNITS["day"] * days for days in (1, 2, 5, 7, 10, 14, 30, 60, 90, 180, 365)),
    ]
    # If even the longest round step is too short, the total divided by the number, rounded up.
    return next((step for step in steps if step * max_steps >= total), -(-int(total) // max_steps))
