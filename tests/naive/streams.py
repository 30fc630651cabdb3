"""Slow, literal twins of what `streameval.streams` does with arrays."""

from __future__ import annotations

from datetime import date


def events(lines: list[tuple[tuple[float, ...], int | None, int, int]]) -> list[tuple]:
    """Return (inputs, label, time, label time) per instance; None where no label comes.

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
    """Return per class how often each row occurs."""
    counts: dict = {}
    for row, label in zip(rows, labels, strict=True):
        of_class = counts.setdefault(label, {})
        of_class[row] = of_class.get(row, 0) + 1
    return counts


def flights(
    lines: list[dict[str, str]], airport: str, first: date, last: date, true_days: bool
) -> list[tuple]:
    """Return (planned departure, arrival, class, delay and time at departure, line) per flight.

    A line has the columns of the Data Expo; delay and time at departure may be None.
    """
    found = []
    for number, line in enumerate(lines):
        day = date(int(line["Year"]), int(line["Month"]), int(line["DayofMonth"]))
        if line["Dest"] != airport or not first <= day <= last:
            continue
        if line.get("Cancelled") == "1" or line.get("Diverted") == "1":
            continue
        if line.get("CancellationCode") or line["ArrDelay"] == "NA":
            continue
        midnight = 1440 * ((day - first).days + 1)
        planned, landed = minutes(line["CRSArrTime"]), minutes(line["ArrTime"])
        delay, elapsed = int(line["ArrDelay"]), int(line["CRSElapsedTime"])
        if true_days:
            # By the clocks of the origin; that of the destination shows less than 12 hours more
            # or less.
            there = midnight + minutes(line["CRSDepTime"])
            time = midnight + planned - elapsed
            while time < there - 720:
                time += 1440
            while time > there + 720:
                time -= 1440
            label_time = time + elapsed + delay
        elif planned + delay >= 1440:
            continue
        else:
            time, label_time = midnight + planned - elapsed, midnight + landed
        label = "before_time" if delay < -10 else "delayed" if delay > 10 else "on_time"
        late = None if line["DepDelay"] == "NA" else int(line["DepDelay"])
        left = None if late is None else time + max(late, 0)
        found.append((time, label_time, label, late, left, number))
    return sorted(found, key=lambda flight: (flight[0], flight[-1]))


def minutes(clock: str) -> int:
    """Return 1:05, written 105, as 65."""
    digits = clock.zfill(4)
    return 60 * int(digits[:2]) + int(digits[2:])
