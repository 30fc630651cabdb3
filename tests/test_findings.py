"""The numbers in the text of pages are computed by `docs/findings`."""

from __future__ import annotations

import re

import pytest
from findings import pages
from findings.groups import FROM_ALL_STUDIES, FROM_FILES, FROM_RUN, LONG, Run
from findings.tuned_nulls import WAYS, right_of, stream_of, verdicts_of
from helpers.finished_runs import finished_run

import streameval as se
from calibration.verdict_laws import NearestMean
from streameval.base.settings import ROOT
from streameval.evaluation.verdict_words import UNDECIDED

NUMBER = re.compile(r"(?<![\w₀-₉/])\d+(?:[.,/]\d+)*(?![\w₀-₉])")
#: What is no result: the claim of a paper as it prints it, titles, names of files, keys and data
#: sets, places in papers, dates, the confidence of intervals, and zeros and ones in formulas.
NO_RESULT = re.compile(
    r"\*\*Claim(?:\.\*\*| \*\*|\*\* ).*?(?=- \*\*Here)|^#.*?$"
    r"|`[^`]*`|\]\([^)]*\)|<!--.*?-->|\d{4}-\d\d-\d\d|\(\d{4}\)|et al\., \d{4}"
    r"|\b(?:Figures?|Tables?|Sections?|Propositions?|Theorem|Algorithm) "
    r"[\d.]*\d(?:(?:,| to| and) [\d.]*\d)*"
    r"|\b95 % interval|\b10 % file|\bbin 0\b|Δ\(\d+\)|(?<![\d.,])[01](?![\d.,]*\d)",
    re.DOTALL | re.MULTILINE,
)


@pytest.fixture(scope="module")
def values():
    return {**pages.compute(FROM_FILES), **pages.stored_values()}


def test_pages_have_the_computed_numbers(values):
    differing = [
        page
        for page, text in pages.render_pages(values).items()
        if (ROOT / page).read_text(encoding="utf-8") != text
    ]
    assert not differing, f"make findings renews {', '.join(differing)}; read the diff"


def test_pages_use_all_values(values):
    texts = [
        path.read_text(encoding="utf-8") for path in (*pages.TEMPLATES.values(), pages.SENTENCES)
    ]
    used = {mark for text in texts for mark in pages.marks(text)}
    known = {(group, name) for group, names in values.items() for name in names}
    assert known - used == set(), "a claim that does not hold, or any other value, is in no page"
    assert used - known == set()


def test_stored_values_are_those_that_need_a_run_or_many_seconds():
    names = {name for groups in pages.STORED_GROUPS for name in groups.functions}
    assert pages.stored_values().keys() == names


def test_templates_have_no_typed_results():
    typed = {}
    for path in (*pages.TEMPLATES.values(), pages.SENTENCES):
        text = NO_RESULT.sub("", path.read_text(encoding="utf-8"))
        typed |= {
            text[max(0, m.start() - 50) : m.end() + 20]: path.name for m in NUMBER.finditer(text)
        }
    assert not typed


def test_sentences_are_of_pages():
    folders = {page.partition("/")[0] for page in pages.read_sentences()}
    assert folders == {"README.md", "docs", "paper.md"}


def test_the_findings_can_be_read_in_ten_minutes():
    assert (ROOT / "docs" / "findings.md").stat().st_size <= 20_000


def test_a_mark_without_a_value_is_named(tmp_path):
    template = tmp_path / "page.md.in"
    template.write_text("{kdd99.rows} rows, {kdd99.nothing} and {none.rows}", encoding="utf-8")
    with pytest.raises(LookupError, match=r"\{kdd99\.nothing\}, \{none\.rows\}"):
        pages.render(template, {"kdd99": {"rows": "5"}})


def test_a_sentence_is_filled_wherever_its_lines_break():
    text = "On 5,000\nrows, and on 5,000 rows. None has 0.1."
    sentences = ["On {a.n} rows", "None has {a.rate}."]
    filled = pages.fill_sentences(
        "page.md", text, sentences, {"a": {"n": "70,000", "rate": "−0.25"}}
    )
    assert filled == "On 70,000\nrows, and on 5,000 rows. None has −0.25."
    with pytest.raises(LookupError, match=r"Expected in page\.md, .*: All {a\.n}"):
        pages.fill_sentences("page.md", text, ["All {a.n} rows"], {"a": {"n": "5"}})


def test_a_folder_without_a_finished_run_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"found no digests\.json in"):
        Run(tmp_path)


@pytest.mark.finished_run
@pytest.mark.long("they are simulations")
@pytest.mark.parametrize("name", LONG.functions)
def test_values_that_take_long(name):
    assert LONG.functions[name]() == pages.stored_values()[name]


@pytest.mark.finished_run
@pytest.mark.parametrize("name", FROM_RUN.functions)
def test_values_of_a_run_of_the_papers(name):
    assert FROM_RUN.functions[name](finished_run()) == pages.stored_values()[name]


@pytest.mark.finished_run
@pytest.mark.all_studies
@pytest.mark.parametrize("name", FROM_ALL_STUDIES.functions)
def test_values_of_a_run_of_all_studies(name):
    assert FROM_ALL_STUDIES.functions[name](finished_run()) == pages.stored_values()[name]


@pytest.mark.parametrize("way", WAYS)
def test_the_simulation_of_tuning_gives_the_verdicts_of_tune_and_compare(way):
    stream = stream_of(1500, 6, 0.9, "check")
    right = right_of(stream)
    tuning = se.tune(stream, NearestMean(), {"attribute": range(6)}, 300)
    best = tuning.to_dict()["parameters"]["attribute"]
    assert best == right[:300, :-1].mean(axis=0).argmax()
    learners = {"best": NearestMean(best), "rival": NearestMean(6)}
    if way == "rest":
        compared = se.compare(stream, {"best": tuning, "rival": NearestMean(6)}, rope=0.0)
    elif way == "prefix":
        compared = se.compare(stream.first(300), learners, rope=0.0)
    else:
        learners["best"] = NearestMean(int(right[:, :-1].mean(axis=0).argmax()))
        compared = se.compare(stream, learners, rope=0.0)
    assert verdicts_of(right, 300)[way] == (compared.verdict != UNDECIDED)
