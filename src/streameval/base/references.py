"""BibTeX of the works that registries cite; ``references.bib`` has the entries.

Registries use short citations: ``Gama et al. (2013), Section 2; Cohen (1960)``. The entry is found
by the surnames of all authors, or of the first ones with "et al.", and the year.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from streameval import __version__

#: The key of the package's own entry.
PACKAGE_KEY = "streameval"
#: Combining characters of Unicode for the accents of TeX.
_ACCENTS = {
    "'": "\N{COMBINING ACUTE ACCENT}",
    "`": "\N{COMBINING GRAVE ACCENT}",
    '"': "\N{COMBINING DIAERESIS}",
    "^": "\N{COMBINING CIRCUMFLEX ACCENT}",
    "~": "\N{COMBINING TILDE}",
    ".": "\N{COMBINING DOT ABOVE}",
    "v": "\N{COMBINING CARON}",
    "c": "\N{COMBINING CEDILLA}",
}
#: An accented letter in TeX, also a dotless ``\i``; the groups are the accent and the letter.
_ACCENTED = re.compile(r"\{\\([^a-zA-Z]|[a-z] )\\?([a-zA-Z])\}")
#: A field of an entry; the groups are its name and its value.
_FIELD = re.compile(r"^  (\w+) = \{(.*)\},?$", re.MULTILINE)
#: Start of an entry; the groups are its kind and its key.
_HEAD = re.compile(r"@(\w+)\{([^,]+),")
#: A surname of one word; capitals outside Latin-1 are listed one by one. Surnames of several
#: words are taken from the entries.
_SURNAME = r"[A-ZÀ-ÞŽŠČ][\w'’-]*"
_DOI = re.compile(r"\bdoi:(10\.\d+/\S*\w)")


class Reference(NamedTuple):
    """A work: its BibTeX entry as text, and its fields without TeX commands."""

    key: str
    kind: str
    entry: str
    fields: Mapping[str, str]

    @property
    def surnames(self) -> list[str]:
        """Surnames of all authors, in order."""
        authors = self.fields.get("author", "").split(" and ")
        return [author.partition(",")[0].strip() for author in authors if author]

    @property
    def years(self) -> set[str]:
        """Years in the entry and in its key; they differ if a paper appeared online earlier."""
        return {self.fields.get("year", ""), *re.findall(r"\d{4}", self.key)}

    def is_cited_by(self, names: list[str], year: str, *, et_al: bool) -> bool:
        """Whether surnames and a year cite this work; with `et_al`, further authors may follow."""
        surnames = self.surnames[: len(names)] if et_al else self.surnames
        return year in self.years and names == surnames


class UnknownWorkError(LookupError):
    """A citation that matches no entry, or several entries."""


@cache
def references() -> dict[str, Reference]:
    """Entries of ``references.bib`` by key."""
    text = Path(__file__).with_name("references.bib").read_text(encoding="utf-8")
    parts = [part.strip().lstrip("@") for part in text.split("\n@")]  # the first begins with "@"
    works = [_reference(f"@{part}") for part in parts if part]
    return {work.key: work for work in works}


@cache
def citation_pattern() -> re.Pattern[str]:
    """Pattern of "Gama et al. (2013)"; its groups are the surnames, " et al." and the year."""
    of_several_words = {
        name for work in references().values() for name in work.surnames if " " in name
    }
    alternatives = "|".join(re.escape(name) for name in sorted(of_several_words))
    surname = f"(?:{alternatives}|{_SURNAME})"
    return re.compile(rf"({surname}(?:(?:, | and ){surname})*)( et al\.)? \((\d{{4}})\)")


def _reference(entry: str) -> Reference:
    head = _HEAD.match(entry)
    assert head is not None, entry  # noqa: S101, the file comes with the package
    fields = {name: plain_text(value) for name, value in _FIELD.findall(entry)}
    return Reference(head[2], head[1], entry, fields)


def plain_text(text: str) -> str:
    """Text of a BibTeX field with accented letters in place of TeX commands."""
    text = _ACCENTED.sub(lambda accented: accented[2] + _ACCENTS[accented[1].strip()], text)
    text = text.replace("\\&", "&").replace("--", "–")
    return unicodedata.normalize("NFC", text.replace("{", "").replace("}", ""))


def cited_keys(text: str) -> list[str]:
    """Keys of the works that a text cites by surnames and year or by DOI, without duplicates.

    Raises
    ------
    UnknownWorkError
        If a citation matches no entry of ``references.bib``, or several entries.
    """
    keys = []
    for names, et_al, year in citation_pattern().findall(text):
        surnames, works = re.split(", | and ", names), references().values()
        matches = [
            work.key for work in works if work.is_cited_by(surnames, year, et_al=bool(et_al))
        ]
        keys.append(_single(matches, f"{names}{et_al} ({year})"))
    for doi in _DOI.findall(text):
        works = references().values()
        matches = [work.key for work in works if work.fields.get("doi") == doi]
        keys.append(_single(matches, f"doi:{doi}"))
    return list(dict.fromkeys(keys))


def _single(keys: list[str], citation: str) -> str:
    if len(keys) == 1:
        return keys[0]
    raise UnknownWorkError(
        f"Expected one entry of references.bib for {citation!r}, found "
        f"{', '.join(keys) or 'none'}. Add the entry, or name all authors."
    )


def bibtex(keys: Iterable[str], citations: Mapping[str, str]) -> str:
    """BibTeX entries of the package, of the works with these keys, and of cited works.

    Parameters
    ----------
    keys : iterable of str
        Keys of ``references.bib``.
    citations : mapping of str to str
        Citations of learners, streams or measures by their names. A citation without an entry,
        such as that of a user's learner, becomes a comment at the end.

    Returns
    -------
    str
        The entries without duplicates: first the package, then the others sorted by key.
    """
    cited, comments = {*keys}, list[str]()
    for name, text in citations.items():
        try:
            cited.update(cited_keys(text))
        except UnknownWorkError:
            comments.append(f"% No entry for {name}: {' '.join(text.split())}")
    entries = [references()[key].entry for key in sorted(cited)]
    return "\n\n".join([_package_entry(), *entries, *comments])


def _package_entry() -> str:
    return (
        f"@software{{{PACKAGE_KEY},\n"
        "  author = {{The streameval authors}},\n"
        "  title = {streameval: sound evaluation of data-stream classifiers},\n"
        f"  version = {{{__version__}}}\n"
        "}"
    )
