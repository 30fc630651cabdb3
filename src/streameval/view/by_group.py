"""Tables by group: a row for each entity of a stream, or for three of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from streameval.view.blocks import Column, Table

#: Entities with fewer labels are not ranked: their numbers vary most, so they would be both ends.
LEAST_RANKED = 30
#: The three that are shown where not all are.
ENDS = ("worst", "median", "best")


def by_group_table(
    group: str,
    columns: Sequence[Column],
    rows: Sequence[Mapping[str, Any]],
    key: str,
    *,
    title: str = "",
    ends: Sequence[str] = ENDS,
    every: bool = False,
) -> Table:
    """Table with a row for each entity in order of a value, or for both ends and the median.

    Rows have an ``entity``, the number ``n`` of its labels and the value ``key``, the larger the
    better. Entities with fewer than `LEAST_RANKED` labels come last.
    """
    ranked = sorted(_ranked(rows, key), key=lambda row: row[key])
    others = [row for row in rows if row not in ranked]
    notes = []
    if others:
        notes.append(f"Not ranked: {len(others):,} with fewer than {LEAST_RANKED} labels.")
    entity_rows, named = [*ranked, *others], [Column("", ["entity"], kind="name"), *columns]
    if not every and len(ranked) > len(ends):
        places = (0, (len(ranked) - 1) // 2, len(ranked) - 1)
        entity_rows = [{**ranked[at], "place": end} for at, end in zip(places, ends, strict=True)]
        named = [Column("", ["place"], kind="name"), Column(group, ["entity"], kind="text")]
        named += columns
        notes.append(
            f"All {len(rows):,}: --by-group of evaluate, compare and check; in Python by_group()."
        )
    elif not every and not ranked:
        entity_rows = []
    return Table(named, entity_rows, title, notes)


def positive_of_ranked(rows: Sequence[Mapping[str, Any]], key: str) -> str:
    """In how many of the ranked entities a value is above 0, in words: "3 of 16".

    If others have too few labels to be ranked, they are not counted, and it says so.
    """
    ranked = _ranked(rows, key)
    text = f"{sum(row[key] > 0.0 for row in ranked):,} of {len(ranked):,}"
    known = sum(not math.isnan(row[key]) for row in rows)
    return text if len(ranked) == known else f"{text} with at least {LEAST_RANKED} labels"


def _ranked(rows: Sequence[Mapping[str, Any]], key: str) -> list[Mapping[str, Any]]:
    """Rows of entities with a value and enough labels."""
    return [row for row in rows if row["n"] >= LEAST_RANKED and not math.isnan(row[key])]
