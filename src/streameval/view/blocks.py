"""Parts of a result: tables, sentences, facts and figures that text, notebooks and JSON show."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any, Literal, NamedTuple, TypeAlias

from streameval.base.errors import some
from streameval.base.values import enumeration, json_value

#: The most reasons for missing intervals that get a sentence each, the most names of values in
#: such a sentence, and the sentence for more reasons.
_MOST_REASONS, _FIRST_VALUES = 2, 4
_MANY_REASONS = (
    "Values without brackets have no interval: the effective sample size is too small, nearly all "
    "instances have the same value, or simulated intervals of this kind miss too often."
)

#: Where a part is shown: everywhere, in lines of text, or where there are drawings.
Only: TypeAlias = Literal["", "text", "drawn"]
Kind: TypeAlias = Literal["number", "text", "name"]
#: Of a cell: the best of its row, or one that cannot be told from it.
Mark: TypeAlias = Literal["", "best", "alike"]
#: Of a finding: in favour of its subject, against it, no difference, not known.
Tone: TypeAlias = Literal["good", "bad", "equal", "open"]


class Bar(NamedTuple):
    """A bar from 0 to a value, on a scale from `low`, at most 0, to `high`."""

    value: float
    low: float
    high: float


class DotInterval(NamedTuple):
    """A dot and its interval, NaN where there is none, on a scale that holds 0.

    Differences up to `no` are practically none: a grey region.
    """

    value: float
    ends: tuple[float, float]
    low: float
    high: float
    no: float = 0.0


class Line(NamedTuple):
    """A line through values on a scale; NaN is a gap, and 0 has an axis if within."""

    values: Sequence[float]
    low: float
    high: float


Drawing: TypeAlias = Bar | DotInterval | Line


@dataclass(frozen=True)
class Column:
    """A heading, and the text of some values of a row; empty if the first of them is None."""

    head: str
    of: Sequence[str]
    text: Callable[..., str] = str
    #: Numbers stand flush right, names are those of the rows.
    kind: Kind = "number"
    #: What is drawn below the text of a row.
    drawing: Callable[[Mapping[str, Any]], Drawing | None] | None = None
    #: The key of why a value is undefined, or has no interval.
    reason: str = ""
    #: The title that it shares with the columns beside it.
    group: str = ""
    #: The key of the `Mark` of its cell in a row.
    mark: str = ""

    def cell(self, row: Mapping[str, Any]) -> str:
        """Text of the column in a row."""
        first, *others = (row[key] for key in self.of)
        return "" if first is None else self.text(first, *others)

    def why(self, row: Mapping[str, Any]) -> str:
        """Reason why the value of a row is undefined or has no interval; "" if there is none."""
        return str(row.get(self.reason) or "")

    def drawing_of(self, row: Mapping[str, Any]) -> Drawing | None:
        """Drawing of the column in a row."""
        return None if self.drawing is None else self.drawing(row)


@dataclass(frozen=True)
class Table:
    """Rows of values, and the columns that people see; a turned one has a column for each row.

    Without room for all rows, those with names `kept` are shown, and how many more of `what`.
    """

    columns: Sequence[Column]
    rows: Sequence[Mapping[str, Any]]
    title: str = ""
    notes: Sequence[str] = ()
    turned: bool = False
    kept: Collection[str] = ()
    what: str = "rows"
    only: Only = ""

    @property
    def cells(self) -> list[list[str]]:
        """The heads, and the texts of each row."""
        heads = [
            f"{column.group}: {column.head}" if column.group else column.head
            for column in self.columns
        ]
        return [heads, *([column.cell(row) for column in self.columns] for row in self.rows)]

    @property
    def marks(self) -> list[list[Mark]]:
        """The marks of the cells of each row."""
        return [
            [row[column.mark] if column.mark else "" for column in self.columns]
            for row in self.rows
        ]

    @property
    def sides(self) -> str:
        """``r`` or ``l`` for each column: numbers stand flush right."""
        return "".join("r" if column.kind == "number" else "l" for column in self.columns)

    @property
    def undefined(self) -> list[str]:
        """A sentence on each column and reason, with the names of its rows if some differ."""
        names_by_reason: dict[tuple[str, str], list[str]] = {}
        for name, column, value, why in self._reasons():
            if isinstance(value, float) and isnan(value):
                names_by_reason.setdefault((column, why), []).append(name)
        return [
            f"{head}{'' if len(names) == len(self.rows) else f' of {some(names)}'} is undefined: "
            f"{why}."
            for (head, why), names in names_by_reason.items()
        ]

    @property
    def without_interval(self) -> list[str]:
        """Why values have no interval: a sentence on each reason, or one if there are many."""
        values_by_reason: dict[str, list[str]] = {}
        for name, column, value, why in self._reasons():
            if not (isinstance(value, float) and isnan(value)):
                values_by_reason.setdefault(why, []).append(f"{name} ({column})")
        if len(values_by_reason) > _MOST_REASONS:
            return [_MANY_REASONS]
        return [f"{_few(of)}: no interval, as {why}." for why, of in values_by_reason.items()]

    def _reasons(self) -> Iterator[tuple[str, str, Any, str]]:
        """Yield the name of a row, the head of a column, the value and its reason."""
        for row in self.rows:
            name = next((column.cell(row) for column in self.columns if column.kind == "name"), "")
            for column in self.columns:
                if why := column.why(row):
                    yield name, column.head, row[column.of[0]], why

    @property
    def numbers(self) -> list[dict[str, Any]]:
        """The rows as JSON has them: None where a value is undefined."""
        return [{key: json_value(value) for key, value in row.items()} for row in self.rows]


def _few(names: Sequence[str]) -> str:
    """All of a few names, or the first of many and how many more there are."""
    more = len(names) - _FIRST_VALUES
    return enumeration(names if more <= 1 else [*names[:_FIRST_VALUES], f"{more:,} more values"])


class Sentence(NamedTuple):
    """A finding in words, with its drawings and its tone."""

    text: str
    drawings: Sequence[Drawing] = ()
    tone: Tone = "open"


@dataclass(frozen=True)
class Sentences:
    """Findings, a line each, large on top of a page.

    Where there are too many of `what`, the first ones are drawn.
    """

    rows: Sequence[Sentence]
    notes: Sequence[str] = ()
    what: str = "sentences"
    large: bool = False
    only: Only = ""


@dataclass(frozen=True)
class Words:
    """Paragraphs; a note is small."""

    texts: Sequence[str]
    note: bool = False
    only: Only = ""


@dataclass(frozen=True)
class Facts:
    """Names with their texts; an empty name continues the previous row."""

    rows: Sequence[tuple[str, str]]
    title: str = ""
    only: Only = ""


@dataclass(frozen=True)
class Code:
    """A text to copy, with its title."""

    title: str
    text: str
    only: Only = ""


@dataclass(frozen=True)
class Picture:
    """A figure as elements of SVG, for wide and for narrow screens; its caption has no finding."""

    wide: str
    narrow: str
    caption: str
    only: Only = "drawn"


Part: TypeAlias = Table | Sentences | Words | Facts | Code | Picture


@dataclass(frozen=True)
class Later:
    """Parts that are costly, and therefore made only where they are shown."""

    make: Callable[[], Sequence[Part]]
    only: Only


@dataclass(frozen=True)
class View:
    """Parts of a result in order; the JSON data and the figure are made on request.

    Limits say what numbers are, and what they are not.
    """

    parts: Sequence[Part | Later]
    numbers: Callable[[], Mapping[str, Any]]
    limits: str = ""
    picture: Callable[[], Any] | None = None

    @property
    def sentences(self) -> list[str]:
        """Sentences of all parts."""
        blocks = [block for block in self.parts if isinstance(block, Sentences)]
        return [row.text for block in blocks for row in block.rows]

    def parts_for(self, where: Only) -> list[Part]:
        """Parts for one kind of output, with the limits last."""
        limits = [Words([self.limits], note=True)] if self.limits else []
        parts = [part for part in (*self.parts, *limits) if part.only in ("", where)]
        return [
            part
            for block in parts
            for part in (block.make() if isinstance(block, Later) else [block])
        ]


def sentence_part(texts: Sequence[str], notes: Sequence[str] = ()) -> Sentences:
    """Part with sentences that have no drawings."""
    return Sentences([Sentence(text) for text in texts], notes)


def texts_table(
    title: str,
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    sides: str = "",
    groups: Sequence[str] = (),
    notes: Sequence[str] = (),
    marks: Sequence[Sequence[Mark]] = (),
) -> Table:
    """Table of texts; by default the first column names the rows and the others are numbers.

    `sides` has ``l`` or ``r`` for each column, `groups` the title that neighbouring columns share
    (or an empty text), and `marks` the mark of each cell, row by row.
    """
    kinds: list[Kind] = ["number" if side == "r" else "text" for side in sides]
    kinds = kinds or ["name" if not place else "number" for place in range(len(heads))]
    columns = [
        Column(head, [str(place)], kind=kind, group=group, mark=f"mark {place}" * bool(marks))
        for place, (head, kind, group) in enumerate(
            zip(heads, kinds, groups or [""] * len(heads), strict=True)
        )
    ]
    cells = [{str(place): str(cell) for place, cell in enumerate(row)} for row in rows]
    for row, of_row in zip(cells, marks, strict=False):
        row |= {f"mark {place}": mark for place, mark in enumerate(of_row)}
    return Table(columns, cells, title, notes)
