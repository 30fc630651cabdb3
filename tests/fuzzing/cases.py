"""What is drawn for the fuzz test: tables, and the files that hold them."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from naive.readers import Cell, Reading

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Case:
    """A file that the package is to read."""

    ending: str
    wrapper: str  # what the file is packed into
    body: bytes
    target: str | None  # the column to predict; of YAML what it is for
    is_mangled: bool = False  # no longer what was written
    expected: Reading | None = None  # what it says, if it was not mangled
    oracle: Callable[[bytes], Reading] | None = None  # an independent reader, if there is one
    options: dict[str, Any] = field(default_factory=dict)  # of the reader
    #: Where the wrapper is damaged: a byte from its end, cut off there if it is even; 0 nowhere.
    harm: int = 0
    times: tuple[list[float], list[float]] | None = None  # of instances and of their labels

    @property
    def is_for_registry(self) -> bool:
        """Whether it needs an option that only rows of the registry have."""
        return not {"names", "header", "first"}.isdisjoint(self.options)


@dataclass(frozen=True)
class Column:
    """A column: the kind of its cells, and the cells."""

    name: str
    kind: str
    cells: list[Cell]


def reading(columns: list[Column], labels: list[str], classes: list[str] | None) -> Reading:
    return Reading(
        [column.name for column in columns],
        # Without a single cell nothing says that a column is one of texts.
        [column.cells for column in columns],
        labels,
        classes or sorted({*labels}),
    )


def cell_text(rng: random.Random, kind: str, cell: float) -> str:
    """A spelling of a number, by the kind of its column."""
    moment = EPOCH + timedelta(seconds=cell if kind in ("date", "moment", "time") else 0)
    match kind:
        case "truth":
            return rng.choice(
                ("false", "False", "FALSE") if cell == 0 else ("true", "True", "TRUE")
            )
        case "date":
            return f"{moment:%Y-%m-%d}"
        case "moment":
            return f"{moment:%Y-%m-%d}{rng.choice(' T')}{moment:%H:%M:%S}"
        case "time":
            return f"{moment:%H:%M:%S}"
        case "integer":
            return rng.choice((str(int(cell)), str(int(cell)), f"{cell:.1f}", f"{cell:.3e}"))
    return repr(cell)
