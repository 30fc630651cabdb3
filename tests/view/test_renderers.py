"""One view of every kind of part, as text, for notebooks, as a page, in Markdown, LaTeX and JSON.

What each shows of it is a file of `approved`; texts of anyone stay texts in all of them.
"""

from __future__ import annotations

import json
import math

import pytest
from helpers.approved import blocks, unlike

from streameval.view import notebook, text
from streameval.view.formats import score
from streameval.view.latex import latex
from streameval.view.markdown import markdown
from streameval.view.mixin import Viewable, as_json
from streameval.view.parts import (
    Bar,
    Code,
    Column,
    DeferredParts,
    DotInterval,
    Facts,
    Line,
    Picture,
    Sentence,
    Sentences,
    Table,
    View,
    Words,
    sentence_part,
    texts_table,
)
from streameval.view.table_page import TONES, table_page

NAN = math.nan
LONG = "word " * 30
#: Texts that are markup in one of the languages.
MARKED = "<b>a</b> & b|c_d 100 % $x$\n{e}"

ROWS = [
    {"name": MARKED, "mean": 0.5, "low": 0.25, "high": 0.75, "why": "", "kind": "one"},
    {"name": "b", "mean": None, "low": NAN, "high": NAN, "why": "no label", "kind": "another"},
    {"name": "c", "mean": -0.5, "low": -0.75, "high": -0.25, "why": "", "kind": "one"},
]


def _interval(row):
    return (
        None if row["mean"] is None else DotInterval(row["mean"], (row["low"], row["high"]), -1, 1)
    )


NAME = Column("", ["name"], kind="name")
LOW = Column("κ_t", ["low"], score, reason_key="why", group="Of one, & more")
COLUMNS = [
    NAME,
    Column("mean", ["mean", "low"], "{:.1f} [{:.2f}]".format, drawing=_interval),
    LOW,
    Column("high", ["high"], score, reason_key="why", group="Of one, & more"),
    Column("kind", ["kind"], kind="text"),
    Column("bar", ["low"], score, drawing=lambda row: Bar(row["low"], -1.0, 1.0)),
    Column("line", ["high"], score, drawing=lambda row: Line([0.2, NAN, row["high"]], -1.0, 1.0)),
]
TABLE = Table(COLUMNS, ROWS, "Of three <rows>.", ["A note: 100 % & more."])


def turned(letters):
    """A table with a column for each row, if these have room."""
    rows = [{"name": f"{name:x<{letters}}", "low": 0.5} for name in "abc"]
    return Table([NAME, Column("a long title", ["low"], score)], rows, transposed=True)


def undefined():
    """A column without any value."""
    rows = [{"name": name, "low": NAN, "why": "no label"} for name in "ab"]
    return Table([NAME, LOW], rows)


def many():
    """More rows than notebooks show; the last one is kept."""
    rows = [{"name": f"m{i}", "low": i / 50} for i in range(25)]
    return Table([NAME, Column("low", ["low"], score)], rows, always_shown=["m24"], noun="learners")


#: Findings with drawings: an equal one, two that differ, one without an interval.
FOUND = Sentences(
    [
        Sentence("a beats <b>.", [DotInterval(2.0, (1.0, 3.0), -4.0, 4.0, rope=0.5)], "good"),
        Sentence("c loses to b.", [DotInterval(-2.0, (-3.0, -1.0), -4.0, 4.0)], "bad"),
        Sentence(LONG, [DotInterval(2.0, (NAN, NAN), -4.0, 4.0)]),
        Sentence("a equals b.", [DotInterval(0.1, (-0.1, 0.3), -4.0, 4.0, rope=0.5)], "equal"),
    ],
    ["In brackets: 95 % intervals."],
    noun="pairs",
)


def view():
    """A view with every kind of part."""
    parts = [
        Words([LONG, "Another paragraph."], shown_in="text"),
        Words(["A note & a half."], note=True),
        sentence_part(["One & two.", LONG], ["A note of sentences."]),
        FOUND,
        TABLE,
        turned(4),
        turned(34),
        undefined(),
        DeferredParts(lambda: [many()], "notebook"),
        Facts([("stream", "sea"), ("", LONG), ("<name>", "a & b")], "About:"),
        Code("To copy", "<a>\n  b & c"),
        Picture("<svg></svg>", "", "What is <drawn>.", shown_in=""),
        Picture("<svg/>", "", "Drawn only."),
    ]
    return View(parts, lambda: {"n": 3, "rows": TABLE.json_rows}, "They are made up.")


def plain():
    """A view of a sentence, without limits."""
    return View([sentence_part(["One."])], lambda: {"n": 1})


def wide():
    """A page of verdicts: choices, small print, cells of all lengths, and numbers to sort by."""
    numbers = ["1,234", "−0.42", "88.5*", "79.2 %", "–", "[−0.1, 0.2]", "∞", "1e-5"]
    verdicts = [*TONES, "something new", "reproduced (by construction)"]
    texts = [MARKED, "x" * 24, "x" * 25, "x " * 30 + "x", LONG * 2, "a\nb <c>", "", "x " * 30]
    rows = [
        (
            "" if at % 4 else f"stream {9 + at}",
            numbers[at % 8],
            verdict,
            texts[at % 8],
            "pq"[at % 2],
        )
        for at, verdict in enumerate(verdicts)
    ]
    heads = ["Stream", "κ_t", "Verdict", "Text", "Pick"]
    return texts_table(
        "", heads, rows, alignment="lrlll", notes=["A note: <b> & 100 %.", "Another."]
    )


GROUPED = texts_table(
    *("", ["stream", "mean", MARKED, "κ_t"], [["sea", "0.5", MARKED, "−0.1"], ["b", "1", "", "–"]]),
    alignment="lrlr",
    groups=["", "Of one, & more", "Of one, & more", "κ_m"],
    notes=["A note: 100 % & more."],
)
WIDE = texts_table("", ["text", "number"], [[LONG * 2, "1" * 70]] * 2, alignment="lr")
TALL = texts_table("", ["text", "number"], [["a", "1"]] * 25, alignment="lr")
TALLER = texts_table("", ["text", "number"], [["a", "1"]] * 41, alignment="lr")

#: What each renderer shows.
SHOWN = {
    "text.txt": lambda: "\n".join(text.text_lines(view())),
    "text_plain.txt": lambda: "\n".join(text.text_lines(plain())),
    "notebook.html": lambda: blocks(notebook.html(view())),
    "notebook_plain.html": lambda: blocks(notebook.html(plain())),
    "numbers.json": lambda: json.dumps(as_json(view()), indent=1, allow_nan=False),
    "numbers_plain.json": lambda: json.dumps(as_json(plain()), indent=1, allow_nan=False),
    "page.html": lambda: blocks(
        table_page(wide(), MARKED + ".", lead="One.", csv="a,κ\n0.1,2\n", name="some")
    ),
    "page_plain.html": lambda: blocks(table_page(TALL, "Title")),
    "table.md": lambda: markdown(TABLE, "A caption, 100 %") + "\n" + markdown(GROUPED, MARKED),
    "table.tex": lambda: (
        latex(TABLE, "A caption, 100 %", "tab:a") + latex(GROUPED, MARKED, "tab:b")
    ),
    "table_wide.tex": lambda: latex(WIDE, "Set smaller", "tab:c"),
    "table_tall.tex": lambda: latex(TALLER, "Broken over pages", "tab:d"),
}


@pytest.mark.parametrize("name", SHOWN)
def test_a_renderer_agrees_with_the_approved_file(approved, name):
    approved(f"view/{name}", f"{SHOWN[name]().rstrip()}\n")


def test_files_and_renderers_are_the_same():
    assert not unlike("view", SHOWN)


class Result(Viewable):
    """A result that tells the view."""

    def _view(self):
        return view()


def test_a_result_shows_its_view():
    result = Result()
    assert result.lines() == repr(result).split("\n") == text.text_lines(view())
    assert result._repr_html_() == notebook.html(view())
    assert result.to_dict() == as_json(view())
    assert (result.sentences(), result.limits) == (view().sentences, view().limits)


def test_parts_are_made_where_they_are_shown():
    calls = []

    def make():
        calls.append(1)
        return [Words(["drawn"])]

    late = View([Words(["all"]), DeferredParts(make, "notebook")], dict)
    assert text.text_lines(late) == ["all"]
    assert not calls
    assert "<p>drawn</p>" in notebook.html(late)
