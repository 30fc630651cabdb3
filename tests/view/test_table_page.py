"""Tables as web pages: their contents; tests/report/test_browser.py opens them."""

from __future__ import annotations

import json
import re

import numpy as np
import pandas as pd
import pytest
from helpers.shown_tables import Page, page_of

from streameval import papers
from streameval.report.number_verdicts import SAME_COUNT
from streameval.report.published import NOT_IN_VERSION
from streameval.report.scorecard import COLUMNS, VERDICTS, scorecard_page
from streameval.view.files import read_texts, write_table
from streameval.view.parts import texts_table
from streameval.view.table_page import MOST_BYTES, OPEN, TONES, rank, table_element, table_page


def test_nothing_comes_from_outside():
    text = page_of(pd.DataFrame({"a": ["x"]}), "l", "Title", csv="a\nx\n")
    links = re.findall(r"(?:src|href|url|import)\W+([^\"' >]*)", text)
    assert links
    assert all(link.startswith("data:") for link in links)


def test_a_column_of_few_texts_that_come_often_is_a_choice():
    cells = pd.DataFrame(
        {
            "kind": ["a", "b", "c", "d"] * 3,
            "rare": ["a", "b", "c", "d", "e"] * 2 + ["a", "b"],
            "same": ["a"] * 12,
            "lines": ["a", "b\nc"] * 6,
            "some": ["", "b"] * 6,
            "number": ["1", "2"] * 6,
            "two": ["a", "b"] * 6,
            "Verdict": ["differs"] * 12,
        }
    )
    page = Page(page_of(cells, "lllllrll", "Title"))
    choices = page.having("select", "data-column")
    assert [choice["data-column"] for choice in choices] == ["0", "6", "7"]  # any verdict is one
    picked = [cell["data-pick"] for _, cell in page.tags if "data-pick" in cell]
    assert picked[:6] == ["a", "a", "differs", "b", "b", "differs"]
    assert len(picked) == 3 * 12
    # In the first column, what is empty stands for the one above; 24 texts are a choice, 25 not.
    for n, choices in ((24, 1), (25, 0)):
        first = [text for i in range(n) for text in (f"text {i}", "", "")]
        page = Page(page_of(pd.DataFrame({"a": first}), "l", "Title"))
        assert len(page.having("select", "data-column")) == choices


def cell_of(text, column=1):
    """The second row's cell of a table, as HTML."""
    rows = [["one", "x"], ["two", text] if column else [text, "y"]]
    page = page_of(pd.DataFrame(rows, columns=["a", "b"]), "ll", "Title")
    return re.findall(r"<t[dh][ >].*?</t[dh]>", page.partition("<tbody>")[2])[2 + column]


@pytest.mark.parametrize(("length", "folded"), [(180, 0), (181, 1)])
def test_only_a_very_long_cell_is_folded(length, folded):
    assert cell_of(("word " * 40)[:length]).count("<details>") == folded


def test_a_table_in_another_page_shows_the_same_without_controls():
    rows = [
        ["a <b>", "1,000 ± 2", "not run"],
        ["", "−2", "differs"],
        ["c", "word " * 40, "differs"],
    ]
    table = texts_table("", ["What", "κ_t", "Verdict"], rows, alignment="lrl", notes=["A note."])
    whole, element = table_page(table, "A <title>."), table_element(table, "A <title>.")
    assert Page(element).rows == Page(whole).rows
    attributes = {name for _, of in Page(element).tags for name in of}
    assert attributes == {"class", "scope", "aria-hidden", "data-folded"}
    assert "<caption>A &lt;title&gt;</caption>" in element
    assert "<button" not in element


def test_texts_of_a_table_are_read_as_they_were_written(tmp_path):
    cells = [["κ_t <a>", "1,000", ""], ["two\nlines", "−0.5", "é"]]
    frame = pd.DataFrame({"a": [1.0, 2.0]})
    table = texts_table("", ["x", "y", "z"], cells, alignment="lrl", notes=["*: one", "two"])
    write_table(frame, tmp_path / "t_0.5", caption="A caption.", label="a", table=table)
    texts = read_texts(tmp_path / "t_0.5.json")
    assert (texts.cells, texts.alignment, texts.title) == (table.cells, "lrl", "A caption.")
    assert texts.notes == ["*: one", "two"]


OPEN_ONES = ("claim undecided", "differs, at a lower scale", "something new")


def test_every_verdict_has_its_word_a_sign_and_a_colour():
    verdicts = [*{*VERDICTS, *TONES, "something new"}]
    text = page_of(pd.DataFrame({"what": "x", "Verdict": verdicts}), "ll", "Title")
    assert [cells[1].split(maxsplit=1)[1] for cells in Page(text).rows[1:]] == verdicts
    rows = text[text.index("<tbody>") :].split("\n")[1:]
    for verdict, row in zip(verdicts, rows, strict=False):
        tone = re.search(r'class="badge (\w+)"', row)[1]
        assert f".{tone} {{" in text
        assert ("<tr data-folded>" in row) is verdict.startswith("not run")
        assert (tone == OPEN) is (verdict in OPEN_ONES)


def test_a_page_that_no_frame_would_show_is_cut_and_says_so():
    cells = pd.DataFrame({"a": [f"row {i}" for i in range(30_000)], "b": ["x" * 50] * 30_000})
    text = page_of(cells, "ll", "Title", csv=cells.to_csv(), name="big")
    assert len(text.encode()) <= MOST_BYTES
    n_rows = len(Page(text).rows) - 1
    assert n_rows > 5_000
    assert f"These are the first {n_rows:,} of 30,000 rows; big.csv has all of them." in text


def test_an_anchor_is_in_the_first_row_with_its_texts():
    rows = [["a <b>", "differs"], ["c", "claim holds"], ["", "reproduced"], ["c", "reproduced"]]
    text = table_page(
        texts_table("", ["What", "Verdict"], rows, alignment="ll"),
        "Title",
        verdict_groups={"all that agree": ["claim holds", "reproduced"]},
        anchors={
            "c-agree": {"What": "c", "Verdict": "all that agree"},
            "c-same": {"What": "c", "Verdict": "reproduced"},
            "a-differ": {"What": "a <b>", "Verdict": "differs"},
            "a-agree": {"What": "a <b>", "Verdict": "all that agree"},
        },
    )
    page = Page(text)
    spots = {spot["id"]: json.loads(spot["data-picks"]) for spot in page.having("span", "id")}
    # None of a <b> agrees; an empty first cell stands for the one above it.
    assert spots == {
        "a-differ": {"0": "a <b>", "1": "differs"},
        "c-agree": {"0": "c", "1": "all that agree"},
        "c-same": {"0": "c", "1": "reproduced"},
    }
    starts = [text.index(f'id="{anchor}"') for anchor in spots]
    assert starts == sorted(starts)
    body = text[text.index("<tbody>") :].split("<tr>")[1:]
    assert ["c-same" in row for row in body] == [False, False, True, False]
    (union,) = page.having("option", "data-any")
    assert json.loads(union["data-any"]) == ["claim holds", "reproduced"]
    assert [attributes["data-column"] for attributes in page.having("select", "data-column")] == [
        "0",
        "1",
    ]


PAPERS = list(papers.all_papers().values())


def card(rows: list[tuple[object, ...]]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=COLUMNS)


NOT_RUN = ("k", "1.0", np.nan, np.nan, "not run", "none")
NOT_BUILT = ("grzenda2019", "table1", *NOT_RUN, NOT_IN_VERSION, "no")
ABSENT = ("bifet2013", "table2", *NOT_RUN, "no stream", "no")
NUMBERS = ("0.60", 0.568377, -0.0316)
COMPARED = ("zliobaite2015", "fig6", "k", *NUMBERS, "differs", SAME_COUNT, "why", "no")


def test_the_scorecard_begins_with_compared_results():
    text = scorecard_page(card([NOT_BUILT, ABSENT, NOT_BUILT, COMPARED]), PAPERS)
    page = Page(text)
    verdicts = [row[-2].split(maxsplit=1)[1] for row in page.rows[1:]]
    assert verdicts == ["differs", "not run", "not run"]
    assert "1 of 4 published numbers and claims were compared" in text
    assert "Grzenda et al. (2019): 2 belong to studies that are not part" in text
    assert page.rows[3][1:3] == ["Table 1", "2 numbers or claims"]
    row = ["Žliobaitė et al. (2015)", "Figure 6", "k", "0.60", "0.5684", "−0.0316"]
    assert page.rows[1][:6] == row


def test_agreement_by_construction_is_marked_and_not_counted():
    row = (*COMPARED[:6], "reproduced", *COMPARED[7:9], "yes")
    text = scorecard_page(card([row, COMPARED]), PAPERS)
    assert "1 of 2 published numbers and claims were compared with this run; 1 more agree" in text
    assert "Agreement by construction says nothing about this run." in text
    assert Page(text).rows[2][-2] == "– reproduced (by construction)"
    assert 'class="badge none"' in text
    assert "<tr data-folded>" not in text


def test_differing_results_come_first_and_results_not_run_last():
    verdicts = [
        *("not run", "reproduced", "claim holds in part", "within sampling error", "differs"),
        *("differs, at a lower scale", "claim undecided", "claim holds", "claim does not hold"),
    ]
    rows = [(*COMPARED[:6], verdict, *COMPARED[7:]) for verdict in verdicts]
    rows.insert(0, (*COMPARED[:6], "reproduced", *COMPARED[7:9], "yes"))
    page = Page(scorecard_page(card(rows), PAPERS))
    assert [row[-2].split(maxsplit=1)[1] for row in page.rows[1:]] == [
        *("claim does not hold", "differs", "claim holds in part", "differs, at a lower scale"),
        *("claim undecided", "within sampling error", "claim holds", "reproduced"),
        *("reproduced (by construction)", "not run"),
    ]
    assert rank("something new") < rank("claim does not hold")


def test_the_numbers_of_cards_are_named_whatever_their_names_are():
    name = 'A } "</style>'
    cells = pd.DataFrame([["x", "1", "y"]], columns=["a", name, "c"])
    text = page_of(cells, "lrl", "Title", cards=True)
    assert '<table class="cards">' in text
    style = text[text.index("<style>") : text.index("</style>")]
    escaped = re.sub(r"\\([0-9a-f]{6})", lambda escape: chr(int(escape[1], 16)), style)
    assert f':nth-child(2)::before {{ content: "{name}" }}' in escaped
    assert name not in text
    assert "nth-child(3)::before" not in text
    assert "::before { content" not in page_of(cells, "lrl", "Title")


def test_the_scorecard_shows_claims_and_numbers_in_words():
    about = ("fig6-8", "key", "A claim", 0.75, -0.25, "claim does not hold")
    row = Page(scorecard_page(card([("bifet2013", *about, "all", "why", "no")]), PAPERS)).rows[1]
    assert row[1:5] == ["Figures 6 to 8", "A claimkey", "claim", "75 %of conditions"]
    assert row[-1] == "whyRule: all"
    about = ("table2", "mcnemar/prequential/0.05/cv", "-1.5", -1.4, 0.1, "differs")
    row = Page(scorecard_page(card([("bifet2015", *about, "digits", "why", "no")]), PAPERS)).rows[1]
    assert row[1:4] == ["Table 2", "McNemar, prequential, noise 0.05, cross-validation", "−1.5"]


def test_a_scorecard_without_any_row_compared_is_a_page():
    assert "0 of 1 published numbers" in scorecard_page(card([ABSENT]), PAPERS)
