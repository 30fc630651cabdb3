"""The grammar of ARFF: tokens, declarations, dates."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from streameval.errors import DataError

Kind = Literal["numeric", "nominal", "date", "string"]

_QUOTED = r"""'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)\""""
_VALUE = re.compile(rf"\s*(?:{_QUOTED}|(?!['\"])([^,%]*))\s*(?:(,)|(?:%.*)?$)")
_ENTRY = re.compile(rf"\s*(\d+)\s+(?:{_QUOTED}|(?!['\"])([^,%\s]+))\s*(?:(,)|(?:%.*)?$)")
_NAME = re.compile(rf"\s*(?:{_QUOTED}|(?!['\"])([^\s{{]+))\s*")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}

#: Java's date letters, as far as ARFF files use them, and their strptime directives.
_DATE_LETTERS = {
    "yyyy": "%Y",
    "yy": "%y",
    "MMMM": "%B",
    "MMM": "%b",
    "MM": "%m",
    "M": "%m",
    "dd": "%d",
    "d": "%d",
    "HH": "%H",
    "H": "%H",
    "hh": "%I",
    "h": "%I",
    "a": "%p",
    "mm": "%M",
    "m": "%M",
    "ss": "%S",
    "s": "%S",
    "SSS": "%f",
    "S": "%f",
    "EEEE": "%A",
    "EEE": "%a",
    "Z": "%z",
    "z": "%Z",
}
_DATE_TOKEN = re.compile(r"'((?:[^']|'')*)'|([A-Za-z])\2*|(.)", re.DOTALL)


@dataclass(frozen=True)
class Declaration:
    """One ``@attribute`` line.

    Parameters
    ----------
    name : str
        Name of the attribute.
    kind : {"numeric", "nominal", "date", "string"}
        What its values are.
    values : tuple of str, optional
        Values of a nominal attribute in declared order.
    date_format : str
        strptime format of a date attribute.
    """

    name: str
    kind: Kind
    values: tuple[str, ...] | None = None
    date_format: str = ""


def unescape(text: str) -> str:
    """Resolve the backslash escapes of a quoted text."""
    if "\\" not in text:
        return text
    return _ESCAPE.sub(lambda match: _ESCAPES.get(match[1], match[1]), text)


def _text(match: re.Match[str], first: int) -> str | None:
    for quoted in (match[first], match[first + 1]):
        if quoted is not None:
            return unescape(quoted)
    bare = match[first + 2].rstrip()
    return None if bare == "?" else bare


def split_values(line: str) -> list[str | None]:
    """Split the values of a dense row or of a nominal declaration.

    Parameters
    ----------
    line : str
        Values separated by commas, quoted by ' or " or bare; % outside quotes starts a
        comment, as in Weka.

    Returns
    -------
    list of str or None
        None stands for a bare ``?``, the missing value.

    Raises
    ------
    ValueError
        If a quote is not closed or something follows it.
    """
    values, at = [], 0
    while True:
        match = _VALUE.match(line, at)
        if match is None:
            raise ValueError(
                f"a quote that is not closed, or text after it: {line[at : at + 40]!r}"
            )
        values.append(_text(match, 1))
        if match[4] is None:
            return values
        at = match.end()


def split_entries(line: str) -> list[tuple[int, str | None]]:
    """Split a sparse row without its braces into (column number, value) pairs.

    Raises
    ------
    ValueError
        If an entry is not a column number and a value.
    """
    entries: list[tuple[int, str | None]] = []
    at = 0
    while line[at:].strip():
        match = _ENTRY.match(line, at)
        if match is None:
            raise ValueError(f"no '<column number> <value>' at {line[at : at + 40]!r}")
        entries.append((int(match[1]), _text(match, 2)))
        at = match.end()
    return entries


def date_format(java: str) -> str:
    """Translate a Java date pattern to strptime's.

    Raises
    ------
    ValueError
        If it has letters that have no counterpart.
    """
    parts = []
    for match in _DATE_TOKEN.finditer(java):
        if match[2] is not None:
            if match[0] not in _DATE_LETTERS:
                raise ValueError(f"the date pattern {java!r} has {match[0]!r}")
            parts.append(_DATE_LETTERS[match[0]])
        else:
            literal = "'" if match[0] == "''" else (match[1] or match[3] or "").replace("''", "'")
            parts.append(literal.replace("%", "%%"))
    return "".join(parts)


def parse_date(text: str, pattern: str) -> float:
    """Return the seconds since 1970-01-01 00:00 UTC; without a zone the text is UTC.

    Raises
    ------
    ValueError
        If the text does not fit the pattern.
    """
    moment = datetime.strptime(text, pattern)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def parse_attribute(text: str) -> Declaration:
    """Parse what follows ``@attribute``.

    Raises
    ------
    ValueError
        If it is not a declaration that can be read; says why.
    """
    match = _NAME.match(text)
    if match is None:
        raise ValueError("no attribute name")
    quoted = [unescape(part) for part in match.groups()[:2] if part is not None]
    name, rest = quoted[0] if quoted else match[3], text[match.end() :].strip()
    if rest.startswith("{"):
        return Declaration(name, "nominal", _nominal(name, rest))
    words = [value for value in re.split(r"\s+", rest.split("%")[0], maxsplit=1) if value]
    kind = words[0].lower() if words else ""
    if kind in ("numeric", "real", "integer"):
        return Declaration(name, "numeric")
    if kind == "string":
        return Declaration(name, "string")
    if kind == "date":
        pattern = split_values(words[1])[0] if len(words) > 1 else "yyyy-MM-dd'T'HH:mm:ss"
        return Declaration(name, "date", date_format=date_format(pattern or ""))
    raise ValueError(f"attribute {name!r} of type {kind or 'nothing'!r}")


def _nominal(name: str, rest: str) -> tuple[str, ...]:
    rest = re.sub(r"\}\s*%[^}]*$", "}", rest)
    if not rest.endswith("}"):
        raise ValueError(f"attribute {name!r}: the braces of its values are not closed")
    # A value may really be "?": inside a declaration nothing is missing.
    values = ["?" if value is None else value for value in split_values(rest[1:-1])]
    value, times = Counter(values).most_common(1)[0]
    if times > 1:
        raise ValueError(f"attribute {name!r}: the value {value!r} is declared {times} times")
    if "" in values:
        raise ValueError(f"attribute {name!r}: an empty value")
    return tuple(values)


def parse_header(lines: Iterable[bytes], where: str) -> tuple[list[Declaration], int, str]:
    """Parse up to and including the ``@data`` line.

    Parameters
    ----------
    lines : iterable of bytes
        The lines of the file; exactly those of the header are taken from it.
    where : str
        The file, for messages.

    Returns
    -------
    declarations : list of Declaration
        The attributes.
    n_lines : int
        Number of lines of the header.
    encoding : str
        "utf-8", or "latin-1" where the header is not UTF-8.

    Raises
    ------
    DataError
        If a line is none of ARFF's, or there is no ``@data``.
    """
    declarations: list[Declaration] = []
    encoding = "utf-8"
    for number, raw in enumerate(lines, start=1):
        try:
            line = raw.decode(encoding)
        except UnicodeDecodeError:
            encoding = "latin-1"
            line = raw.decode(encoding)
        line = line.removeprefix("\ufeff").strip()
        keyword, _, rest = line.replace("\t", " ", 1).partition(" ")
        match keyword.lower():
            case "@attribute":
                try:
                    declarations.append(parse_attribute(rest))
                except ValueError as error:
                    raise DataError(
                        f"{where}, line {number}: expected @attribute <name> "
                        f"numeric|real|integer|date|string|{{values}}, found {error}."
                    ) from error
            case "@data":
                return declarations, number, encoding
            case keyword if not line or keyword.startswith("%") or keyword == "@relation":
                continue
            case _:
                raise DataError(
                    f"{where}, line {number}: expected @relation, @attribute or @data, found "
                    f"{line[:60]!r}. Is it an ARFF file?"
                )
    raise DataError(f"{where}: expected a line @data, found the end of the file.")
