"""Errors for users.

Every message says what was expected, what was found where, and what to do.
"""

from __future__ import annotations

import difflib
import re
import sys
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType, MappingProxyType

# Maximum length of a message in characters, and the part at its end that is always shown, since it
# says what to do.
_MOST, _END = 1500, 500
# Maximum length of a list in a message.
_ROOM = 600
#: Control characters but tabs and line feeds, marks of direction, and halves of characters.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


class StreamevalError(Exception):
    """Base class of all errors that are caused by input, not by the program."""

    def __str__(self) -> str:
        return bounded(super().__str__())

    def _render_traceback_(self) -> list[str]:
        """Return the lines that IPython shows in a notebook, without a traceback."""
        return [f"{type(self).__name__}: {self}"]


class DataError(StreamevalError):
    """A file or an array does not contain the expected stream."""


class DamageError(DataError):
    """A file that a run wrote has another content since; the run can write it again."""

    def __init__(self, message: str, path: object = "") -> None:
        super().__init__(message)
        self.path = str(path)


class DownloadError(StreamevalError):
    """A raw file is not available, or is not the expected one."""


class ConfigError(StreamevalError):
    """A configuration or registry entry is unknown or contradictory.

    The keys that lead to what is wrong, where they are known, are for the name of its file.
    """

    def __init__(self, message: str, keys: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.keys = tuple(keys)


class CodeError(ConfigError):
    """A module or class that settings name is there, and its code raises an error."""


class UndefinedMeasureWarning(UserWarning):
    """A measure is undefined for these labels, so its value is NaN."""


@contextmanager
def named_in_errors(place: str) -> Iterator[None]:
    """Say before the message of a `ConfigError` what it is about."""
    try:
        yield
    except ConfigError as error:
        raise ConfigError(f"{place}: {error}") from error


#: Texts that messages show instead of others, while `replaced_in_messages` is in use.
_REPLACEMENTS: ContextVar[Mapping[str, str]] = ContextVar(
    "replacements", default=MappingProxyType({})
)


@contextmanager
def replaced_in_messages(text: str, replacement: str) -> Iterator[None]:
    """Show a replacement of a text in errors and warnings, such as a name instead of a path."""
    token = _REPLACEMENTS.set({**_REPLACEMENTS.get(), text: replacement})
    try:
        yield
    except StreamevalError as error:
        error.args = tuple(_renamed(one) if isinstance(one, str) else one for one in error.args)
        raise
    finally:
        _REPLACEMENTS.reset(token)


def _renamed(message: str) -> str:
    """Message with the replacements that are in use."""
    for text, replacement in _REPLACEMENTS.get().items():
        message = message.replace(text, replacement)
    return message


#: Modules that a warning never points at: of the package, and what stands between its functions.
_BETWEEN = {__name__.partition(".")[0], "contextlib", "functools"}


def warn_caller(text: str, category: type[Warning]) -> None:
    """Warn at the line outside the package that called it, however deep the warning arises."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and _module(frame) in _BETWEEN:
        level, frame = level + 1, frame.f_back
    warnings.warn(_renamed(text), category, stacklevel=level)


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]


def excerpt(text: object, most: int = 200) -> str:
    """Return the first characters of a text that may be of any length, for messages."""
    shown = str(text)
    return shown if len(shown) <= most else f"{shown[:most]}..."


def plain(text: object, most: int = 60) -> str:
    """Return a name for a message on one line, without its line breaks and escape sequences."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in excerpt(text, most))


def visible(text: str) -> str:
    r"""A text with its control characters as escapes, ``\x1b``, so that terminals do not obey them.

    Names of classes, entities and learners come from files and may have any character.
    """
    return _HIDDEN.sub(lambda sign: ascii(sign[0])[1:-1], text)


def bounded(message: str) -> str:
    """Return a message, without its middle if it is too long: a file may contain any text."""
    message = visible(message)
    if len(message) <= _MOST:
        return message
    return f"{message[: _MOST - _END]} ... {message[-_END:]}"


def some(names: Iterable[object]) -> str:
    """Return names for a message: all of a few, or the first of many and their number."""
    texts = [plain(name) for name in names]
    shown, room = 0, _ROOM
    while shown < len(texts) and room >= len(texts[shown]):
        room -= len(texts[shown]) + 2
        shown += 1
    rest = f", ... ({len(texts):,} in all)" if shown < len(texts) else ""
    return ", ".join(texts[:shown]) + rest


def unknown(what: str, name: object, known: Collection[str]) -> str:
    """Return what a message says of a name that is not known: "no learner 'a'. Known: b, c."."""
    shown = excerpt(repr(name), 60)
    return f"no {what} {shown}. Known: {some(known) or 'none'}. {near(str(name), known)}".rstrip()


def near(name: str, names: Iterable[str], least: float = 0.6) -> str:
    """Return a question with the names most similar to `name`, or "" if none is similar.

    The similarity is that of `difflib.get_close_matches`, from 0 to 1.
    """
    by_case = {excerpt(known, 60).casefold(): excerpt(known, 60) for known in names}
    found = difflib.get_close_matches(excerpt(name, 60).casefold(), by_case, cutoff=least)
    return f"Did you mean {' or '.join(repr(by_case[key]) for key in found)}?" if found else ""
