"""A result that tells itself by one view: as text, for notebooks and as numbers."""

from __future__ import annotations

import json
import math

import pytest

from streameval.view import notebook, text
from streameval.view.blocks import (
    Code,
    Column,
    Facts,
    Later,
    Picture,
    Table,
    View,
    Words,
    sentences,
)
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
        head = [Words(self.head, only="text")] if self.head else []
        found = sentences(["One & two.", "word " * 30])
        return View([*head, table, found], lambda: {"rows": table.numbers}, self.limits_)


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
    parts = ["<th>mean</th>", "<th>&lt;a&gt;</th>", "<td>0.5 [0.25]</td>", "<p>One &amp; two.</p>"]
    places = [html.index(part) for part in [*parts, f'<p class="note">{LIMITS}']]
    assert places == sorted(places)
    assert "Two rows." not in html


def test_numbers_are_plain():
    told = json.loads(json.dumps(Result().to_dict(), allow_nan=False))
    assert told["rows"][1] == {"name": "b", "mean": None, "low": None, "kind": "another"}
    assert told["sentences"] == Result().sentences()
    assert told["limits"] == Result().limits == LIMITS


def test_a_view_must_be_there():
    with pytest.raises(TypeError, match="_view"):
        Viewed()


def test_a_turned_table_has_a_column_for_each_row_where_they_fit():
    columns = [Column("", ["name"], kind="name"), Column("a long title", ["mean"], "{:.1f}".format)]
    rows = [{"name": name, "mean": 0.5} for name in ("one", "two")]
    told = text.lines(View([Table(columns, rows, turned=True)], dict))
    assert told == [f"{'':<12}  {'one':>12}  {'two':>12}", "a long title" + f"{0.5:>14}" * 2]
    many = [{"name": f"learner number {i}", "mean": 0.5} for i in range(9)]
    told = text.lines(View([Table(columns, many, turned=True)], dict))
    assert told[1].split() == ["learner", "number", "0", "0.5"]


def test_what_is_undefined_has_its_reason_and_names_the_rows():
    value = Column("κ", ["kappa"], score, reason="why")
    columns = [Column("", ["name"], kind="name"), value]
    rows = [{"name": name, "kappa": math.nan, "why": "no label"} for name in ("one", "two")]
    assert text.lines(View([Table(columns, rows)], dict))[-1] == "κ is undefined: no label."
    rows[0] |= {"kappa": 0.5}
    told = text.lines(View([Table(columns, rows)], dict))[-1]
    assert told == "κ of two is undefined: no label."
    assert '<td title="no label">undefined</td>' in notebook.html(
        View([Table(columns, rows)], dict)
    )


def test_facts_go_on_below_their_text():
    facts = Facts([("stream", "sea"), ("", "word " * 30)], "About:")
    told = text.lines(View([facts], dict))
    assert told[:2] == ["About:", f"{'stream':<24}sea"]
    assert told[2].startswith(f"{'':<24}word")
    html = notebook.html(View([facts], dict))
    assert "<p>About:</p>" in html
    assert "<th>stream</th>" in html


def test_parts_are_made_where_they_are_shown():
    made = []

    def make():
        made.append(1)
        return [Words(["drawn"])]

    view = View([Words(["all"]), Words(["text"], only="text"), Later(make, "drawn")], dict)
    assert text.lines(view) == ["all", "", "text"]
    assert not made
    html = notebook.html(view)
    assert "<p>all</p><p>drawn</p>" in html
    assert "text</p>" not in html


def test_texts_to_copy_and_pictures_are_parts():
    parts = [Code("To copy", "<a>\nb"), Picture("<svg></svg>", "", "What is <drawn>.", only="")]
    assert text.lines(View(parts, dict)) == ["To copy", "<a>", "b", "", "What is <drawn>."]
    html = notebook.html(View(parts, dict))
    assert "<pre>&lt;a&gt;\nb</pre><svg></svg>" in html
    assert "What is &lt;drawn&gt;." in html
