"""Papers of the scorecard: published tables, look-ups of our own numbers, and rules for claims."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import numpy as np
import pandas as pd

from streameval.base.errors import DataError
from streameval.report.claims import Predicate
from streameval.report.results import SURVEY_COLUMNS, Finding, Results, require_columns

#: Columns with counts, which are compared exactly.
COUNTS = ("instances", "attributes", "classes")

NOT_IN_VERSION = "study not part of this version"
QUOTED = "quoted from the literature; the paper gives no protocol to rerun"

#: Function of the results, an item (``paper/item``) and the key of a published number. It returns
#: our number, or the reason why we have none.
NumberFinder = Callable[[Results, str, str], Finding]


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
        require_columns(table, SURVEY_COLUMNS, item)
        measured = table[table["measured"]]
        if len(measured):
            percent = float(measured["accuracy_percent"].iloc[0])
            return Finding(percent).with_exact_ratio(scale=100)
    return Finding(np.nan, results.missing_reason(item, "elec2"))


def find_nothing(results: Results, item: str, key: str) -> Finding:
    """No number: no study of this version measures it."""
    return Finding(np.nan, NOT_IN_VERSION)


@dataclass(frozen=True)
class PublishedTable:
    """A published table: where its numbers are, and how to find ours.

    Parameters
    ----------
    item : str
        Name of the table in the paper's folder.
    keys : tuple of str
        Columns that name a row.
    find : NumberFinder
        Function that finds our number.
    values : tuple of str
        Columns of numbers.
    per_stream : tuple of str
        Columns whose number is the same in all rows of a stream.
    file : str
        File in ``resources/published``; by default ``paper/item.csv``.
    member_column : str
        Column that is 1 in the rows of this table, if the file has rows of several tables.
    used_parts : mapping of str to str
        By stream, the shorter stream that the paper used instead of the whole file.
    by_construction : mapping of str to str
        By pattern of keys, the reason why our number has to agree.
    without_learner : tuple of str
        Patterns of keys whose numbers follow from labels or counts, without a trained learner.
    """

    item: str
    keys: tuple[str, ...]
    find: NumberFinder = find_nothing
    values: tuple[str, ...] = ("value",)
    per_stream: tuple[str, ...] = ()
    file: str = ""
    member_column: str = ""
    used_parts: Mapping[str, str] = field(default_factory=dict)
    by_construction: Mapping[str, str] = field(default_factory=dict)
    without_learner: tuple[str, ...] = ()

    def read_numbers(self, folder: Path, paper: str) -> Iterator[tuple[str, str]]:
        """Yield the key and the printed digits of each number.

        A key names the row, and the column if there are several. `folder` is
        ``resources/published``.
        """
        member = (self.member_column,) if self.member_column else ()
        columns = (*self.keys, *self.values, *self.per_stream, *member)
        frame = read_published(folder / (self.file or f"{paper}/{self.item}.csv"), columns)
        if self.member_column:
            frame = frame[frame[self.member_column] == "1"]
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
