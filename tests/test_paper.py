"""The paper has no other numbers than computed ones, and its references are there."""

from __future__ import annotations

import re

import yaml
from findings import pages

from streameval.base.references import plain_text, references
from streameval.base.settings import ROOT

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


def test_every_number_is_in_a_sentence_that_is_filled():
    text = NO_RESULT.sub("", TEXT)
    for sentence in pages.read_sentences()["paper.md"]:
        pattern = pages.pattern_of(sentence)
        assert pattern.search(text)
        text = pattern.sub("", text)
    assert re.findall(r".{30}\d[\d.,]*.{10}", text) == []


def test_it_has_the_sections_and_the_length_of_the_format():
    assert re.findall(r"^# (.*)$", PAPER, re.MULTILINE) == SECTIONS
    assert 750 <= len(PAPER.split()) <= 1750
    head = yaml.safe_load(HEAD)
    assert {"title", "tags", "authors", "affiliations", "date", "bibliography"} == set(head)
    places = {place["index"] for place in head["affiliations"]}
    assert {author["affiliation"] for author in head["authors"]} == places
    assert (ROOT / head["bibliography"]).is_file()


def bibliography() -> dict[str, dict[str, str]]:
    """The fields of the paper's references."""
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
