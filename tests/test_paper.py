"""The numbers of paper.md are those of files in the repository, and its references are there."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pandas as pd
import pytest
import yaml
from helpers.findings import TEXT as FINDINGS

from streameval.base.references import plain_text, references
from streameval.base.settings import ROOT
from streameval.learners.registry import built_in
from streameval.learners.tasks import CLASSIFICATION
from streameval.significance.stream_mean import LEAST_EFFECTIVE

_, HEAD, PAPER = (ROOT / "paper.md").read_text(encoding="utf-8").split("---\n", 2)
TEXT = " ".join(PAPER.split())
BIBLIOGRAPHY = (ROOT / "paper.bib").read_text(encoding="utf-8")
#: What the format asks for, in its order.
SECTIONS = [
    "Summary",
    "Statement of need",
    "State of the field",
    "Software design",
    "Research impact statement",
    "AI usage disclosure",
    "Acknowledgements",
    "References",
]
#: What has digits and is no result: citations.
NO_RESULT = re.compile(r"@\w+")


def found(sentence: str) -> tuple[str, ...]:
    """Return the groups of a pattern that docs/findings.md has once; a test there computes them."""
    (match,) = re.finditer(sentence, FINDINGS)
    return match.groups()


def of_delays(sentence: str) -> tuple[str, ...]:
    """Return the groups of a pattern that docs/delays.md has once."""
    page = " ".join((ROOT / "docs/delays.md").read_text(encoding="utf-8").split())
    (match,) = re.finditer(sentence, page)
    return match.groups()


def measured(name: str) -> pd.DataFrame:
    return pd.read_csv(ROOT / "benchmarks" / f"{name}.csv")


def from_findings() -> Iterator[str]:
    tree, label = found(r"the tree \((0\.\d+)\) is less accurate than No-Change \((0\.\d+)\), and")
    yield f"a Hoeffding adaptive tree has an accuracy of {tree}. Repeating the previous label"
    yield f"without any model, has {label}."
    first, last, fewest, most = found(
        r"McNemar's test rejects a true null hypothesis in (\d+), \d+, \d+ and (\d+) % of the runs "
        r"after ([\d,]+), 5,000, 20,000 and ([\d,]+) instances"
    )
    yield f"in {first} % of the runs after {fewest} instances and in {last} % after {most}"
    low, high = found(r"equal simple learners is better in (\S+) to (\S+) % of the streams")
    yield f"better in {low} to {high} % of the streams"
    low, high, cells = found(r"in (\S+) to (\S+) % of fresh streams, over (\d+) cells of law")
    yield f"measured over {cells} cells of law, length and validation"
    yield f"it excludes 0 in {low} to {high} % of fresh streams"
    share, most = found(
        r"80, 90 and (\d+) % of the labels in one class it does so in up to 8.8, 16.5 and (\S+) %"
    )
    yield f"with {share} % of the labels in one class it does so in up to {most} %"
    (digits,) = found(
        r"All (\d+) accuracies on the five streams that can be had have the printed digits"
    )
    yield f"all {digits} on the five streams that can be had are reproduced"
    wins, folds, level = found(
        r"With (\d) wins in (\d+) folds the classifiers differ at (\d) %, as"
    )
    (p_value,) = found(r"The two-sided p-value is 112/1024 = (0\.\d+), so they do not")
    yield f"calls {wins} wins in {folds} folds significant at {level} %, where the exact two-sided "
    yield f"p-value is {p_value}"
    less, gain = found(
        r"electricity: (\S+) points \(95 % [^)]+\) instead of (\S+) \([^)]+\) with d = 0"
    )
    yield f"falls from {gain} to {less} points"


def from_files() -> Iterator[str]:
    table = measured("throughput")
    assert table["equal_answers"].all()
    yield f"On {len(table)} pairs of learner and stream the number of correct predictions equals"
    least, most = table["times_moa"].min(), table["times_moa"].max()
    yield f"throughput on one core is {least} to {most} times that of MOA"
    seconds = measured("compilation").set_index("learner").loc["all of them", "first_seconds"]
    yield f"takes {seconds:.0f} seconds for all classifiers together"
    (row,) = measured("type_errors").to_dict("records")
    yield f"MOA's own task takes {row['times_moa']} times as long for the same work"
    claims = (ROOT / "resources/published").glob("*/claims.csv")
    yield f"{sum(len(pd.read_csv(path)) for path in claims)} of their claims are entered"
    listed = pd.read_csv(ROOT / "resources/published/zliobaite2015/elec2_literature.csv")
    own = listed[listed["in_bifet2013_table1"] == 1]
    (no_change,) = listed.loc[listed["algorithm"].str.contains("No-Change"), "accuracy_percent"]
    others = own.loc[~own["algorithm"].str.contains("No-Change"), "accuracy_percent"]
    yield (
        f"of the {len(others)} accuracies on electricity that they collected from the literature, "
        f"{(others < no_change).sum()} are below it"
    )
    yield f"below {LEAST_EFFECTIVE} of them there is no interval"
    few, many, less = of_delays(
        r"River have (\d+) instances .*? CapyMOA ([\d,]+) or (\d+), depending"
    )
    assert less == few
    yield f"leave {few} or {many} instances between an instance and its label"


SENTENCES = [*from_findings(), *from_files(), "scores exactly 0.", "excludes 0 in"]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_the_paper_says_what_the_files_say(sentence):
    assert sentence in TEXT


def test_no_other_number_is_in_it():
    text = NO_RESULT.sub("", TEXT)
    for sentence in SENTENCES:
        text = text.replace(sentence, "")
    assert re.findall(r".{30}\d[\d.,]*.{10}", text) == []


def test_numbers_in_words():
    assert found(r"126 accuracies of (\w+) learners on (\w+) streams") == ("seven", "six")
    assert "print for seven learners on six streams" in TEXT
    papers = [path for path in (ROOT / "resources/published").iterdir() if path.is_dir()]
    assert len(papers) == 4
    assert "figures of four papers on stream evaluation" in TEXT


def test_all_classifiers_were_compiled():
    assert {*built_in(CLASSIFICATION)} <= set(measured("compilation")["learner"])


def test_it_has_the_sections_and_the_length_of_the_format():
    assert re.findall(r"^# (.*)$", PAPER, re.MULTILINE) == SECTIONS
    assert 750 <= len(PAPER.split()) <= 1750
    head = yaml.safe_load(HEAD)
    assert {"title", "tags", "authors", "affiliations", "date", "bibliography"} == set(head)
    places = {place["index"] for place in head["affiliations"]}
    assert {author["affiliation"] for author in head["authors"]} == places
    assert (ROOT / head["bibliography"]).is_file()


def bibliography() -> dict[str, dict[str, str]]:
    """Return the fields of the paper's references."""
    entries = re.findall(r"^@\w+\{(\w+),\n(.*?)^\}", BIBLIOGRAPHY, re.MULTILINE | re.DOTALL)
    return {
        key: dict(re.findall(r"^ +(\w+) = \{(.*)\},?$", entry, re.MULTILINE))
        for key, entry in entries
    }


def test_references_are_those_of_the_package():
    names = {"author", "title", "volume", "number", "pages", "year", "doi", "note"}
    shared = bibliography().keys() & references().keys()
    assert {"bifet2013", "bifet2015", "grzenda2019", "zliobaite2015"} <= shared
    for key in shared:
        entry = {name: plain_text(value) for name, value in bibliography()[key].items()}
        known = references()[key].fields
        for name in names & (entry.keys() | known.keys()):
            assert entry.get(name) == known.get(name), f"{key}: {name}"


def test_references_are_there_and_used():
    assert set(re.findall(r"@(\w+)", PAPER)) == set(bibliography())
    for key, fields in bibliography().items():
        assert {"author", "title", "year"} <= set(fields), key
        where = fields.get("doi") or fields["url"]
        assert re.fullmatch(r"10\.\d{4,5}/\S+|https://\S+", where), key
