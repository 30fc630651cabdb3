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
from streameval.streams.readers.values import ARFF_MISSING, unquoted_value

AttributeKind = Literal["numeric", "nominal", "date", "string"]

#: Spaces and tabs, the only characters that may surround a token.
BLANKS = " \t"
#: A text in quotes, with backslash escapes; the groups are the texts in single and double quotes.
_QUOTED = r"""'((?:[^'\\]|\\.)*+)'|"((?:[^"\\]|\\.)*+)\""""
# The patterns use possessive repeats (`*+`), which never give back characters. So ` 'a` is
# refused: the blank before the quote does not match as a bare value. Refusals take linear time.
#: A value of a dense row, with the comma or the end of the line.
_VALUE = re.compile(rf"[ \t]*+(?:{_QUOTED}|(?!['\"])([^,%]*+))[ \t]*+(?:(,)|(?:%.*)?$)", re.DOTALL)
#: A value in the braces of a nominal declaration.
_NOMINAL_VALUE = re.compile(
    rf"[ \t]*+(?:{_QUOTED}|(?!['\"])([^,{{}}%]*+))[ \t]*+(?:,|(?=\}}))", re.DOTALL
)
#: A column number and a value in the braces of a sparse row.
_SPARSE_ENTRY = re.compile(
    rf"[ \t]*+([0-9]++)[ \t]++(?:{_QUOTED}|(?!['\"])([^,{{}}% \t]++))[ \t]*+(?:,|(?=\}}))",
    re.DOTALL,
)
_CLOSING = re.compile(r"[ \t]*+\}")
#: The name of an attribute.
_NAME = re.compile(rf"[ \t]*+(?:{_QUOTED}|(?!['\"])([^ \t{{]+))[ \t]*", re.DOTALL)
#: The type of an attribute, and the rest of the line, such as a range: ``real [0, 1]``.
_TYPE = re.compile(r"([^ \t{%\[]*)[ \t]*(.*)", re.DOTALL)
#: Text that may follow the closing brace of a sparse row or of a set of values: a comma, as Weka
#: allows, and a comment.
_EMPTY_REST = re.compile(r"[ \t]*+,?+[ \t]*+(?:%.*)?$", re.DOTALL)
#: Weka's weight of an instance, in braces at the end of a row.
_WEIGHT = re.compile(r"(?:^|,)[ \t]*+\{[^{}'\"]*+\}[ \t]*+,?+[ \t]*+(?:%.*)?$", re.DOTALL)
#: Where the header ends, in the bytes of the file; `_DATA_LINE` then checks the decoded line.
_DATA = re.compile(
    rb"(?:\A|[\r\n])[ \t]*@data(?=[ \t%\r\n]|\Z)[^\r\n]*(?:\r\n?|\n)?", re.IGNORECASE
)
_DATA_LINE = re.compile(r"@data(?:[ \t]+|(?=%)|$)(?:%.*)?", re.IGNORECASE | re.DOTALL)
#: MEKA's number of targets in the name of the relation; a negative number counts from the end.
_MEKA_TARGETS = re.compile(r":.*[ \t]-C[ \t]+(-?[0-9]{1,6})\b", re.IGNORECASE)
_KEEL_KEYWORDS = ("@inputs", "@input", "@outputs", "@output")
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
    """The part of a file before the data section.

    It has `n_lines` lines; the data section begins at byte `start`.

    `targets` are the attributes to predict, if the header declares them. In MEKA, ``-C`` after the
    name of the relation gives their number, counted from the first attribute, or from the last if
    negative. KEEL lists them in ``@outputs``.
    """

    declarations: list[Declaration]
    n_lines: int
    start: int
    encoding: str
    targets: Sequence[str] = ()


def split_lines(text: str) -> list[str]:
    r"""Split a text at ``\n``, ``\r\n`` and ``\r``, and nowhere else."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def unescape(text: str) -> str:
    """Resolve the backslash escapes of a quoted text."""
    if "\\" not in text:
        return text
    return _ESCAPE.sub(lambda match: _ESCAPES.get(match[1], match[1]), text)


def _text(match: re.Match[str], first: int) -> str | None:
    """Text of a value; None for a bare ``?``.

    Its three groups begin at `first`: the text in single quotes, in double quotes, or bare.
    """
    for quoted in (match[first], match[first + 1]):
        if quoted is not None:
            return unescape(quoted)
    bare = match[first + 2].rstrip(BLANKS)
    return unquoted_value(bare)


def split_values(line: str) -> list[str | None]:
    """Split the values of a dense row, or the pattern of a date declaration; None is a bare ``?``.

    As in Weka, % outside quotes starts a comment. ValueError if a quote is not closed, or if text
    follows the closing quote.
    """
    values, begin = [], 0
    while True:
        match = _VALUE.match(line, begin)
        if match is None:
            raise ValueError(
                f"a quote that is not closed, or text after it: {line[begin : begin + 40]!r}"
            )
        values.append(_text(match, first=1))
        if match[4] is None:  # no comma follows
            return values
        begin = match.end()


def split_entries(row: str) -> list[tuple[int, str | None]]:
    """Split a sparse row ``{number value, ...}`` into pairs of column number and value.

    ValueError if an entry is something else, a column occurs twice, or the row has a weight.
    """
    if "}" not in row:
        raise ValueError("a sparse row {number value, ...} with no closing brace")
    matches, rest = _match_braces(row, _SPARSE_ENTRY, "no '<column number> <value>'")
    if not _EMPTY_REST.match(rest):
        if weight := weight_message(rest):
            raise WeightError(weight)
        raise ValueError(f"text after the closing brace: {rest[:40]!r}")
    entries = [(int(match[1]), _text(match, first=2)) for match in matches]
    if len({column for column, _ in entries}) < len(entries):
        raise ValueError("a column number that occurs twice")
    return entries


def weight_message(row: str) -> str:
    """Message about a Weka instance weight at the end of a row, or "" if it has none."""
    weight = _WEIGHT.search(row)
    return (
        f"the instance weight {weight[0].strip(', ' + BLANKS)[:40]}, and weights in files are not "
        "supported: every row counts once"
        if weight
        else ""
    )


def _match_braces(
    text: str, pattern: re.Pattern[str], problem: str
) -> tuple[list[re.Match[str]], str]:
    """Matches of a pattern for the parts between braces, and the text after the closing brace.

    ValueError with `problem` if a part does not match.
    """
    matches, begin = [], 1
    while (closing := _CLOSING.match(text, begin)) is None:
        match = pattern.match(text, begin)
        if match is None:
            raise ValueError(f"{problem} at {text[begin : begin + 40]!r}")
        matches.append(match)
        begin = match.end()
    return matches, text[closing.end() :]


def parse_attribute(text: str) -> Declaration:
    """Declaration in the text after ``@attribute``; ValueError with the reason if it is wrong."""
    match = _NAME.match(text)
    if match is None:
        raise ValueError("no attribute name")
    # Groups 1 and 2 are names in quotes, group 3 is a bare name.
    quoted = [unescape(part) for part in match.groups()[:2] if part is not None]
    name, rest = quoted[0] if quoted else match[3], text[match.end() :].strip(BLANKS)
    where = f"attribute {excerpt(name)!r}"
    if rest.startswith("{"):
        return Declaration(name, "nominal", _nominal_values(where, rest))
    kind, rest = re.match(_TYPE, rest).groups()  # type: ignore[union-attr]  # matches any text
    match kind.lower():
        case "numeric" | "real" | "integer" | "string" if rest.startswith("{"):
            raise ValueError(f"{where} with the weight {excerpt(rest)}; weights are not supported")
        case "numeric" | "real" | "integer":
            return Declaration(name, "numeric")
        case "string":
            return Declaration(name, "string")
        case "date":
            return Declaration(name, "date", date_format=_date_format(rest))
    reason = ", and tables inside a table are not supported" if kind.lower() == "relational" else ""
    raise ValueError(f"{where} of type {excerpt(kind) or 'nothing'!r}{reason}")


def _date_format(rest: str) -> str:
    """Format for strptime of the text after the type ``date``; ISO 8601 by default."""
    if not rest or rest.startswith("%"):
        return "%Y-%m-%dT%H:%M:%S"
    pattern, *others = split_values(rest)
    if others:
        raise ValueError("text after the date pattern")
    return date_format(pattern or "")


def _nominal_values(where: str, rest: str) -> tuple[str, ...]:
    """Values in the braces of a nominal declaration."""
    matches, after = _match_braces(
        rest, _NOMINAL_VALUE, f"{where}: the braces of its values are not closed"
    )
    if not _EMPTY_REST.match(after):
        problem = "a weight" if after.lstrip(BLANKS).startswith("{") else "text"
        raise ValueError(f"{where}: {problem} after the braces of its values: {after[:40]!r}")
    if any(match[3] is not None and not match[3].strip(BLANKS) for match in matches):
        raise ValueError(f"{where}: an empty value")
    # "?" is a value here: in a declaration nothing is missing.
    texts = (_text(match, first=1) for match in matches)
    values = [ARFF_MISSING if text is None else text for text in texts]
    if not values:
        raise ValueError(f"{where}: an empty set of values")
    value, count = Counter(values).most_common(1)[0]
    if count > 1:
        raise ValueError(f"{where}: the value {excerpt(value)!r} is declared {count} times")
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
    n_targets = 0  # MEKA's option
    outputs: list[str] = []  # KEEL's targets
    for number, raw_line in enumerate(split_lines(text.removeprefix("\ufeff")), start=1):
        line = raw_line.strip(BLANKS)
        keyword, *rest = re.split(r"[ \t]+", line, maxsplit=1)
        if not line or line.startswith("%"):
            continue
        if keyword.lower() == "@relation":
            option = _MEKA_TARGETS.search("".join(rest))
            n_targets = int(option[1]) if option else 0
            continue
        if keyword.lower() in _KEEL_KEYWORDS:
            if keyword.lower().startswith("@output"):
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
            targets = outputs or (names[n_targets:] if n_targets < 0 else names[:n_targets])
            declarations = [declaration for _, declaration in declared.values()]
            return Header(declarations, number, start, encoding, targets)
        else:
            raise DataError(
                f"{where}, line {number}: expected @relation, @attribute or @data, found "
                f"{line[:60]!r}. Is it an ARFF file, with each declaration on its own line?"
            )
    raise DataError(f"{where}: expected a line @data, found the end of the file.")
