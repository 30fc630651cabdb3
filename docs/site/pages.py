"""The pages of the documentation: where they are in the repository, and where on the site.

Pages are Markdown that can be read in the repository as it is. Links between them are rewritten,
as the site has other folders; files that are linked are copied.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from streameval.base.settings import ROOT

#: Pages outside of `docs/`, and where they stand on the site.
ELSEWHERE = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CODE_OF_CONDUCT.md": "code_of_conduct.md",
    "CONTRIBUTING.md": "contributing.md",
    "THIRD_PARTY.md": "third_party.md",
    "config/README.md": "reference/configuration.md",
    "config/kinds.md": "reference/kinds.md",
    "benchmarks/README.md": "reference/benchmarks.md",
    "resources/published/README.md": "reference/published.md",
    "resources/recorded/README.md": "reference/recorded.md",
    "src/streameval/streams/bundled/README.md": "reference/bundled.md",
    "results/README.md": "reference/results.md",
    "validation/README.md": "reference/validation.md",
    "validation/findings.md": "reference/validation_findings.md",
    "validation/kinds.md": "reference/validation_kinds.md",
}
#: The menu: each section with its pages in their order, without their endings.
MENU = {
    "Tutorials": ["tutorials/csv_to_verdict", "tutorials/first_notebook"],
    "How to": [
        "howto/own_stream",
        "howto/own_learner",
        "howto/own_page",
        "howto/own_study",
        "howto/own_kind",
        "howto/benchmark",
        "howto/delayed_labels",
        "howto/which_test",
        "howto/drift_detectors",
        "howto/prediction_intervals",
        "howto/batch_models",
        "howto/tuning",
        "howto/label_budget",
        "howto/previous_labels",
        "howto/several_seeds",
        "howto/big_files",
        "howto/python",
        "howto/reproduce",
        "howto/cluster",
        "howto/container",
        "howto/extend",
    ],
    "Explanation": [
        "explanation/accuracy",
        "explanation/measures",
        "explanation/protocols",
        "delays",
        "explanation/significance",
        "findings",
        "explanation/contents",
        "explanation/throughput",
        "comparison",
    ],
    "Reference": [
        "reference/api",
        "reference/commands",
        "reference/measures",
        "reference/learners",
        "reference/streams",
        "reference/protocols",
        "reference/detectors",
        "reference/tests",
        "reference/references",
        "reference/kinds",
        "gallery",
        "reference/configuration",
        "reference/defaults",
        "reference/results",
        "reference/published",
        "reference/recorded",
        "reference/bundled",
        "reference/benchmarks",
        "reference/validation",
        "reference/validation_findings",
        "reference/validation_kinds",
    ],
    "Project": ["contributing", "life_cycle", "changelog", "code_of_conduct", "third_party"],
}
_FENCE = re.compile(r"^(?P<fence> *(?:`{3,}|~{3,})).*?^(?P=fence) *$", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"(?P<text>!?\[(?:[^\[\]]|\[[^\]]*\])*\])\((?P<target>[^()\s]+)\)")
#: Badges of the first page: the site loads nothing from elsewhere.
_BADGE = re.compile(r"^\[!\[[^\]]*\]\(https?:[^)]*\)\]\([^)]*\)\n", re.MULTILINE)
_ADDRESS = re.compile(r"[a-z]+:")
_WHEN = re.compile(r"<!-- once (\w+): begin -->\n(.*?)<!-- once \1: end -->\n", re.DOTALL)


@dataclass
class Site:
    """The pages of the site, and the files that they link.

    Parameters
    ----------
    texts : dict of str to str
        Markdown of each page, by its place on the site, for the builder.
    plain : dict of str to str
        Markdown for readers, of the pages where it differs.
    files : dict of str to Path
        Other files, by their place on the site.
    """

    texts: dict[str, str] = field(default_factory=dict)
    plain: dict[str, str] = field(default_factory=dict)
    files: dict[str, Path] = field(default_factory=dict)

    def readable(self, page: str) -> str:
        """The Markdown of a page for readers."""
        return self.plain.get(page, self.texts[page])


def sources() -> dict[str, str]:
    """The place on the site of each page of the repository."""
    files = sorted((ROOT / "docs").rglob("*.md"))
    names = [path.relative_to(ROOT / "docs").as_posix() for path in files]
    return {**ELSEWHERE, **{f"docs/{name}": name for name in names}}


def stage(site: Site, fill: Callable[[str, str], str], known: Callable[[str], bool]) -> None:
    """Add the pages of the repository to the site.

    Parameters
    ----------
    site : Site
        The site.
    fill : callable
        Replaces the marks of what is made, such as lines of time, in the text of a page at a place.
    known : callable
        Whether a name in a mark ``once NAME`` is there. Until then its text is left out.
    """
    places = sources()
    for source, place in places.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        text = _WHEN.sub(lambda match: match[2] if known(match[1]) else "", text)
        text = _BADGE.sub("", text)
        site.texts[place] = fill(_moved(text, source, place, places, site.files), place)


def outside_fences(text: str, change: Callable[[str], str]) -> str:
    """A text, changed everywhere except in blocks of code."""
    parts, end = [], 0
    for block in _FENCE.finditer(text):
        parts += [change(text[end : block.start()]), block[0]]
        end = block.end()
    return "".join([*parts, change(text[end:])])


def links(text: str) -> Iterator[str]:
    """Yield the targets of the links and pictures of a text."""
    targets: list[str] = []

    def gather(part: str) -> str:
        targets.extend(link["target"] for link in _LINK.finditer(part))
        return part

    outside_fences(text, gather)
    yield from targets


def anchors(text: str) -> set[str]:
    """The anchors of the headings of a page, as hosts of repositories make them."""
    heads: list[str] = []

    def gather(part: str) -> str:
        heads.extend(re.findall(r"^#{1,6} +(.+?) *$", part, re.MULTILINE))
        heads.extend(f"({name})" for name in re.findall(r"^\((\S+)\)=$", part, re.MULTILINE))
        return part

    outside_fences(text, gather)
    return {slug(head) for head in heads}


def slug(head: str) -> str:
    """The anchor of a heading."""
    bare = _LINK.sub(lambda link: link["text"].strip("![]"), head)
    return re.sub(r"[^\w\- ]", "", bare.lower()).replace(" ", "-")


def is_address(target: str) -> bool:
    """Whether a link leaves the site."""
    return _ADDRESS.match(target) is not None


def _moved(
    text: str, source: str, place: str, places: dict[str, str], files: dict[str, Path]
) -> str:
    """A page with the links that it needs at its new place."""

    def linked(link: re.Match[str]) -> str:
        target, hash_sign, anchor = link["target"].partition("#")
        if is_address(target) or not target:
            return link[0]
        path = _normal(PurePosixPath(source).parent / target)
        if path.endswith(".ipynb") and path.startswith("docs/"):
            places_of = path.removeprefix("docs/").removesuffix(".ipynb") + ".md"
        elif path in places:
            places_of = places[path]
        elif (ROOT / path).is_dir():
            return f"`{path}`"
        else:
            places_of = f"files/{path}"
            files[places_of] = ROOT / path
        where = os.path.relpath(places_of, PurePosixPath(place).parent)
        return f"{link['text']}({where}{hash_sign}{anchor})"

    return outside_fences(text, lambda part: _LINK.sub(linked, part))


def _normal(path: PurePosixPath) -> str:
    return os.path.normpath(path).replace(os.sep, "/")
