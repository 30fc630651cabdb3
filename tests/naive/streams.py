"""Slow, literal twins of what `streameval.streams` does with arrays."""

from __future__ import annotations


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
