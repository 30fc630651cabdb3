"""Cells in columns."""

from __future__ import annotations

from streameval.view.text import in_columns


def test_columns_are_flush():
    rows = [("name", "n"), ("a", "1,000"), ("longer", "")]
    assert in_columns(rows) == ["name    n", "a       1,000", "longer"]
    assert in_columns(rows, right=[1]) == ["name        n", "a       1,000", "longer"]
