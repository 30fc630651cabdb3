"""Papers for the scorecard: published tables, the look-up of our values, rules for claims."""

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

#: Columns of numbers that are counted, not estimated: they are compared exactly.
COUNTS = ("instances", "attributes", "classes")

NOT_PART = "study not part of this version"
QUOTED = "quoted from the literature; the paper gives no protocol to rerun"

#: Returns our number for an item, ``paper/item``, and a key of it, or why there is none.
Find = Callable[[Results, str, str], Finding]


def in_rows(results: Results, item: str, key: str) -> Finding:
    """Look up the key ``stream/measure`` in our table of this item, with a row for each measure."""
    stream, _, measure = key.partition("/")
    return results.find(item, stream, measure=measure).of_counts()


def in_columns(results: Results, item: str, key: str) -> Finding:
    """Look up the key ``stream/measure`` in our table of this item, with a column for each."""
    stream, _, measure = key.partition("/")
    return results.find(item, stream, measure).of_counts()


def in_survey(results: Results, item: str, key: str) -> Finding:
    """Look up the accuracy of No-Change in our table of this survey; all others are quoted."""
    if "No-Change" not in key:
        return Finding(np.nan, QUOTED)
    table = results.frame(item)
    if table is not None:
        require_columns(table, LITERATURE, item)
        measured = table[table["measured"]]
        if len(measured):
            return Finding(float(measured["accuracy_percent"].iloc[0])).of_counts(100)
    return Finding(np.nan, results.absence(item, "elec2"))


def not_part(results: Results, item: str, key: str) -> Finding:
    """The reason why there is no number: no study of this version measures it."""
    return Finding(np.nan, NOT_PART)


@dataclass(frozen=True)
class PublishedTable:
    """A published table: the place of its numbers, and the look-up of ours.

    `keys` are the columns that name a row, `values` those of numbers, `per_stream` those once for a
    stream; `member` is a column that holds 1 in rows of the table. `find` is called with the
    results, ``paper/item`` and the key. `by_construction` says, by a pattern of the key, why ours
    has to agree; `of_labels` are patterns of what follows from labels or counts.
    """

    item: str
    keys: tuple[str, ...]
    find: Find = not_part
    values: tuple[str, ...] = ("value",)
    per_stream: tuple[str, ...] = ()
    file: str = ""
    member: str = ""
    parts: Mapping[str, str] = field(default_factory=dict)
    by_construction: Mapping[str, str] = field(default_factory=dict)
    of_labels: tuple[str, ...] = ()

    def numbers(self, folder: Path, paper: str) -> Iterator[tuple[str, str]]:
        """Yield key and text of each number; a key names row and, if there are several, column.

        `folder` is ``resources/published``.
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
        """The name of its folder in ``resources/published``."""

    @property
    def title(self) -> str:
        """Its name in texts."""

    @property
    def citation(self) -> str:
        """The full reference."""

    @property
    def tables(self) -> Sequence[PublishedTable]:
        """Its published tables."""

    @property
    def claims(self) -> Mapping[str, Predicate]:
        """The rules that judge its claims, by the claim's key in its ``claims.csv``."""


def read_published(path: Path, columns: tuple[str, ...]) -> pd.DataFrame:
    """Read a published file as texts, with the digits as printed.

    Raises DataError if it is missing or lacks a column.
    """
    if not path.is_file():
        raise DataError(f"{path}: no such file. It comes with the source of streameval.")
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    require_columns(frame, columns, str(path))
    return frame
