"""Slow, literal twins of array code in `streameval.streams`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo


def events(lines: list[tuple[tuple[float, ...], int | None, int, int]]) -> list[tuple]:
    """(inputs, label, time, label time) per instance; None if no label arrives.

    A line is (inputs, label or None, id, time).
    """
    instances: dict[int, list] = {}
    for inputs, label, key, time in lines:
        if label is None:
            instances[key] = [inputs, None, time, None]
        else:
            instances[key][1] = label
            instances[key][3] = time
    return [tuple(instance) for instance in instances.values()]


def temporal_is_kept(before: list, after: list) -> bool:
    """Whether two label sequences are equal, element by element."""
    return len(before) == len(after) and all(a == b for a, b in zip(before, after, strict=True))


def rows_by_class(rows: list[tuple[float, ...]], labels: list) -> dict:
    """Number of occurrences of each row, per class."""
    counts: dict = {}
    for row, label in zip(rows, labels, strict=True):
        of_class = counts.setdefault(label, {})
        of_class[row] = of_class.get(row, 0) + 1
    return counts


def minutes(clock: str) -> int:
    """Minutes of a time of day: 105 means 1:05, which is 65."""
    digits = clock.zfill(4)
    return 60 * int(digits[:2]) + int(digits[2:])


def arrivals(lines: list[dict]) -> list[tuple]:
    """(planned departure, arrival, class, time at departure, line) per flight of a month.

    A line has the columns of the Data Expo as numbers, None for no delay of the departure.
    """
    kept = []
    for number, line in enumerate(lines):
        planned, landed = minutes(str(line["CRSArrTime"])), minutes(str(line["ArrTime"]))
        delay, midnight = line["ArrDelay"], 1440 * line["DayofMonth"]
        if planned + delay >= 1440:
            continue
        time = midnight + planned - line["CRSElapsedTime"]
        label = "before_time" if delay < -10 else "delayed" if delay > 10 else "on_time"
        left = None if line["DepDelay"] is None else time + max(line["DepDelay"], 0)
        kept.append((time, midnight + landed, label, left, number))
    return sorted(kept, key=lambda flight: (flight[0], flight[-1]))


def day_ahead(rows: list[dict]) -> list[tuple]:
    """(inputs, label, time, label time) per half-hour of the next date.

    A row of Electricity has its date as written, YYMMDD, and whatever else, the class last.
    """
    days: dict[int, list[dict]] = {}
    for row in rows:
        days.setdefault(row["written"], []).append(row)
    dates = sorted(written for written, day in days.items() if len(day) == 48)
    instances = []
    for written, following in pairwise(dates):
        year, month, day = 1900 + written // 10000, written // 100 % 100, written % 100
        true = datetime(year, month, day) if month <= 12 else datetime(year, day, month)
        first, *others = days[written]
        inputs = [*[*first.values()][1:], int(f"{true:%y%m%d}")]
        for row in others[1::2]:
            inputs += [*row.values()][4:]
        for slot, row in enumerate(days[following], 1):
            due = true + timedelta(days=2, minutes=30 * slot)
            if polish(due) is not None:
                arrives = polish(true + timedelta(days=1))
                instances.append(([*inputs, slot], row["class"], arrives, polish(due)))
    return sorted(instances, key=lambda instance: instance[2])


def polish(local: datetime) -> int | None:
    """Minutes since the beginning of 1900 in Warsaw, plus one; None for a time that clocks skip."""
    zone = ZoneInfo("Europe/Warsaw")
    moment = local.replace(tzinfo=zone).astimezone(UTC)
    if moment.astimezone(zone).replace(tzinfo=None) != local:
        return None
    start = datetime(1899, 12, 31, 22, 35, tzinfo=UTC)
    return round((moment - start).total_seconds() / 60)
