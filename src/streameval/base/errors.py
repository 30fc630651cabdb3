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

# Maximum length of a message in characters.
_MAX_MESSAGE = 1500
# Characters kept at the end of a longer message: the end says what to do, so the middle is cut.
_MESSAGE_END = 500
# Maximum length of a list in a message, in characters.
_MAX_LIST = 600
#: Control characters except tabs and line feeds, line separators, direction marks, and lone
#: surrogates.
_CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


class StreamevalError(Exception):
    """Base class of all errors that are caused by input, not by the program."""

    def __str__(self) -> str:
        return shorten_message(super().__str__())

    def _render_traceback_(self) -> list[str]:
        """Lines that IPython shows in a notebook, without a traceback."""
        return [f"{type(self).__name__}: {self}"]


class DataError(StreamevalError):
    """A file or an array does not contain the expected stream."""


class DamageError(DataError):
    """A file that a run wrote was changed afterwards; the run can write it again."""

    def __init__(self, message: str, path: object = "") -> None:
        super().__init__(message)
        self.path = str(path)


class DownloadError(StreamevalError):
    """A data file cannot be downloaded, or differs from the expected file."""


class ConfigError(StreamevalError):
    """A configuration or registry entry is unknown or contradictory.

    `keys` is the path of keys to the wrong entry, empty if unknown. With it, the caller finds the
    file that has the entry, and names the file in the message.
    """

    def __init__(self, message: str, keys: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.keys = tuple(keys)


class CodeError(ConfigError):
    """The code of a module or class that settings name raises an error."""


class UndefinedMeasureWarning(UserWarning):
    """A measure is undefined for these labels, so its value is NaN."""


@contextmanager
def error_prefix(place: str) -> Iterator[None]:
    """Prefix the message of a `ConfigError` with the place of the error."""
    try:
        yield
    except ConfigError as error:
        raise ConfigError(f"{place}: {error}") from error


#: Replacements in messages, by the replaced text; set by `replace_in_messages`.
_REPLACEMENTS: ContextVar[Mapping[str, str]] = ContextVar(
    "replacements", default=MappingProxyType({})
)


@contextmanager
def replace_in_messages(text: str, replacement: str) -> Iterator[None]:
    """Show a replacement of a text in errors and warnings, such as a name instead of a path."""
    token = _REPLACEMENTS.set({**_REPLACEMENTS.get(), text: replacement})
    try:
        yield
    except StreamevalError as error:
        error.args = tuple(
            _with_replacements(arg) if isinstance(arg, str) else arg for arg in error.args
        )
        raise
    finally:
        _REPLACEMENTS.reset(token)


def _with_replacements(message: str) -> str:
    """The message with all current replacements."""
    for text, replacement in _REPLACEMENTS.get().items():
        message = message.replace(text, replacement)
    return message


#: Top-level modules that a warning never points at: the package, and the modules whose decorators
#: and context managers add frames between those of the package.
_SKIPPED_MODULES = {__name__.partition(".")[0], "contextlib", "functools"}


def warn_caller(text: str, category: type[Warning]) -> None:
    """Warn at the line outside the package that called it, at any depth of the call stack."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and _module(frame) in _SKIPPED_MODULES:
        level, frame = level + 1, frame.f_back
    warnings.warn(_with_replacements(text), category, stacklevel=level)


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]


def excerpt(text: object, max_length: int = 200) -> str:
    """The text, cut after `max_length` characters, for messages."""
    content = str(text)
    return content if len(content) <= max_length else f"{content[:max_length]}..."


def printable(text: object, max_length: int = 60) -> str:
    """Name for a message on one line: line breaks and control characters are escaped."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in excerpt(text, max_length))


def escape_controls(text: str) -> str:
    r"""A text with its control characters escaped, ``\x1b``, so that terminals do not obey them.

    Names of classes, entities and learners come from files and may contain any character.
    """
    return _CONTROLS.sub(lambda match: ascii(match[0])[1:-1], text)  # without quotes


def shorten_message(message: str) -> str:
    """The message, without its middle if it is long: a quotation from a file has any length."""
    message = escape_controls(message)
    if len(message) <= _MAX_MESSAGE:
        return message
    return f"{message[: _MAX_MESSAGE - _MESSAGE_END]} ... {message[-_MESSAGE_END:]}"


def listing(names: Iterable[object]) -> str:
    """Comma-separated names for a message; a long listing is cut and ends with the total number."""
    texts = [printable(name) for name in names]
    n_listed, room = 0, _MAX_LIST
    while n_listed < len(texts) and room >= len(texts[n_listed]):
        room -= len(texts[n_listed]) + len(", ")
        n_listed += 1
    note = f", ... ({len(texts):,} in all)" if n_listed < len(texts) else ""
    return ", ".join(texts[:n_listed]) + note


def unknown_name_text(what: str, name: object, known: Collection[str]) -> str:
    """Message about an unknown name: "no learner 'a'. Known: b, c."."""
    quoted = excerpt(repr(name), 60)
    hint = did_you_mean(str(name), known)
    return f"no {what} {quoted}. Known: {listing(known) or 'none'}. {hint}".rstrip()


def did_you_mean(name: str, names: Iterable[str], min_similarity: float = 0.6) -> str:
    """The question "Did you mean ...?" with the names most similar to `name`; "" if none is.

    `min_similarity` is the cutoff of `difflib.get_close_matches`, from 0 to 1.
    """
    # Upper and lower case count as equal; long names are cut, since the comparison is slow.
    originals = {excerpt(known, 60).casefold(): excerpt(known, 60) for known in names}
    similar = difflib.get_close_matches(
        excerpt(name, 60).casefold(), originals, cutoff=min_similarity
    )
    return (
        f"Did you mean {' or '.join(repr(originals[key]) for key in similar)}?" if similar else ""
    )
