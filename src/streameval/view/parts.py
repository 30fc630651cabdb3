"""Parts of a result: tables, sentences, facts and figures that text, notebooks and JSON show."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any, Literal, NamedTuple, TypeAlias

from streameval.base.errors import listing
from streameval.base.values import enumeration, json_value

#: Each reason why intervals are missing gets a sentence, if there are at most so many reasons.
_MOST_REASONS = 2
#: Largest number of values that such a sentence names.
_MOST_VALUES = 4
#: The sentence that stands for more than `_MOST_REASONS` reasons.
_MANY_REASONS = (
    "Values without brackets have no interval: the effective sample size is too small, nearly all "
    "instances have the same value, or, in simulations, such intervals too often do not contain "
    "the true value."
)

#: Output in which a part is shown: any output, only plain text, or only output with drawings.
OutputKind: TypeAlias = Literal["", "text", "notebook"]
#: Content of a column; "name" marks the column that identifies a row.
ColumnKind: TypeAlias = Literal["number", "text", "name"]
#: Mark of a cell: the best of its row, or not distinguishable from the best.
Mark: TypeAlias = Literal["", "best", "alike"]
#: Tone of a finding about a subject, such as a learner: the finding is in favour of the subject,
#: against it, "no difference", or undecided. It selects the colour.
Tone: TypeAlias = Literal["good", "bad", "equal", "open"]


class Bar(NamedTuple):
    """A bar from 0 to a value, on a scale from `low`, which is at most 0, to `high`."""

    value: float
    low: float
    high: float


class DotInterval(NamedTuple):
    """A dot and its interval, on a scale from `low` to `high` that includes 0.

    `ends` are NaN without an interval. The region of practical equivalence, -`rope` to `rope`, is
    grey.
    """

    value: float
    ends: tuple[float, float]
    low: float
    high: float
    rope: float = 0.0


class Line(NamedTuple):
    """A line through values, with gaps at NaN, and an axis at 0 if the scale includes 0."""

    values: Sequence[float]
    low: float
    high: float


Drawing: TypeAlias = Bar | DotInterval | Line


@dataclass(frozen=True)
class Column:
    """A column of a table: its heading, and how it shows the values of a row."""

    head: str
    #: Keys into a row. Their values are the arguments of `format_values`; the cell is empty if the
    #: first value is None.
    keys: Sequence[str]
    #: Makes the text of a cell.
    format_values: Callable[..., str] = str
    #: Numbers are flush right.
    kind: ColumnKind = "number"
    #: The drawing below the text of a row, if any.
    drawing: Callable[[Mapping[str, Any]], Drawing | None] | None = None
    #: The key of the reason why a value is undefined or has no interval; "" for none.
    reason_key: str = ""
    #: The title above it and its neighbours of the same group; "" for none.
    group: str = ""
    #: The key of the `Mark` of its cell; "" for none.
    mark_key: str = ""

    def cell(self, row: Mapping[str, Any]) -> str:
        """Text of the column in a row."""
        first, *others = (row[key] for key in self.keys)
        return "" if first is None else self.format_values(first, *others)

    def reason_text(self, row: Mapping[str, Any]) -> str:
        """Reason why the value of a row is undefined or has no interval, or ""."""
        return str(row.get(self.reason_key) or "")

    def row_drawing(self, row: Mapping[str, Any]) -> Drawing | None:
        """Drawing of the column in a row."""
        return None if self.drawing is None else self.drawing(row)


@dataclass(frozen=True)
class Table:
    """Rows of values, and the columns that people see.

    A `transposed` table is shown with a column for each row; in plain text only if that is easier
    to read. Where there is no room for all rows, those with a name in `always_shown` stay, and a
    line says how many more of the `noun` there are.
    """

    columns: Sequence[Column]
    rows: Sequence[Mapping[str, Any]]
    title: str = ""
    notes: Sequence[str] = ()
    transposed: bool = False
    always_shown: Collection[str] = ()
    noun: str = "rows"
    shown_in: OutputKind = ""

    @property
    def cells(self) -> list[list[str]]:
        """The headings, and the texts of each row."""
        heads = [
            f"{column.group}: {column.head}" if column.group else column.head
            for column in self.columns
        ]
        return [heads, *([column.cell(row) for column in self.columns] for row in self.rows)]

    @property
    def marks(self) -> list[list[Mark]]:
        """The marks of the cells of each row."""
        return [
            [row[column.mark_key] if column.mark_key else "" for column in self.columns]
            for row in self.rows
        ]

    @property
    def alignment(self) -> str:
        """Alignment of each column, ``r`` for numbers and ``l`` for texts, in one string."""
        return "".join("r" if column.kind == "number" else "l" for column in self.columns)

    @property
    def undefined_sentences(self) -> list[str]:
        """One sentence for each pair of a column with undefined values and a reason.

        It names the rows, unless the column is undefined in all of them.
        """
        names_by_reason: dict[tuple[str, str], list[str]] = {}
        for name, head, value, reason in self._reasons():
            if isinstance(value, float) and isnan(value):
                names_by_reason.setdefault((head, reason), []).append(name)
        return [
            f"{head}{'' if len(names) == len(self.rows) else f' of {listing(names)}'} "
            f"is undefined: {reason}."
            for (head, reason), names in names_by_reason.items()
        ]

    @property
    def no_interval_sentences(self) -> list[str]:
        """Sentences on values without an interval: one for each reason, or one if many reasons."""
        values_by_reason: dict[str, list[str]] = {}
        for name, head, value, reason in self._reasons():
            if not (isinstance(value, float) and isnan(value)):
                values_by_reason.setdefault(reason, []).append(f"{name} ({head})")
        if len(values_by_reason) > _MOST_REASONS:
            return [_MANY_REASONS]
        return [
            f"{_first_values(values)}: no interval, as {reason}."
            for reason, values in values_by_reason.items()
        ]

    def _reasons(self) -> Iterator[tuple[str, str, Any, str]]:
        """Yield the name of a row, the head of a column, the value and its reason."""
        for row in self.rows:
            name = next((column.cell(row) for column in self.columns if column.kind == "name"), "")
            for column in self.columns:
                if reason := column.reason_text(row):
                    yield name, column.head, row[column.keys[0]], reason

    @property
    def json_rows(self) -> list[dict[str, Any]]:
        """The rows for JSON, in which undefined values are None."""
        return [{key: json_value(value) for key, value in row.items()} for row in self.rows]


def _first_values(values: Sequence[str]) -> str:
    """The first `_MOST_VALUES` values and the number of others; all if only one would be cut."""
    n_others = len(values) - _MOST_VALUES
    if n_others <= 1:
        return enumeration(values)
    return enumeration([*values[:_MOST_VALUES], f"{n_others:,} more values"])


class Sentence(NamedTuple):
    """A sentence that states a finding, with its drawings and its tone."""

    text: str
    drawings: Sequence[Drawing] = ()
    tone: Tone = "open"


@dataclass(frozen=True)
class Sentences:
    """Findings, each on a line; `large` for the findings at the top of a page.

    Where there is no room for all, the first ones are shown, and a line says how many more of the
    `noun` there are.
    """

    rows: Sequence[Sentence]
    notes: Sequence[str] = ()
    noun: str = "sentences"
    large: bool = False
    shown_in: OutputKind = ""


@dataclass(frozen=True)
class Words:
    """Paragraphs of text; a `note` is in small print."""

    texts: Sequence[str]
    note: bool = False
    shown_in: OutputKind = ""


@dataclass(frozen=True)
class Facts:
    """Names with their texts; an empty name continues the previous row."""

    rows: Sequence[tuple[str, str]]
    title: str = ""
    shown_in: OutputKind = ""


@dataclass(frozen=True)
class Code:
    """A text to copy, with its title."""

    title: str
    text: str
    shown_in: OutputKind = ""


@dataclass(frozen=True)
class Picture:
    """A figure as SVG elements, for wide and for narrow screens.

    The caption states no finding: findings are in `Sentences`, which plain text shows, too.
    """

    wide: str
    narrow: str
    caption: str
    shown_in: OutputKind = "notebook"


Part: TypeAlias = Table | Sentences | Words | Facts | Code | Picture


@dataclass(frozen=True)
class DeferredParts:
    """Parts that are costly and therefore made only when they are shown."""

    make: Callable[[], Sequence[Part]]
    shown_in: OutputKind


@dataclass(frozen=True)
class View:
    """Parts of a result in order; the JSON data and the figure are made on request."""

    parts: Sequence[Part | DeferredParts]
    #: Makes the data for JSON.
    make_json: Callable[[], Mapping[str, Any]]
    #: A note on what the numbers mean and what they do not.
    limits: str = ""
    #: Draws the figure.
    draw_figure: Callable[[], Any] | None = None

    @property
    def sentences(self) -> list[str]:
        """Sentences of all parts."""
        parts = [part for part in self.parts if isinstance(part, Sentences)]
        return [row.text for part in parts for row in part.rows]

    def parts_for(self, output: OutputKind) -> list[Part]:
        """Parts for one kind of output, with the limits last."""
        limits = [Words([self.limits], note=True)] if self.limits else []
        parts = [part for part in (*self.parts, *limits) if part.shown_in in ("", output)]
        return [
            made_part
            for part in parts
            for made_part in (part.make() if isinstance(part, DeferredParts) else [part])
        ]


def sentence_part(texts: Sequence[str], notes: Sequence[str] = ()) -> Sentences:
    """Part of sentences without drawings."""
    return Sentences([Sentence(text) for text in texts], notes)


def texts_table(
    title: str,
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    alignment: str = "",
    groups: Sequence[str] = (),
    notes: Sequence[str] = (),
    marks: Sequence[Sequence[Mark]] = (),
) -> Table:
    """Table of texts; by default the first column identifies the rows and the others are numbers.

    `alignment` has ``l`` or ``r`` for each column, `groups` the title that neighbouring columns
    share (or an empty text), and `marks` the mark of each cell, row by row.
    """
    kinds: list[ColumnKind] = ["number" if side == "r" else "text" for side in alignment]
    kinds = kinds or ["name" if i == 0 else "number" for i in range(len(heads))]
    columns = [
        Column(head, [str(i)], kind=kind, group=group, mark_key=f"mark {i}" if marks else "")
        for i, (head, kind, group) in enumerate(
            zip(heads, kinds, groups or [""] * len(heads), strict=True)
        )
    ]
    cells = [{str(i): str(cell) for i, cell in enumerate(row)} for row in rows]
    for row, marks_of_row in zip(cells, marks, strict=False):  # there may be no marks
        row |= {f"mark {i}": mark for i, mark in enumerate(marks_of_row)}
    return Table(columns, cells, title, notes)
