"""Cells in columns."""

from __future__ import annotations

import pytest

from streameval.view.parts import Column, Table, View
from streameval.view.text import WIDTH, align_columns, text_lines


def test_columns_are_flush():
    rows = [("name", "n"), ("a", "1,000"), ("longer", "")]
    assert align_columns(rows) == ["name    n", "a       1,000", "longer"]
    assert align_columns(rows, right=[1]) == ["name        n", "a       1,000", "longer"]


@pytest.mark.parametrize("letters", [1, 12, 30, 60])
@pytest.mark.parametrize("learners", [1, 2, 3, 7, 20])
def test_a_turned_table_has_blocks_that_lines_have_room_for(learners, letters):
    names = [f"{number:x<{letters}}" for number in range(learners)]
    heads = [f"the measure number {number}" for number in range(9)]  # too wide as they are
    rows = [{"name": name, "value": f"{name}!"} for name in names]
    columns = [Column("", ["name"], kind="name"), *(Column(head, ["value"]) for head in heads)]
    lines = text_lines(View([Table(columns, rows, transposed=True)], dict))
    blocks = [block.split("\n") for block in "\n".join(lines).split("\n\n")]
    assert max(map(len, lines)) <= WIDTH
    assert [name for names, *_ in blocks for name in names.split()] == names
    for first, *measures in blocks:  # each block has all measures, of its learners
        assert [line[: len(heads[0])] for line in measures] == heads
        cells = [f"{name}!" for name in first.split()]
        assert {tuple(line[len(heads[0]) :].split()) for line in measures} == {tuple(cells)}
    full = {len(names.split()) for names, *_ in blocks[:-1]}
    assert len(full) <= 1
    if full:  # another learner would have had no room
        (most,) = full
        assert len(heads[0]) + (most + 1) * (2 + max(12, len(names[-1]) + 1)) > WIDTH
