"""Papers of the scorecard: their published tables, functions that find ours, rules for claims."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import numpy as np
import pandas as pd

from streameval.base.errors import DataError
from streameval.report.claims import Predicate
from streameval.report.results import LITERATURE, Finding, Results, require_columns

#: Columns with counts, which are compared exactly.
COUNTS = ("instances", "attributes", "classes")

NOT_PART = "study not part of this version"
QUOTED = "quoted from the literature; the paper gives no protocol to rerun"

#: Function of the results, an item (``paper/item``) and a key of it: our number, or why we have
#: none.
Find = Callable[[Results, str, str], Finding]


def find_in_rows(results: Results, item: str, key: str) -> Finding:
    """Number with the key ``stream/measure`` in our table, which has a row for each measure."""
    stream, _, measure = key.partition("/")
    return results.find(item, stream, measure=measure).with_exact_ratio()


def find_in_columns(results: Results, item: str, key: str) -> Finding:
    """Number with the key ``stream/measure`` in our table, which has a column for each measure."""
    stream, _, measure = key.partition("/")
    return results.find(item, stream, measure).with_exact_ratio()


def find_in_survey(results: Results, item: str, key: str) -> Finding:
    """Accuracy of No-Change in our table of a survey; other numbers are quoted by the paper."""
    if "No-Change" not in key:
        return Finding(np.nan, QUOTED)
    table = results.frame(item)
    if table is not None:
        require_columns(table, LITERATURE, item)
        measured = table[table["measured"]]
        if len(measured):
            percent = float(measured["accuracy_percent"].iloc[0])
            return Finding(percent).with_exact_ratio(scale=100)
    return Finding(np.nan, results.absence(item, "elec2"))


def find_nothing(results: Results, item: str, key: str) -> Finding:
    """No number, as no study of this version measures it."""
    return Finding(np.nan, NOT_PART)


@dataclass(frozen=True)
class PublishedTable:
    """A published table: where its numbers are, and how to find ours.

    `keys` are the columns that name a row; `values` are columns of numbers; `per_stream` are
    columns whose number is the same in all rows of a stream. If a file has rows of several tables,
    the column `member` is 1 in rows of this table. `parts` names, by stream, the part of a file
    that the paper used. `by_construction` gives, by pattern of keys, the reason why ours has to
    agree. `without_learner` has patterns of keys whose numbers follow from labels or counts alone.
    """

    item: str
    keys: tuple[str, ...]
    find: Find = find_nothing
    values: tuple[str, ...] = ("value",)
    per_stream: tuple[str, ...] = ()
    file: str = ""
    member: str = ""
    parts: Mapping[str, str] = field(default_factory=dict)
    by_construction: Mapping[str, str] = field(default_factory=dict)
    without_learner: tuple[str, ...] = ()

    def numbers(self, folder: Path, paper: str) -> Iterator[tuple[str, str]]:
        """Yield key and printed digits of each number.

        A key names the row, and the column if there are several. `folder` is
        ``resources/published``.
        """
        member = (self.member,) if self.member else ()
        columns = (*self.keys, *self.values, *self.per_stream, *member)
        frame = read_published(folder / (self.file or f"{paper}/{self.item}.csv"), columns)
        if self.member:
            frame = frame[frame[self.member] == "1"]
        for column in self.per_stream:
            for stream, number in frame[["stream", column]].drop_duplicates().to_numpy():
                yield f"{stream}/{column}", number
        for row in frame.to_dict("records"):
            name = "/".join(row[key] for key in self.keys)
            for column in self.values:
                yield (f"{name}/{column}" if len(self.values) > 1 else name), row[column]


class PublishedPaper(Protocol):
    """A paper whose numbers and claims the scorecard compares with ours."""

    @property
    def id(self) -> str:
        """Name of the paper's folder in ``resources/published``."""

    @property
    def title(self) -> str:
        """Short title, such as Bifet et al. (2013)."""

    @property
    def citation(self) -> str:
        """Full reference."""

    @property
    def tables(self) -> Sequence[PublishedTable]:
        """Published tables."""

    @property
    def claims(self) -> Mapping[str, Predicate]:
        """Rules for the paper's claims, by key in its ``claims.csv``."""


def read_published(path: Path, columns: tuple[str, ...]) -> pd.DataFrame:
    """Read a published file; all cells are texts, with the digits as printed.

    Raises DataError if it is missing or lacks a column.
    """
    if not path.is_file():
        raise DataError(f"{path}: no such file. It comes with the source of streameval.")
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    require_columns(frame, columns, str(path))
    return frame
