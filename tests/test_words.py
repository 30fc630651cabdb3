"""The words of the field, in the texts of the rooms that have been written in them."""

from __future__ import annotations

import re
import tokenize

import pytest

from streameval.sources import PACKAGE

ROOMS = ("compiled", "detectors", "learners", "significance")
#: What docstrings, comments and messages say, and the words that they do without.
WORDS = {
    "prediction, predict": r"answers?|answered|answering|guess(es)?",
    "run over a tape": r"plays|played|playing",
    "train, learn": r"teach(es)?|taught",
    "reset, restart": r"afresh",
    "unseen branch": r"unborn",
    "delayed labels": r"late labels?|labels? (that )?(is|are|come) late",
}


def texts(path):
    """Yield the docstrings, messages and comments of a file, with their lines."""
    with tokenize.open(path) as file:
        for token in tokenize.generate_tokens(file.readline):
            if token.type in (tokenize.STRING, tokenize.COMMENT):
                for number, line in enumerate(token.string.splitlines(), token.start[0]):
                    yield number, line.strip()


@pytest.mark.parametrize("instead", WORDS)
@pytest.mark.parametrize("room", ROOMS)
def test_rooms_use_the_words_of_the_field(room, instead):
    found = [
        f"{path.relative_to(PACKAGE)}:{number}: {line}"
        for path in sorted((PACKAGE / room).rglob("*.py"))
        for number, line in texts(path)
        if re.search(rf"\b({WORDS[instead]})\b", line, re.IGNORECASE)
    ]
    assert not found, f"Write: {instead}.\n" + "\n".join(found)
