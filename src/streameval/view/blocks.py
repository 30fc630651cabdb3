"""What a result tells, once: blocks that text, notebooks and JSON show."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from streameval.values import defined


@dataclass(frozen=True)
class Column:
    """A head, and the text of some values of a row; none where the first of them is None."""

    head: str
    of: Sequence[str]
    text: Callable[..., str] = str
    #: Numbers stand flush right, names are those of the rows.
    kind: Literal["number", "text", "name"] = "number"

    def cell(self, row: Mapping[str, Any]) -> str:
        """Return the text of a row."""
        first, *others = (row[key] for key in self.of)
        return "" if first is None else self.text(first, *others)


@dataclass(frozen=True)
class Table:
    """Rows of values, and the columns that people see of them."""

    columns: Sequence[Column]
    rows: Sequence[Mapping[str, Any]]

    @property
    def cells(self) -> list[list[str]]:
        """The heads, and the texts of each row."""
        heads = [one.head for one in self.columns]
        return [heads, *([one.cell(row) for one in self.columns] for row in self.rows)]

    @property
    def numbers(self) -> list[dict[str, Any]]:
        """The rows as JSON has them: None where a value is undefined."""
        return [{key: defined(value) for key, value in row.items()} for row in self.rows]


@dataclass(frozen=True)
class View:
    """What is found, in sentences, tables, and the numbers of JSON.

    Text alone begins with the head. Limits say what numbers are, and what they are not.
    """

    sentences: Sequence[str]
    tables: Sequence[Table]
    numbers: Mapping[str, Any]
    head: Sequence[str] = ()
    limits: str = ""
