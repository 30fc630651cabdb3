"""The errors a user can meet.

Every message says what was expected, what was found where, and what to do about it.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

# Characters of a message, and those at its end, which say what to do, that are always shown.
_MOST, _END = 1500, 500
# Characters of a list in a message.
_ROOM = 600


class StreamevalError(Exception):
    """Base of all errors that are the input's fault, not the program's."""

    def __str__(self) -> str:
        return bounded(super().__str__())


class DataError(StreamevalError):
    """A file or an array does not hold the stream that it should hold."""


class DownloadError(StreamevalError):
    """No raw file could be downloaded, or it is not the expected one."""


class ConfigError(StreamevalError):
    """A configuration or registry entry is unknown or contradictory."""


def excerpt(text: object, most: int = 200) -> str:
    """Return the first characters of a text, for messages: what is found may be of any length."""
    whole = str(text)
    return whole if len(whole) <= most else f"{whole[:most]}..."


def plain(text: object, most: int = 60) -> str:
    """Return a name for a message, on one line: neither line breaks nor escape sequences of its."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in excerpt(text, most))


def bounded(message: str) -> str:
    """Return a message without its middle if it is too long: a file may hold anything."""
    if len(message) <= _MOST:
        return message
    return f"{message[: _MOST - _END]} ... {message[-_END:]}"


def some(names: Iterable[object]) -> str:
    """Return names for a message: all of a few; of many, the first and how many there are."""
    texts = [plain(name) for name in names]
    shown, room = 0, _ROOM
    while shown < len(texts) and room >= len(texts[shown]):
        room -= len(texts[shown]) + 2
        shown += 1
    rest = f", ... ({len(texts):,} in all)" if shown < len(texts) else ""
    return ", ".join(texts[:shown]) + rest


def near(name: str, names: Iterable[str]) -> str:
    """Return a question that names those most like `name`; "" if none is like it."""
    by_case = {excerpt(known, 60).casefold(): excerpt(known, 60) for known in names}
    found = difflib.get_close_matches(excerpt(name, 60).casefold(), by_case)
    return f"Did you mean {' or '.join(repr(by_case[key]) for key in found)}?" if found else ""
