"""Tables by group: a row for each entity of a stream, or for the worst, median and best entity."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from streameval.view.blocks import Column, Table

#: Smallest number of labels of an entity that is ranked. The numbers of entities with fewer labels
#: vary most, so these would usually be the worst and the best.
MIN_RANKED_LABELS = 30
#: Names of the entities in a table that does not show all.
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
    """Table with a row for each entity, or only for the lowest, median and highest value.

    It has all entities if `every` is true or if there are at most three. The lowest value is first;
    entities with fewer than `MIN_RANKED_LABELS` labels come last. Each of `rows` has an ``entity``,
    the number ``n`` of its labels and the value ``key``; `ends` name the three entities.
    """
    ranked = sorted(_ranked(rows, key), key=lambda row: row[key])
    unranked = [row for row in rows if row not in ranked]
    notes = []
    if unranked:
        n_small = sum(row["n"] < MIN_RANKED_LABELS for row in unranked)
        reasons = {
            f"with fewer than {MIN_RANKED_LABELS} labels": n_small,
            "without a value": len(unranked) - n_small,
        }
        texts = [f"{number:,} {reason}" for reason, number in reasons.items() if number]
        notes.append(f"Not ranked: {'; '.join(texts)}.")
    entity_rows, all_columns = [*ranked, *unranked], [Column("", ["entity"], kind="name"), *columns]
    if not every and len(ranked) > len(ends):
        places = (0, (len(ranked) - 1) // 2, len(ranked) - 1)
        entity_rows = [{**ranked[i], "place": name} for i, name in zip(places, ends, strict=True)]
        all_columns = [Column("", ["place"], kind="name"), Column(group, ["entity"], kind="text")]
        all_columns += columns
        notes.append(
            f"All {len(rows):,}: --by-group of evaluate, compare and check; in Python by_group()."
        )
    elif not every and not ranked:
        entity_rows = []
    return Table(all_columns, entity_rows, title, notes)


def positive_of_ranked(rows: Sequence[Mapping[str, Any]], key: str) -> str:
    """Number of ranked entities with a value above 0, as text: "3 of 16".

    Entities with too few labels are not counted; if there are any, the text says so.
    """
    ranked = _ranked(rows, key)
    text = f"{sum(row[key] > 0.0 for row in ranked):,} of {len(ranked):,}"
    n_with_value = sum(not math.isnan(row[key]) for row in rows)
    return (
        text if len(ranked) == n_with_value else f"{text} with at least {MIN_RANKED_LABELS} labels"
    )


def _ranked(rows: Sequence[Mapping[str, Any]], key: str) -> list[Mapping[str, Any]]:
    """Rows of entities with a value and enough labels."""
    return [row for row in rows if row["n"] >= MIN_RANKED_LABELS and not math.isnan(row[key])]
