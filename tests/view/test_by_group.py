"""Tables of entities: the order of their rows, and the entities that are left out."""

from __future__ import annotations

import math

import pytest

from streameval.view.by_group import by_group_table, positive_count_text
from streameval.view.parts import Column

COLUMNS = [Column("accuracy", ["value"])]


def entities(*values, n=30):
    return [
        {"entity": name, "n": n, "value": value}
        for name, value in zip("abcdefg", values, strict=False)
    ]


def names(table):
    return [row["entity"] for row in table.rows]


def table_of(rows, **options):
    return by_group_table("site", COLUMNS, rows, "value", **options)


@pytest.mark.parametrize(
    ("values", "show_all", "expected"),
    [
        ((0.3, 0.1, 0.2), False, "bca"),  # three entities, all shown
        ((0.3, 0.1, 0.2, 0.4), False, "bcd"),
        ((0.3, 0.1, 0.2, 0.4, 0.5), False, "bae"),
        ((0.3, 0.1, 0.2, 0.4), True, "bcad"),
    ],
)
def test_the_lowest_value_is_first_and_a_short_table_has_three_rows(values, show_all, expected):
    table = table_of(entities(*values), show_all=show_all)
    assert "".join(names(table)) == expected
    is_short = len(values) > 3 and not show_all
    places = [row.get("place") for row in table.rows]
    assert places == (["worst", "median", "best"] if is_short else [None] * len(values))


def test_entities_with_few_labels_or_without_a_value_are_not_ranked():
    ranked = entities(0.1, -0.2)
    few = {"entity": "few", "n": 29, "value": -0.9}
    undefined = {"entity": "undefined", "n": 200, "value": math.nan}
    table = table_of([few, undefined, *ranked])
    assert names(table) == ["b", "a", "few", "undefined"]
    assert table.notes == ["Not ranked: 1 with fewer than 30 labels; 1 without a value."]
    assert table_of([*ranked, undefined]).notes == ["Not ranked: 1 without a value."]
    assert table_of(ranked).notes == []


def test_a_table_without_ranked_entities_has_rows_only_if_all_are_asked_for():
    rows = entities(0.1, 0.2, n=29)
    assert table_of(rows).rows == []
    assert names(table_of(rows, show_all=True)) == ["a", "b"]


def test_positive_values_are_counted_among_ranked_entities():
    rows = entities(0.1, 0.0, -0.1)
    assert positive_count_text(rows, "value") == "1 of 3"
    rows += [{"entity": "few", "n": 29, "value": 0.9}]
    assert positive_count_text(rows, "value") == "1 of 3 with at least 30 labels"
    rows[-1] = {"entity": "undefined", "n": 29, "value": math.nan}
    assert positive_count_text(rows, "value") == "1 of 3"
