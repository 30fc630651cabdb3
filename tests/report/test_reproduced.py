"""What the first page says was reproduced: its counts are those of the scorecard's rows."""

from __future__ import annotations

import json
import re
from html import unescape

import pandas as pd
import pytest
from helpers import first_page

from streameval import papers
from streameval.report.reproduced import paper_sentence, reproduced_blocks, verdict_counts
from streameval.report.scorecard import COLUMNS, VERDICTS, scorecard_page
from streameval.report.verdict_groups import GROUPS, count_groups, verdict_texts
from streameval.report.what_ran import FrontSection

PAPERS = list(papers.all_papers().values())
#: Verdicts of each paper's rows, and whether they are by construction.
ROWS = {
    "bifet2013": ["reproduced"] * 3 + ["reproduced if truncated", "claim does not hold"],
    "zliobaite2015": ["claim holds in part", "not run", "not run: lower scale"],
    "bifet2015": [*VERDICTS, "within sampling error, at a lower scale"],
    "grzenda2019": ["not run"] * 2,
}

#: Groups without a row in common, which have all rows.
PARTS = ("agree", "differ", "neither", "by-construction", "not-run")


def card(rows: dict[str, list[str]] = ROWS, by_construction: int = 1) -> pd.DataFrame:
    """A scorecard of numbers; so many further rows of the first paper are by construction."""
    cells = [
        (paper, "table1", f"k{place}", "0.5", 0.5, 0.0, verdict, "rule", "reason", "no")
        for paper, verdicts in rows.items()
        for place, verdict in enumerate(verdicts)
    ]
    constructed = (
        "bifet2013",
        "table1",
        "g",
        *cells[0][3:6],
        "reproduced",
        "rule",
        "reason",
        "yes",
    )
    return pd.DataFrame([*cells, *[constructed] * by_construction], columns=COLUMNS)


def html(scorecard: pd.DataFrame, pages: tuple[str, ...] = ("bifet2013",)) -> str:
    return first_page.html(
        reproduced_blocks(scorecard, PAPERS, pages),
        [FrontSection("Verdicts", verdict_counts(scorecard, PAPERS))],
    )


def links(page: str) -> list[tuple[str, int]]:
    """The anchors in the scorecard to which a page leads, with the counts there."""
    pattern = r'<a href="scorecard\.html#([^"]+)">([\d,]+)</a>'
    return [(anchor, int(text.replace(",", ""))) for anchor, text in re.findall(pattern, page)]


def chosen_rows(page: str, anchor: str) -> int:
    """The number of rows that a scorecard's page shows at an anchor."""
    (picks,) = re.findall(rf'<span id="{anchor}" data-picks="([^"]+)"></span>', page)
    unions = {
        unescape(choice): json.loads(unescape(texts))
        for texts, choice in re.findall(r'<option data-any="([^"]+)">([^<]+)<', page)
    }
    chosen = json.loads(unescape(picks))
    body = page[page.index("<tbody>") : page.index("</tbody>")]
    number = 0
    for row in re.findall(r"<tr\b.*?</tr>", body):
        cells = re.findall(r"<t[dh]\b([^>]*)>", row)
        texts = [
            (unescape(re.findall(r'data-pick="([^"]*)"', cells[int(column)])[0]), choice)
            for column, choice in chosen.items()
        ]
        number += all(text in unions.get(choice, [choice]) for text, choice in texts)
    return number


def test_each_verdict_is_in_one_group():
    """Those at a lower scale neither agree nor differ."""
    for verdict in VERDICTS:
        counts = count_groups(card({"bifet2015": [verdict]}, by_construction=0))
        (group,) = (name for name in PARTS if counts[name])
        assert counts[group] == 1
        assert counts["compared"] == (group != "not-run") == (not verdict.startswith("not run"))
        if "lower scale" in verdict:
            assert group in ("neither", "not-run")


def test_choices_of_groups_are_no_verdicts():
    assert not {group.choice for group in GROUPS.values()} & {*verdict_texts(card())}


@pytest.mark.parametrize("by_construction", [0, 2])
def test_each_count_leads_to_as_many_rows(by_construction):
    scorecard = card(by_construction=by_construction)
    page = scorecard_page(scorecard, PAPERS)
    counts = links(html(scorecard))
    assert len(counts) > 20
    for anchor, number in counts:
        assert chosen_rows(page, anchor) == number, anchor


def test_counts_of_papers_add_up():
    scorecard = card()
    page = html(scorecard)
    (rows,) = first_page.tables(page)
    assert [row.pop("paper") for row in rows] == [paper.title for paper in PAPERS]
    numbers = pd.DataFrame(rows).astype(int)
    assert (numbers["compared here"] == numbers[["agree", "differ", "neither"]].sum(axis=1)).all()
    assert numbers[["compared here", "not run"]].to_numpy().sum() + 1 == len(scorecard)
    total = numbers.sum()
    assert first_page.lines(page)[0] == (
        f"Of {len(scorecard)} published numbers and claims, {total['compared here']} could be "
        f"compared here: {total['agree']} agree, {total['differ']} differ, {total['neither']} do "
        "neither."
    )
    assert "Not counted: agreement by construction (1), which" in "\n".join(first_page.lines(page))
    assert "Not counted" not in html(card(by_construction=0))


def test_verbs_follow_their_counts_and_none_has_a_0():
    page = html(card({"bifet2015": ["differs", "claim holds", "claim holds"]}, by_construction=0))
    assert first_page.lines(page)[0] == (
        "Of 3 published numbers and claims, 3 could be compared here: 2 agree, 1 differs."
    )


def test_papers_lead_to_their_pages():
    page = html(card())
    assert '<a href="bifet2013.html">Bifet et al. (2013)</a>' in page
    assert "grzenda2019.html" not in page


def test_a_run_that_compares_nothing_says_so():
    scorecard = card({"grzenda2019": ["not run"] * 3}, by_construction=0)
    page = html(scorecard)
    assert first_page.lines(page)[0] == (
        "None of 3 published numbers and claims could be compared here."
    )
    assert links(page)[0] == ("grzenda2019-not-run", 3)
    assert "Neither" not in page
    assert paper_sentence(scorecard, "grzenda2019") == "Nothing could be compared here."


def test_a_paper_has_a_sentence():
    text = paper_sentence(card(), "bifet2013")
    assert re.sub("<[^>]+>", "", text) == "Of what could be compared here, 4 of 5 agree."
    assert links(text) == [("bifet2013-agree", 4), ("bifet2013-compared", 5)]
    assert paper_sentence(card(), "beyond") == ""
    text = paper_sentence(card({"bifet2015": ["differs", "claim holds"]}), "bifet2015")
    assert re.sub("<[^>]+>", "", text) == "Of what could be compared here, 1 of 2 agrees."
