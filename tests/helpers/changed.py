"""Which tests an edit reaches: by the closure of imports that the pipeline's jobs depend on."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from streameval.base.settings import ROOT
from streameval.base.sources import PACKAGE, closure

_M = re.MULTILINE

TESTS = ROOT / "tests"
#: Folders of packages that tests import as they import helpers.
VALIDATION, DOCS = ROOT / "validation", ROOT / "docs"
CONFTEST = TESTS / "conftest.py"
#: Folders that import their modules by name, when somebody asks for them: how one asks.
BY_NAME = {
    "api": re.compile(r"^import streameval\b(?!\.)|^from streameval import", _M),
    "cli": re.compile(r"^from streameval\.(?:cli|__main__) import main|\"-m\", \"streameval\"", _M),
    "items": re.compile(r"^from streameval\.items import kind(?:s|_at)\b", _M),
}
#: Folders of the project that tests copy or search whole.
WHOLE = {"config", "docs", "examples", "profiles", "published", "recorded", "rules", "scripts"}
WHOLE |= {"src", "studies", "validation", "workflow"}
_IMPORT = re.compile(r"^[ \t]*(?:from|import)[ \t]+([\w.]+)(?: import (\([^)]*\)|.+))?", _M)
_FIXTURE = re.compile(r"@pytest\.fixture.*\ndef (\w+)(\(.*(?:\n(?! {0,3}\S).*)*)", _M)
_PARAMETERS = re.compile(r"^ *def \w+\(([^)]*)\)", _M)
_NAMED = re.compile(r"(?<=[\"'/])[\w.-]+(?=[\"'/ ),`])")
_FOLDER = re.compile(r"[\"/](\w+)\"(?! /)")


def changed_files(since: str) -> set[Path]:
    """Return the files of the project that differ from a commit, new ones included."""
    calls = (
        ["git", "diff", "--name-only", since],
        ["git", "ls-files", "--others", "--exclude-standard"],
    )
    found = (subprocess.check_output(call, cwd=ROOT, text=True) for call in calls)
    return {ROOT / line for lines in found for line in lines.splitlines()}


def reached(test: Path, changed: set[Path]) -> bool:
    """Return whether a file of tests depends on one of the files that have changed.

    It does if it imports one, directly or not, if it is one, or if its text or that of what it
    imports names one: the page of a document, a configuration, a script. Tests that copy or
    search a folder depend on all that is in it, and those that take a fixture of ``conftest.py`` on
    what that uses.
    """
    own, sources = _own(test), _sources(test)
    if changed & (own | sources | {CONFTEST}):
        return True
    named = frozenset[str]().union(*map(_names, own | sources))
    folders = frozenset[str]().union(*map(_folders, own))
    rest = {path for path in changed if path.suffix != ".py" or PACKAGE not in path.parents}
    return bool(named & {path.name for path in rest}) or any(
        folders & set(path.relative_to(ROOT).parts[:-1]) for path in changed
    )


@cache
def _own(test: Path) -> frozenset[Path]:
    """Return the files of the tests, of `VALIDATION` and of `DOCS`, that one uses."""
    found, waiting = set[Path](), [test]
    while waiting:
        path = waiting.pop()
        found.add(path)
        names = [*_imported(_text(path)), *_of_fixtures(path)]
        waiting += {file for name in names for file in _tests_named(name, path.parent)} - found
    return frozenset(found)


def _imported(text: str) -> list[str]:
    """Return the dotted names that a text imports."""
    return [
        f"{source}.{name}" if name else source
        for source, names in _IMPORT.findall(text)
        for name in ("", *re.findall(r"\w+", names))
    ]


@cache
def _of_fixtures(path: Path) -> list[str]:
    """Return the dotted names of what the fixtures of `CONFTEST` use that a file takes."""
    taken = {word for some in _PARAMETERS.findall(_text(path)) for word in re.findall(r"\w+", some)}
    own = {name for name, _ in _FIXTURE.findall(_text(path))}
    bodies = [body for name, body in _FIXTURE.findall(_text(CONFTEST)) if name in taken - own]
    used = set(re.findall(r"\w+", "".join(bodies)))
    return [name for name in _imported(_text(CONFTEST)) if name.rpartition(".")[2] in used]


def _tests_named(name: str, beside: Path) -> Iterator[Path]:
    """Yield the files of the tests that have a dotted name for a file in the folder `beside`."""
    for folder in (beside, TESTS, VALIDATION, DOCS, *_folders_of_tests()):
        module = folder / name.replace(".", "/")
        yield from {module.with_suffix(".py"), module / "__init__.py"} & _all_tests()


@cache
def _all_tests() -> frozenset[Path]:
    return frozenset(path for folder in (TESTS, VALIDATION, DOCS) for path in folder.rglob("*.py"))


@cache
def _folders_of_tests() -> frozenset[Path]:
    """Return the folders from which tests import others: those whose tests are run."""
    return frozenset(path.parent for path in _all_tests() if path.name.startswith("test_"))


@cache
def _sources(test: Path) -> frozenset[Path]:
    """Return the files of the package that a test uses, those imported by name included."""
    own, rooms, sources = _own(test), set[str](), frozenset[Path]()
    while True:
        text = "\n".join(_text(path) for path in own | sources if path.suffix == ".py")
        new = {room for room, asked in BY_NAME.items() if asked.search(text)} - rooms
        if sources and not new:
            return sources
        rooms |= new
        modules = [
            ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
            for room in rooms
            for path in (PACKAGE / room).rglob("*.py")
        ]
        modules += [name for path in own for name in _of_fixtures(path)]
        sources = frozenset(file for path in own for file in closure(path, modules=modules))


@cache
def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def _names(path: Path) -> frozenset[str]:
    """Return the names in a text that may be those of files."""
    return frozenset(_NAMED.findall(_text(path)))


@cache
def _folders(path: Path) -> frozenset[str]:
    """Return the folders that a test names in whole."""
    text = _text(path)
    return frozenset(WHOLE & {*_FOLDER.findall(text), *(["src"] if "PACKAGE" in text else [])})
