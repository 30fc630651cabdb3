"""BibTeX entries are complete, and all citations of the registries lead to them."""

import re
from dataclasses import dataclass

import pytest

from streameval.base.references import (
    UnknownWorkError,
    bibtex,
    cited_keys,
    plain_text,
    references,
)
from streameval.base.settings import ROOT
from streameval.detectors.registry import DETECTORS
from streameval.evaluation.class_scores import ALL_SCORE_MEASURES
from streameval.learners.registry import LEARNERS, load_learners
from streameval.learners.wrappers.registry import WRAPPERS
from streameval.measures.registry import MEASURES
from streameval.protocols.registry import PROTOCOLS
from streameval.significance.registry import TESTS
from streameval.streams.registry import load_registry

#: What an entry needs by its kind, as BibTeX has it.
NEEDED = {
    "article": {"author", "title", "journal", "volume", "pages", "year"},
    "inproceedings": {"author", "title", "booktitle", "pages", "year"},
    "book": {"author", "title", "publisher", "year"},
    "techreport": {"author", "title", "institution", "number", "year"},
    "misc": {"author", "title", "howpublished", "year"},
    "software": {"author", "title", "version"},
}
REGISTRIES = {
    "detectors": DETECTORS,
    "learners": LEARNERS,
    "measures": MEASURES,
    "protocols": PROTOCOLS,
    "scores": ALL_SCORE_MEASURES,
    "tests": TESTS,
    "wrappers": WRAPPERS,
}


@dataclass
class Entry:
    kind: str
    key: str
    fields: dict[str, str]


def parsed(text):
    """Return the entries of a BibTeX text, read as BibTeX reads it: with balanced braces."""
    at, entries = 0, []
    while (at := text.find("@", at)) >= 0:
        kind, _, rest = text[at + 1 :].partition("{")
        end, depth = 0, 1
        while depth:
            depth += {"{": 1, "}": -1}.get(rest[end], 0)
            end += 1
        key, _, body = rest[: end - 1].partition(",")
        fields, place = {}, 0
        while field := re.compile(r"\s*(\w+)\s*=\s*\{").match(body, place):
            place, depth = field.end(), 1
            start = place
            while depth:
                depth += {"{": 1, "}": -1}.get(body[place], 0)
                place += 1
            fields[field[1]] = body[start : place - 1]
            place += body[place : place + 1] == ","
        assert not body[place:].strip(), f"{key}: not read: {body[place:]!r}"
        entries.append(Entry(kind, key, fields))
        at += len(kind) + 1 + end
    return entries


@pytest.mark.parametrize("entry", parsed(bibtex(references(), {})), ids=lambda entry: entry.key)
def test_entries_are_complete(entry):
    assert NEEDED[entry.kind] <= entry.fields.keys()
    assert all(value.strip() for value in entry.fields.values())
    assert entry.kind == "software" or re.fullmatch(r"(19|20)\d\d", entry.fields["year"])
    if "pages" in entry.fields:
        first, last = map(int, entry.fields["pages"].split("--"))
        assert first <= last
    assert "\\" not in plain_text(entry.fields["author"])
    assert all(author.strip() for author in entry.fields["author"].split(" and "))


def test_entries_are_sorted_and_ascii():
    """TeX reads the file in any encoding; a new entry has one place."""
    assert [*references()] == sorted(references())
    assert all(work.entry.isascii() for work in references().values())
    titles = [work.fields["title"].lower() for work in references().values()]
    assert len({*titles}) == len(titles)


@pytest.mark.parametrize("registry", REGISTRIES)
def test_citations_of_registries_lead_to_entries(registry):
    for name in REGISTRIES[registry]:
        text = REGISTRIES[registry][name].reference
        assert cited_keys(text) or text.startswith("none"), f"{name}: {text}"


def test_citations_of_shipped_learners_and_streams_lead_to_entries():
    for spec in load_learners(ROOT / "config" / "learners.yaml").values():
        assert cited_keys(spec.citation), spec.id
    without = {
        spec.id
        for spec in load_registry(check_options=False).values()
        if not cited_keys(spec.citation)
    }
    generated = {name for name in without if name.startswith("markov_")}
    assert not without - generated


def test_each_entry_is_cited_or_of_a_method_of_pages():
    texts = [one.reference for some in REGISTRIES.values() for one in map(some.__getitem__, some)]
    texts += [spec.citation for spec in load_learners(ROOT / "config" / "learners.yaml").values()]
    texts += [spec.citation for spec in load_registry(check_options=False).values()]
    cited = {key for text in texts for key in cited_keys(text)}
    assert {*references()} - cited <= {"geyer1992"}


def test_names_and_years_lead_to_a_work():
    assert cited_keys("Gama et al. (2004); Cohen (1960), Section 2") == ["gama2004", "cohen1960"]
    assert cited_keys("Žliobaitė, Bifet, Pfahringer, Holmes (2014)") == ["zliobaite2014"]
    assert cited_keys("Grzenda et al. (2019)") == cited_keys("Grzenda, Gomes and Bifet (2020)")
    assert cited_keys("Data Expo 2009, doi:10.7910/DVN/HG7NV7") == ["dataexpo2009"]
    assert cited_keys("none: a baseline") == []


@pytest.mark.parametrize("text", ["Nobody (1999)", "Bifet et al. (2010)", "Gama (2004)"])
def test_unknown_and_ambiguous_works_are_refused(text):
    with pytest.raises(UnknownWorkError, match=r"Expected one entry"):
        cited_keys(text)


def test_bibtex_has_each_work_once_and_says_what_has_no_entry():
    text = bibtex(
        ["cohen1960"], {"Mine": "Nobody (1999)", "Tree": "Cohen (1960); Gama et al. (2013)"}
    )
    assert [entry.key for entry in parsed(text)] == ["streameval", "cohen1960", "gama2013"]
    assert text.endswith("% No entry for Mine: Nobody (1999)")
