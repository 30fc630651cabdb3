"""A result that tells itself by one view: as text, for notebooks and as numbers."""

from __future__ import annotations

import json
import math

import pytest

from streameval.view.blocks import Column, Table, View
from streameval.view.mixin import Viewed
from streameval.view.words import score

ROWS = [
    {"name": "<a>", "mean": 0.5, "low": 0.25, "kind": "one"},
    {"name": "b", "mean": None, "low": math.nan, "kind": "another"},
]
COLUMNS = [
    Column("", ["name"], kind="name"),
    Column("mean", ["mean", "low"], "{:.1f} [{:.2f}]".format),
    Column("low", ["low"], score),
    Column("kind", ["kind"], kind="text"),
]
LIMITS = "They are made up."


class Result(Viewed):
    head: tuple[str, ...] = ("Two rows.",)
    limits_ = LIMITS

    def _view(self):
        table = Table(COLUMNS, ROWS)
        numbers = {"rows": table.numbers}
        return View(["One & two.", "word " * 30], [table], numbers, self.head, self.limits_)


class Brief(Result):
    head, limits_ = (), ""


def test_text_has_all_blocks_with_lines_between():
    told = Result().lines()
    assert told == repr(Result()).split("\n")
    assert told[:5] == [
        "Two rows.",
        "",
        "           mean        low  kind",
        "<a>  0.5 [0.25]     0.2500  one",
        "b                undefined  another",
    ]
    assert told[5:7] == ["", "One & two."]
    assert told[8].startswith("  word")  # a sentence goes on
    assert told[-2:] == ["", LIMITS]


def test_text_leaves_out_what_there_is_not():
    told = Brief().lines()
    assert told[0].split() == ["mean", "low", "kind"]
    assert told[-1].endswith("word")
    assert 'class="note"' not in Brief()._repr_html_()


def test_notebooks_get_sentences_tables_and_limits():
    html = Result()._repr_html_()
    parts = ["<p>One &amp; two.</p>", "<th>mean</th>", "<th>&lt;a&gt;</th>", "<td>0.5 [0.25]</td>"]
    places = [html.index(part) for part in [*parts, f'<p class="note">{LIMITS}']]
    assert places == sorted(places)
    assert "Two rows." not in html


def test_numbers_are_plain():
    told = json.loads(json.dumps(Result().to_dict(), allow_nan=False))
    assert told["rows"][1] == {"name": "b", "mean": None, "low": None, "kind": "another"}
    assert told["sentences"] == Result().sentences()
    assert told["limits"] == Result().limits == LIMITS


def test_a_view_must_be_there():
    with pytest.raises(NotImplementedError):
        Viewed().lines()
