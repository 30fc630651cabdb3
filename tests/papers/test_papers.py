"""Papers: what there is to know about each."""

from __future__ import annotations

import re
import subprocess
import sys

import pandas as pd
import pytest
from helpers.scorecards import FOLDER, card_of

from streameval import papers
from streameval.base.settings import ROOT, load_yaml
from streameval.pipeline.configuration import complete, merge_files
from streameval.pipeline.items import items_of
from streameval.report.names import key_title
from streameval.report.results import Results
from streameval.report.scorecard import COLUMNS, scorecard, scorecard_page


def test_papers_are_listed_in_the_order_of_their_publication():
    listed = papers.all_papers()
    assert list(listed) == ["bifet2013", "zliobaite2015", "bifet2015", "grzenda2019"]
    assert [paper.id for paper in papers.select_papers(["mine", "bifet2015", "bifet2013"])] == [
        "bifet2015",
        "bifet2013",
    ]


@pytest.mark.parametrize("paper", papers.all_papers().values(), ids=list(papers.all_papers()))
def test_id_title_and_citation_name_the_same_year(paper):
    year = paper.id[-4:]
    assert paper.title.endswith(f"({year})")
    assert paper.date.startswith(f"{year}-")
    assert f" ({year}). " in paper.citation
    assert (ROOT / "resources" / "published" / paper.id).is_dir()


def test_what_papers_say_of_items_is_about_items():
    items = items_of(complete({**merge_files([]), "studies": "all"}))
    for paper in papers.all_papers().values():
        assert {*paper.reads} <= {*items}
        assert {f"{paper.id}/{name}" for name in paper.drawn_in.values()} <= {*items}
        assert not {f"{paper.id}/{name}" for name in paper.drawn_in} & {*items}


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("mcnemar/non-prequential/0/bootstrap", "McNemar, non-prequential, no noise, bootstrap"),
        ("sea_50/0.05/cv", "sea 50, noise 0.05, cross-validation"),
        ("1/classifier_a", "fold 1, classifier a"),
        ("led/0/hoeffding_tree", "led, bin 0, hoeffding tree"),
        ("led/B+1/knn", "led, bin B+1, knn"),
        ("kappa_m", "κ_m"),
        ("elec2/P(c1|c1)", "elec2, P(c1|c1)"),
    ],
)
def test_keys_of_published_numbers_in_words(key, words):
    assert key_title(key) == words


@pytest.mark.parametrize("paper", papers.all_papers().values(), ids=list(papers.all_papers()))
def test_words_of_published_numbers_are_as_many_as_their_keys(paper):
    for table in paper.tables:
        keys = [key for key, _ in table.read_numbers(FOLDER, paper.id)]
        words = [key_title(key) for key in keys]
        assert len({*words}) == len(keys) > 0
        assert not re.search(r"[a-z]_[a-z]{2}|/", " ".join(words))


def test_what_users_are_asked_to_cite_are_these_papers():
    citations = [paper.citation.casefold() for paper in papers.all_papers().values()]
    for reference in load_yaml(ROOT / "CITATION.cff")["references"]:
        title = reference["title"].casefold()
        assert any(f"({reference['year']}). {title}" in citation for citation in citations), title


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("papers.all_papers()", ("numpy", "pandas", "streameval.report")),
        (
            "import streameval.report.scorecard; [p.claims for p in papers.all_papers().values()]",
            ("scipy.stats", "streameval.learners", "streameval.pipeline", "streameval.streams"),
        ),
    ],
)
def test_papers_import_little(code, absent):
    script = f"from streameval import papers; {code}; import sys; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "streameval.papers.bifet2013" in run.stdout.split()
    assert not [name for name in run.stdout.split() if name in absent]


def test_a_scorecard_shows_the_papers_that_it_is_asked_for():
    whole, folder = card_of({}), FOLDER
    some = scorecard(papers.select_papers(["bifet2015", "bifet2013"]), folder, Results({}))
    assert some["paper"].unique().tolist() == ["bifet2015", "bifet2013"]
    for name, rows in some.groupby("paper"):
        same = whole[whole["paper"] == name].reset_index(drop=True)
        pd.testing.assert_frame_equal(rows.reset_index(drop=True), same)
    none = scorecard([], folder, Results({}))
    assert list(none.columns) == COLUMNS
    assert none.empty
    assert "0 of 0 published numbers" in scorecard_page(none, [])
