"""BibTeX entries are complete, and all citations of the registries lead to them."""

import datetime
import re
import unicodedata

import pytest

from streameval.base.references import (
    UnknownWorkError,
    bibtex,
    citation_pattern,
    cited_keys,
    references,
)
from streameval.base.settings import ROOT
from streameval.detectors.registry import DETECTORS
from streameval.evaluation.class_scores import ALL_SCORE_MEASURES
from streameval.evaluation.methods import INTERVAL_REFERENCES
from streameval.learners.registry import LEARNERS, load_learners
from streameval.learners.wrappers.registry import WRAPPERS
from streameval.measures.registry import MEASURES
from streameval.protocols.registry import PROTOCOLS
from streameval.significance.registry import TESTS
from streameval.streams.registry import load_registry

#: What an entry needs by its kind, as BibTeX has it, and a place to find the work.
NEEDED = {
    "article": {"author", "title", "journal", "volume", "year"},
    "inproceedings": {"author", "title", "booktitle", "pages", "year"},
    "book": {"author", "title", "publisher", "year"},
    "techreport": {"author", "title", "institution", "year"},
    "misc": {"author", "title", "howpublished", "year"},
}
#: Entries with the name of a program or of data in their keys, not that of the first author.
NAMED_AFTER_TITLE = {"dataexpo2009", "moa2010", "river2021"}
#: A volume, its number or None, and pages, as docstrings have them.
VOLUME_AND_PAGES = re.compile(r" (\d+)(?:\((\d+)\))?, (\d+[-–]\d+)")
#: Works without an entry whose first author and year have another one.
OTHER_WORKS = {
    "Bifet, Holmes, Pfahringer, Kirkby, Gavaldà (2009)",
    "Bifet, Read, Pfahringer, Holmes, Žliobaitė (2013)",
}
REGISTRIES = (DETECTORS, LEARNERS, MEASURES, PROTOCOLS, ALL_SCORE_MEASURES, TESTS, WRAPPERS)


@pytest.mark.parametrize("work", references().values(), ids=lambda work: work.key)
def test_entries_are_complete(work):
    assert NEEDED[work.kind] <= work.fields.keys()
    assert all(value.strip() for value in work.fields.values())
    assert 1900 <= int(work.fields["year"]) <= datetime.datetime.now(datetime.UTC).year
    assert work.kind != "article" or {"pages", "doi"} & work.fields.keys()
    if "pages" in work.fields:
        first, last = map(int, work.fields["pages"].split("–"))
        assert first <= last
    assert all(author.strip() for author in work.fields["author"].split(" and "))
    # The package reads a field from each line.
    lines = work.entry.splitlines()
    assert len(work.fields) == len(lines) - 2
    assert all(line.count("{") == line.count("}") for line in lines[1:-1])
    assert lines[-1] == "}"
    for value in work.fields.values():
        assert "\\" not in value, "write accents as {\\'e}, {\\c c} or {\\'\\i}"
    assert not re.search(r"\{\\[^a-z]i\}", work.entry), "an i with an accent has no dot: {\\'\\i}"


def test_each_work_has_one_entry_at_its_place():
    """TeX reads the file in any encoding."""
    works = references().values()
    assert [*references()] == sorted(references())
    assert all(work.entry.isascii() for work in works)
    dois = [work.fields["doi"] for work in works if "doi" in work.fields]
    for values in (dois, [work.fields["title"] for work in works]):
        assert len({value.lower() for value in values}) == len(values)
    assert [doi for doi in dois if not re.fullmatch(r"10\.\d{4,5}/[\w.:/()-]*\w", doi)] == []


@pytest.mark.parametrize("work", references().values(), ids=lambda work: work.key)
def test_keys_are_the_first_author_and_the_year(work):
    """A paper that was online before has that year in its key, and says so."""
    name, year = re.fullmatch(r"([a-z]+)(\d{4})[a-z]*", work.key).groups()
    if work.key in NAMED_AFTER_TITLE:
        title = work.fields["title"].lower().replace(" ", "")
        assert title.startswith(name)
        assert year in title or year == work.fields["year"]
        return
    letters = unicodedata.normalize("NFD", work.surnames[0]).encode("ascii", "ignore").decode()
    assert re.split(r"\W", letters.lower())[0] == name
    if year != work.fields["year"]:
        assert work.fields["note"] == f"Published online in {year}"
        assert year < work.fields["year"]


def test_registries_lead_to_entries_and_each_entry_is_cited_or_of_a_method_of_pages():
    texts = [registry[name].reference for registry in REGISTRIES for name in registry]
    texts += [spec.citation for spec in load_learners(ROOT / "config" / "learners.yaml").values()]
    texts += [
        spec.citation
        for spec in load_registry(check_options=False).values()
        if spec.citation or not spec.id.startswith("markov_")
    ]
    assert [text for text in texts if not cited_keys(text) and not text.startswith("none")] == []
    cited = {key for text in texts for key in cited_keys(text)}
    papers = {path.name for path in (ROOT / "resources/published").iterdir() if path.is_dir()}
    assert {*references()} == cited | {*INTERVAL_REFERENCES} | papers


def citations(path):
    """Yield (citation, surnames, year, whether more authors follow, rest of the sentence).

    Only those whose first author has an entry of that year: others, such as the sources of a
    method that no registry has, need no BibTeX.
    """
    text = re.sub(r"\s*\n\s*(?:#:? )?", " ", path.read_text(encoding="utf-8"))
    text = re.sub(r"( et al\.),? (\d{4})\b", r"\1 (\2)", text)
    firsts = {(work.surnames[0], year) for work in references().values() for year in work.years}
    for match in citation_pattern().finditer(text):
        names, more, year = match.groups()
        surnames = re.split(", | and ", names)
        if (surnames[0], year) in firsts and match[0] not in OTHER_WORKS:
            rest = re.split(r"[.;] ", text[match.end() :], maxsplit=1)[0]
            yield match[0], surnames, year, more is not None, rest


def contradictions(work, rest):
    """Yield volumes and pages of a sentence with the title of a work that are not the work's."""
    fields = work.fields
    start = " ".join(fields["title"].lower().split()[:3])
    if rest.lower().lstrip(", *").startswith(start):
        for volume, number, pages in VOLUME_AND_PAGES.findall(rest):
            said = volume, number or fields.get("number", ""), pages.replace("-", "–")
            if said != tuple(fields.get(name, "") for name in ("volume", "number", "pages")):
                yield said


@pytest.mark.parametrize("folder", ["src", "docs", "config", "validation", "benchmarks"])
def test_texts_agree_with_entries(folder):
    """Authors and year lead to one entry; volume and pages behind its title are the entry's."""
    n_citations, wrong = 0, []
    paths = [path for kind in ("py", "md", "yaml") for path in (ROOT / folder).rglob(f"*.{kind}")]
    for path in paths:
        for citation, surnames, year, more, rest in citations(path):
            n_citations += 1
            works = [w for w in references().values() if w.is_cited_by(surnames, year, et_al=more)]
            if len(works) != 1:
                wrong.append((path.name, citation, [work.key for work in works]))
            else:
                wrong += [(path.name, citation, said) for said in contradictions(works[0], rest)]
    assert wrong == []
    assert n_citations


def test_names_and_years_lead_to_a_work():
    assert cited_keys("Gama et al. (2004); Cohen (1960), Section 2") == ["gama2004", "cohen1960"]
    assert cited_keys("Žliobaitė, Bifet, Pfahringer, Holmes (2014)") == ["zliobaite2014"]
    assert cited_keys("Grzenda et al. (2019)") == cited_keys("Grzenda, Gomes and Bifet (2020)")
    assert cited_keys("Bifet, De Francisci Morales, Read, Holmes and Pfahringer (2015)") == [
        "bifet2015"
    ]
    assert cited_keys("Souza, dos Reis, Maletzke and Batista (2020)") == ["souza2020"]
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
    keys = re.findall(r"^@\w+\{(\w+),$", text, re.MULTILINE)
    assert keys == ["streameval", "cohen1960", "gama2013"]
    assert text.endswith("% No entry for Mine: Nobody (1999)")
