"""Fill pages with values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import yaml

from findings import all_studies, default_run, errata, overview, recorded, streams, tuning
from findings.groups import FROM_ALL_STUDIES, FROM_FILES, FROM_RUN, LONG, Groups, Run, Values
from streameval.base.settings import ROOT

#: Groups whose values are stored.
STORED_GROUPS = (LONG, FROM_RUN, FROM_ALL_STUDIES)
#: Modules whose groups are registered as they are imported.
MODULES = (all_studies, default_run, errata, overview, recorded, streams, tuning)
HERE = Path(__file__).parent
#: Pages that are written from templates.
TEMPLATES = {
    "docs/findings.md": HERE / "findings.md.in",
    "validation/findings.md": HERE / "validation.md.in",
}
SENTENCES, STORED = HERE / "sentences.yaml", HERE / "values.json"
_NUMBER = r"([−+]?\d+(?:[.,]\d+)*|[a-z]+)"
_MARK = re.compile(r"\{(\w+)\.(\w+)\}")


def stored_values() -> dict[str, Values]:
    """Values of the groups that need a run or many seconds, as last computed."""
    return json.loads(STORED.read_text(encoding="utf-8"))


def compute(groups: Groups, *inputs: Run) -> dict[str, Values]:
    """Compute the values of groups, whose functions take `inputs`."""
    return {name: function(*inputs) for name, function in groups.functions.items()}


def recompute(run: Run | None) -> dict[str, Values]:
    """Compute the values of `stored_values`, as far as this run has their tables."""
    of_papers = compute(FROM_RUN, run) if run else {}
    of_all = compute(FROM_ALL_STUDIES, run) if run and run.is_of_all_studies else {}
    return {**compute(LONG), **of_papers, **of_all}


def read_sentences() -> dict[str, list[str]]:
    """Sentences with marks for numbers, by the page that has them."""
    return yaml.safe_load(SENTENCES.read_text(encoding="utf-8"))


def marks(text: str) -> Iterator[tuple[str, str]]:
    """Yield group and name of each value that a text asks for."""
    for match in _MARK.finditer(text):
        yield match[1], match[2]


def render(template: Path, values: Mapping[str, Values]) -> str:
    """Text of a page by its template; a mark without a value is an error that names it."""
    text = template.read_text(encoding="utf-8")
    unknown = sorted({f"{{{group}.{name}}}" for group, name in marks(text)} - _known(values))
    if unknown:
        raise LookupError(f"{template}: no function computes {', '.join(unknown)}")
    return _MARK.sub(lambda match: values[match[1]][match[2]], text)


def _known(values: Mapping[str, Values]) -> set[str]:
    return {f"{{{group}.{name}}}" for group, names in values.items() for name in names}


def pattern_of(sentence: str) -> re.Pattern[str]:
    """Pattern of a sentence with any numbers, whose groups are its words and numbers in turn."""
    words = _MARK.split(sentence)[::3]  # words, group, name, words, ...
    parts = [r"\s+".join(map(re.escape, part.split(" "))) for part in words]
    return re.compile(_NUMBER.join(f"({part})" for part in parts))


def fill_sentences(
    page: str, text: str, listed: Sequence[str], values: Mapping[str, Values]
) -> str:
    """Text of a page with the numbers of its sentences, wherever their lines break."""
    for sentence in listed:
        pattern = pattern_of(sentence)
        if not pattern.search(text):
            raise LookupError(f"Expected in {page}, as {SENTENCES} has it: {sentence}")
        numbers = [values[group][name] for group, name in marks(sentence)]
        text = pattern.sub(partial(_replace_numbers, numbers=numbers), text)
    return text


def _replace_numbers(match: re.Match[str], numbers: Sequence[str]) -> str:
    words, rest = match.groups()[::2], [*numbers, ""]
    return "".join(f"{part}{value}" for part, value in zip(words, rest, strict=True))


def render_pages(values: Mapping[str, Values]) -> dict[str, str]:
    """Text that each page should have, by its path in the repository."""
    texts = {page: render(template, values) for page, template in TEMPLATES.items()}
    for page, listed in read_sentences().items():
        text = (ROOT / page).read_text(encoding="utf-8")
        texts[page] = fill_sentences(page, text, listed, values)
    return texts


def fill(run: Run | None) -> list[str]:
    """Write all values that can be computed into the pages; names of groups that cannot be."""
    kept, fresh = stored_values(), recompute(run)
    names = {name for groups in STORED_GROUPS for name in groups.functions}
    values = {name: group for name, group in {**kept, **fresh}.items() if name in names}
    text = json.dumps(values, indent=1, sort_keys=True, ensure_ascii=False)
    STORED.write_text(f"{text}\n", encoding="utf-8")
    for page, content in render_pages({**compute(FROM_FILES), **values}).items():
        (ROOT / page).write_text(content, encoding="utf-8")
    return sorted(values.keys() - fresh.keys())
