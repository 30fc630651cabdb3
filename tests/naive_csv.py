"""CSV read slowly and literally, by the standard library alone."""

from __future__ import annotations

import csv
import io
import math
import re
from datetime import UTC, datetime, time, timedelta

MISSING = ("", "?", "NA", "NaN", "nan")
_TIME = r"[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?"
_ZONE = r"(Z|[-+][0-9]{2}(:?[0-9]{2})?)?"


def number(text):
    pattern = r"([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]+)?|inf|infinity|nan"
    return float(text) if re.fullmatch(rf"[-+]?({pattern})", text, re.IGNORECASE) else None


def truth(text):
    return {"true": 1.0, "false": 0.0}.get(text.lower())


def moment(text):
    if not re.fullmatch(rf"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}([ T]{_TIME}{_ZONE})?", text):
        return None
    found = datetime.fromisoformat(text)
    found = found if found.tzinfo else found.replace(tzinfo=UTC)
    return (found - datetime(1970, 1, 1, tzinfo=UTC)) / timedelta(seconds=1)


def time_of_day(text):
    if not re.fullmatch(_TIME, text):
        return None
    found = time.fromisoformat(text)
    return 3600 * found.hour + 60 * found.minute + found.second + found.microsecond / 1e6


def _try(read, text):
    try:
        return read(text)
    except ValueError:  # no day of the calendar, no time of the day
        return None


def column(texts):
    """Return the values of a nominal attribute, or None, and the column."""
    texts = [text.strip(" \t") for text in texts]
    present = [text for text in texts if text not in MISSING]
    for read in (number, truth, moment, time_of_day):
        known = {text: _try(read, text) for text in present}
        if None not in known.values():
            return None, [known.get(text, math.nan) for text in texts]
    values = tuple(sorted(set(present)))
    return values, [values.index(t) if t not in MISSING else math.nan for t in texts]


def read(content):
    """Return names, values, columns and labels of a file with the labels in the column ``c``.

    Raises
    ------
    ValueError, csv.Error
        If there is anything that is none of CSV, or none of a stream.
    """
    if b"\0" in content:
        raise ValueError("a zero byte")
    text = content.decode("utf-8").lstrip("\ufeff")
    rows = [row for row in csv.reader(io.StringIO(text, newline=""), strict=True) if row]
    if len(rows) < 2 or len({len(row) for row in rows}) > 1:
        raise ValueError("no rows, or ragged ones")
    names = [cell.strip() or f"x{j + 1}" for j, cell in enumerate(rows[0])]
    columns = dict(zip(names, zip(*rows[1:], strict=True), strict=True))
    if len(columns) < max(len(names), 2) or "c" not in columns:
        raise ValueError("equal names, or no input, or no target")
    labels = [label.strip(" \t") for label in columns.pop("c")]
    kinds = {name: column(texts) for name, texts in columns.items()}
    infinite = any(v is None and any(map(math.isinf, numbers)) for v, numbers in kinds.values())
    if infinite or any(label in MISSING for label in labels):
        raise ValueError("an infinite number, or no label")
    return kinds, labels
