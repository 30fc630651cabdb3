"""The grammar of ARFF: lines, tokens, declarations.

Lines end with a line feed, a carriage return or both; blanks are spaces and tabs. All other
characters, Unicode line separators included, are part of a value.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from streameval.base.errors import DataError, excerpt
from streameval.streams.readers.arff_dates import date_format
from streameval.streams.readers.values import ARFF_MISSING, bare_text

AttributeKind = Literal["numeric", "nominal", "date", "string"]

#: Spaces and tabs, the only characters that may surround a token.
BLANKS = " \t"
_QUOTED = r"""'((?:[^'\\]|\\.)*+)'|"((?:[^"\\]|\\.)*+)\""""
# Possessive repeats: a blank before an unclosed quote must not become part of a bare value, and
# text that does not match is refused in linear time.
_VALUE = re.compile(rf"[ \t]*+(?:{_QUOTED}|(?!['\"])([^,%]*+))[ \t]*+(?:(,)|(?:%.*)?$)", re.DOTALL)
_MEMBER = re.compile(rf"[ \t]*+(?:{_QUOTED}|(?!['\"])([^,{{}}%]*+))[ \t]*+(?:,|(?=\}}))", re.DOTALL)
_ENTRY = re.compile(
    rf"[ \t]*+([0-9]++)[ \t]++(?:{_QUOTED}|(?!['\"])([^,{{}}% \t]++))[ \t]*+(?:,|(?=\}}))",
    re.DOTALL,
)
_CLOSING = re.compile(r"[ \t]*+\}")
_NAME = re.compile(rf"[ \t]*+(?:{_QUOTED}|(?!['\"])([^ \t{{]+))[ \t]*", re.DOTALL)
_TYPE = re.compile(r"([^ \t{%\[]*)[ \t]*(.*)", re.DOTALL)
#: What may follow the closing brace of a sparse row or of a set of values.
_NOTHING = re.compile(r"[ \t]*+,?+[ \t]*+(?:%.*)?$", re.DOTALL)
_WEIGHT = re.compile(r"(?:^|,)[ \t]*+\{[^{}'\"]*+\}[ \t]*+,?+[ \t]*+(?:%.*)?$", re.DOTALL)
_DATA = re.compile(
    rb"(?:\A|[\r\n])[ \t]*@data(?=[ \t%\r\n]|\Z)[^\r\n]*(?:\r\n?|\n)?", re.IGNORECASE
)
_DATA_LINE = re.compile(r"@data(?:[ \t]+|(?=%)|$)(?:%.*)?", re.IGNORECASE | re.DOTALL)
_OF_MEKA = re.compile(r":.*[ \t]-C[ \t]+(-?[0-9]{1,6})\b", re.IGNORECASE)
_OF_KEEL = ("@inputs", "@input", "@outputs", "@output")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


@dataclass(frozen=True)
class Declaration:
    """One ``@attribute`` line: values of a nominal attribute, strptime format of a date."""

    name: str
    kind: AttributeKind
    values: tuple[str, ...] | None = None
    date_format: str = ""


class WeightError(ValueError):
    """A row ends with an instance weight of Weka."""


class Header(NamedTuple):
    """The part of a file before the data section: `n_lines` lines, which end at byte `start`.

    `targets` are the attributes to predict, if the header declares them: MEKA by ``-C`` behind the
    name of the relation, counted from the first or from the last attribute, KEEL by ``@outputs``.
    """

    declarations: list[Declaration]
    n_lines: int
    start: int
    encoding: str
    targets: Sequence[str] = ()


def header_lines(text: str) -> list[str]:
    r"""Split a text at ``\n``, ``\r\n`` and ``\r``, and nowhere else."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def unescape(text: str) -> str:
    """Resolve the backslash escapes of a quoted text."""
    if "\\" not in text:
        return text
    return _ESCAPE.sub(lambda match: _ESCAPES.get(match[1], match[1]), text)


def _text(match: re.Match[str], first: int) -> str | None:
    for quoted in (match[first], match[first + 1]):
        if quoted is not None:
            return unescape(quoted)
    bare = match[first + 2].rstrip(BLANKS)
    return bare_text(bare)


def split_values(line: str) -> list[str | None]:
    """Split the values of a dense row or of a nominal declaration; None is a bare ``?``.

    As in Weka, % outside quotes starts a comment. ValueError if a quote is not closed or something
    follows it.
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


def split_entries(row: str) -> list[tuple[int, str | None]]:
    """Split a sparse row ``{number value, ...}`` into pairs of column number and value.

    ValueError if an entry is something else, a column occurs twice, or the row has a weight.
    """
    if "}" not in row:
        raise ValueError("a sparse row {number value, ...} with no closing brace")
    matches, rest = _braced(row, _ENTRY, "no '<column number> <value>'")
    if not _NOTHING.match(rest):
        if weight := weight_in(rest):
            raise WeightError(weight)
        raise ValueError(f"text after the closing brace: {rest[:40]!r}")
    entries = [(int(match[1]), _text(match, 2)) for match in matches]
    if len({place for place, _ in entries}) < len(entries):
        raise ValueError("a column number that occurs twice")
    return entries


def weight_in(row: str) -> str:
    """Message about a Weka instance weight at the end of a row, or "" if it has none."""
    weight = _WEIGHT.search(row)
    return (
        f"the instance weight {weight[0].strip(', ' + BLANKS)[:40]}, and weights in files are not "
        "supported: every row counts once"
        if weight
        else ""
    )


def _braced(text: str, pattern: re.Pattern[str], otherwise: str) -> tuple[list[re.Match[str]], str]:
    """Match the text between braces part by part; return the matches and the rest."""
    matches, at = [], 1
    while (closing := _CLOSING.match(text, at)) is None:
        match = pattern.match(text, at)
        if match is None:
            raise ValueError(f"{otherwise} at {text[at : at + 40]!r}")
        matches.append(match)
        at = match.end()
    return matches, text[closing.end() :]


def parse_attribute(text: str) -> Declaration:
    """Parse the text after ``@attribute``, or say in a ValueError why it cannot be."""
    match = _NAME.match(text)
    if match is None:
        raise ValueError("no attribute name")
    quoted = [unescape(part) for part in match.groups()[:2] if part is not None]
    name, rest = quoted[0] if quoted else match[3], text[match.end() :].strip(BLANKS)
    where = f"attribute {excerpt(name)!r}"
    if rest.startswith("{"):
        return Declaration(name, "nominal", _nominal(where, rest))
    kind, rest = re.match(_TYPE, rest).groups()  # type: ignore[union-attr]  # matches any text
    match kind.lower():
        case "numeric" | "real" | "integer" | "string" if rest.startswith("{"):
            raise ValueError(f"{where} with the weight {excerpt(rest)}; weights are not supported")
        case "numeric" | "real" | "integer":
            return Declaration(name, "numeric")
        case "string":
            return Declaration(name, "string")
        case "date":
            return Declaration(name, "date", date_format=_pattern(rest))
    reason = ", and tables inside a table are not supported" if kind.lower() == "relational" else ""
    raise ValueError(f"{where} of type {excerpt(kind) or 'nothing'!r}{reason}")


def _pattern(rest: str) -> str:
    if not rest or rest.startswith("%"):
        return "%Y-%m-%dT%H:%M:%S"
    pattern, *more = split_values(rest)
    if more:
        raise ValueError("text after the date pattern")
    return date_format(pattern or "")


def _nominal(where: str, rest: str) -> tuple[str, ...]:
    matches, after = _braced(rest, _MEMBER, f"{where}: the braces of its values are not closed")
    if not _NOTHING.match(after):
        said = "a weight" if after.lstrip(BLANKS).startswith("{") else "text"
        raise ValueError(f"{where}: {said} after the braces of its values: {after[:40]!r}")
    if any(match[3] is not None and not match[3].strip(BLANKS) for match in matches):
        raise ValueError(f"{where}: an empty value")
    # "?" is a value here: in a declaration nothing is missing.
    values = [ARFF_MISSING if value is None else value for value in (_text(m, 1) for m in matches)]
    if not values:
        raise ValueError(f"{where}: an empty set of values")
    value, times = Counter(values).most_common(1)[0]
    if times > 1:
        raise ValueError(f"{where}: the value {excerpt(value)!r} is declared {times} times")
    return tuple(values)


def has_data(content: bytes) -> bool:
    """Whether the beginning of a file has its line ``@data``."""
    return _DATA.search(content) is not None


def parse_header(content: bytes, where: str) -> Header:
    """Parse a file up to and including the ``@data`` line; `where` is its name, for messages."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise DataError(f"{where}: expected UTF-8 text, found UTF-16. Save the file as UTF-8.")
    data = _DATA.search(content)
    start = data.end() if data else len(content)
    encoding = "utf-8"
    try:
        text = content[:start].decode(encoding)
    except UnicodeDecodeError:
        encoding = "latin-1"
        text = content[:start].decode(encoding)
    declared: dict[str, tuple[int, Declaration]] = {}
    count, outputs = 0, list[str]()
    for number, raw in enumerate(header_lines(text.removeprefix("\ufeff")), start=1):
        line = raw.strip(BLANKS)
        keyword, *rest = re.split(r"[ \t]+", line, maxsplit=1)
        if not line or line.startswith("%"):
            continue
        if keyword.lower() == "@relation":
            option = _OF_MEKA.search("".join(rest))
            count = int(option[1]) if option else 0
            continue
        if keyword.lower() in _OF_KEEL:
            if "out" in keyword.lower():
                outputs += [name.strip(BLANKS) for name in "".join(rest).split(",")]
            continue
        if keyword.lower() == "@attribute":
            try:
                declaration = parse_attribute("".join(rest))
            except ValueError as error:
                raise DataError(
                    f"{where}, line {number}: expected @attribute <name> "
                    f"numeric|real|integer|date|string|{{values}}, found {error}. "
                    "Correct the line."
                ) from error
            name = declaration.name
            if name in declared:
                raise DataError(
                    f"{where}, line {number}: the column name {excerpt(name)!r} occurs 2 times, "
                    f"first in line {declared[name][0]}. Rename one of them."
                )
            declared[name] = number, declaration
        elif _DATA_LINE.fullmatch(line):
            names = [*declared]
            targets = outputs or (names[count:] if count < 0 else names[:count])
            return Header([d for _, d in declared.values()], number, start, encoding, targets)
        else:
            raise DataError(
                f"{where}, line {number}: expected @relation, @attribute or @data, found "
                f"{line[:60]!r}. Is it an ARFF file, with each of them on a line of its own?"
            )
    raise DataError(f"{where}: expected a line @data, found the end of the file.")
