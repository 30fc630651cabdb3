"""Tables by group: a row for each entity of a stream, or for the worst, median and best entity."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from streameval.view.parts import Column, Table

#: Smallest number of labels of an entity that is ranked. The numbers of entities with fewer labels
#: vary most, so these would usually be the worst and the best.
MIN_RANKED_LABELS = 30
#: Names of the three entities in a table that does not show all.
RANK_NAMES = ("worst", "median", "best")


def by_group_table(
    group: str,
    columns: Sequence[Column],
    rows: Sequence[Mapping[str, Any]],
    ranked_by: str,
    *,
    title: str = "",
    rank_names: Sequence[str] = RANK_NAMES,
    show_all: bool = False,
) -> Table:
    """Table with a row for each entity, or only for the lowest, median and highest value.

    All entities are shown if `show_all` is true or if one to three are ranked. The lowest value is
    first; entities with fewer than `MIN_RANKED_LABELS` labels come last.

    Parameters
    ----------
    group : str
        Name of the input with the entities.
    columns : sequence of Column
        Columns after the name of the entity.
    rows : sequence of mapping
        Rows with the keys ``entity``, ``n``, the number of its labels, and those of the columns.
    ranked_by : str
        The key of the value by which entities are ranked.
    title : str
        Title of the table.
    rank_names : sequence of str
        Names of the lowest, the median and the highest value.
    show_all : bool
        Whether all entities are shown.
    """
    ranked = sorted(_ranked(rows, ranked_by), key=lambda row: row[ranked_by])
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
    if not show_all and len(ranked) > len(rank_names):
        indices = (0, (len(ranked) - 1) // 2, len(ranked) - 1)
        entity_rows = [
            {**ranked[i], "place": name} for i, name in zip(indices, rank_names, strict=True)
        ]
        all_columns = [Column("", ["place"], kind="name"), Column(group, ["entity"], kind="text")]
        all_columns += columns
        notes.append(
            f"All {len(rows):,}: --by-group of evaluate, compare and check; in Python by_group()."
        )
    elif not show_all and not ranked:  # the note counts them; their values vary too much
        entity_rows = []
    return Table(all_columns, entity_rows, title, notes)


def positive_count_text(rows: Sequence[Mapping[str, Any]], ranked_by: str) -> str:
    """Number of ranked entities with a value above 0, as text: "3 of 16".

    Entities with too few labels are not counted; if there are any, the text says so.
    """
    ranked = _ranked(rows, ranked_by)
    text = f"{sum(row[ranked_by] > 0.0 for row in ranked):,} of {len(ranked):,}"
    n_with_value = sum(not math.isnan(row[ranked_by]) for row in rows)
    return (
        text if len(ranked) == n_with_value else f"{text} with at least {MIN_RANKED_LABELS} labels"
    )


def _ranked(rows: Sequence[Mapping[str, Any]], ranked_by: str) -> list[Mapping[str, Any]]:
    """Rows of entities with a value and enough labels."""
    return [row for row in rows if row["n"] >= MIN_RANKED_LABELS and not math.isnan(row[ranked_by])]
