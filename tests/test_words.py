"""The words of the field, in the texts of all rooms."""

from __future__ import annotations

import re
import tokenize
from functools import cache

import pytest

from streameval.base.settings import ROOT
from streameval.base.sources import PACKAGE

TESTS = ROOT / "tests"
ROOMS = sorted({path.parent for path in PACKAGE.rglob("*.py")})
#: What docstrings, comments and messages say, and the words that they do without.
WORDS = {
    "prediction, predict": r"answers?|answered|answering|guess(es)?",
    "run over a tape": r"plays|played|playing",
    "train, learn": r"teach(es)?|taught",
    "reset, restart": r"afresh",
    "unseen branch": r"unborn",
    "delayed labels": r"late labels?|labels? (that )?(is|are|come) late",
}


@cache
def texts(path):
    """Return the docstrings, messages and comments of a file, with their lines; YAML as it is."""
    if path.suffix == ".yaml":
        return [*enumerate(path.read_text(encoding="utf-8").splitlines(), 1)]
    with tokenize.open(path) as file:
        return [
            (number, line.strip())
            for token in tokenize.generate_tokens(file.readline)
            if token.type in (tokenize.STRING, tokenize.COMMENT)
            for number, line in enumerate(token.string.splitlines(), token.start[0])
        ]


@pytest.mark.parametrize("instead", WORDS)
@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_rooms_use_the_words_of_the_field(room, instead):
    found = [
        f"{path.relative_to(PACKAGE)}:{number}: {line}"
        for path in sorted([*room.glob("*.py"), *room.glob("*.yaml")])
        for number, line in texts(path)
        if re.search(rf"\b({WORDS[instead]})\b", line, re.IGNORECASE)
    ]
    assert not found, f"Write: {instead}.\n" + "\n".join(found)


@pytest.mark.parametrize("instead", WORDS)
def test_names_of_tests_and_of_their_functions_do_too(instead):
    found = [
        f"{path.relative_to(TESTS)}: {name}"
        for path in sorted(TESTS.rglob("*.py"))
        for name in re.findall(r"^ *def (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
        if re.search(rf"\b({WORDS[instead]})\b", name.replace("_", " "), re.IGNORECASE)
    ]
    assert not found, f"Write: {instead}.\n" + "\n".join(found)


def test_patterns_hold_facts_of_messages_not_sentences():
    """A reworded message breaks no test; one that lacks a name, a value or a place does."""
    sentence = re.compile(r"match=\w*[\"'][^\"]*\b[a-z]+( [a-z]+){5}", re.IGNORECASE)
    found = [
        f"{path.relative_to(TESTS)}:{number}: {line.strip()}"
        for path in sorted(TESTS.rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if sentence.search(line)
    ]
    assert not found, "Six words in a row:\n" + "\n".join(found)
