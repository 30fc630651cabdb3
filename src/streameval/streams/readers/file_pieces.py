"""The pieces of a user's own file, in any supported format; see `read_any`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Flags
from streameval.base.errors import DataError, warn_caller
from streameval.base.memory import check_room
from streameval.streams.arrow_arrays import texts_in_arrow
from streameval.streams.columnar import DAMAGE, has_stream
from streameval.streams.pieces import Block, StreamPieces, pieces_of, resized
from streameval.streams.readers.any_file import WRITTEN, given_options, read_any
from streameval.streams.readers.arff import arff_blockwise
from streameval.streams.readers.blocks import Numbers
from streameval.streams.readers.columns import check_labels
from streameval.streams.readers.content import READER_OF, content_name
from streameval.streams.readers.csv_file import csv_blockwise
from streameval.streams.readers.dialect import asked
from streameval.streams.readers.parquet_file import parquet_blockwise
from streameval.streams.readers.parts import REFUSED, Blockwise, MoreTextsError, UnclearError
from streameval.streams.readers.roles import Roles
from streameval.streams.readers.sentinels import SentinelSearch
from streameval.streams.readers.suspicion import (
    ALL_DISTINCT,
    Suspicions,
    counts_on,
    is_beyond,
    is_nameless,
    is_rounded,
    largest,
    sorted_runs,
    suspicions,
)
from streameval.streams.readers.table import StreamWarning, remark
from streameval.streams.readers.texts import Texts, meaning
from streameval.streams.stream import Attribute, Schema, Stream

#: The options of `read_any` that leave rows in their order, by reader.
_OPTIONS = {
    "arff": {"drop", "numeric"},
    "parquet": {"drop", "nominal", "numeric", "missing"},
}
_OPTIONS["csv"] = {*_OPTIONS["parquet"], *WRITTEN, "skip_rows"}
#: Bytes that a file takes when it is read as a whole, in bytes of the file: text and values.
_WHOLE = 3


def file_pieces(
    path: str | Path,
    target: str | None = None,
    *,
    progress: Callable[[int], object] | None = None,
    **options: Any,
) -> StreamPieces:
    """Return the pieces of a file, which is read once for its schema and once for each use.

    Arguments are those of `read_any`, without times; `progress` is called with rows since the last
    call. A file that only a look at the whole explains, or with an error whose line is to be named,
    is read as a whole if it fits into the memory.
    """
    path = Path(path)
    try:
        return _surveyed(_blockwise(path, target, options), progress)
    except (*REFUSED, *DAMAGE) as error:
        check_room(
            _WHOLE * path.stat().st_size if path.is_file() else 0,
            f"{path} cannot be read in pieces ({error}). Read as a whole, it",
            "Correct the file, or name its columns of texts (--nominal COLUMN).",
        )
    stream = read_any(path, target, **options)
    if stream.unlabelled:
        raise DataError(
            f"{path}: expected a label in each row of a stream in pieces, but "
            f"{stream.unlabelled_text}. Evaluate it in one go (without --chunk-rows), or remove "
            "these rows."
        )
    return pieces_of(stream)


def _blockwise(path: Path, target: str | None, options: dict[str, Any]) -> Blockwise:
    given = given_options(options)
    reader = READER_OF.get(Path(content_name(path)).suffix.lower(), "")
    if not given.keys() <= _OPTIONS.get(reader, set()):
        raise UnclearError("it has options of other files, or times")
    if reader == "parquet" and has_stream(path):
        raise UnclearError("a converted stream is checked as a whole")
    if reader == "arff":
        return arff_blockwise(path, target, **given)
    if target is None:
        raise UnclearError("it has no target")
    drop, written = given.pop("drop", ()), asked(*(given.pop(name, None) for name in WRITTEN))
    skip = given.pop("skip_rows", 0)
    roles = Roles(target, **given, typed=reader == "parquet")
    if reader == "parquet":
        return parquet_blockwise(path, roles, drop)
    return csv_blockwise(path, roles, drop, written, skip)


def _surveyed(file: Blockwise, progress: Callable[[int], object] | None) -> StreamPieces:
    """Return the stream of a file, after a look at all of it; an error does not name its line.

    Warnings of leaks and of dates that go back need all rows at once, and are left out.
    """
    while True:
        seen = _Seen(file)
        try:
            for columns, whole in file.parts():
                seen.add(columns, whole)
                if progress is not None:
                    progress(len(_rows_of(columns[0])))
        except MoreTextsError as error:  # begin anew
            file.texts.update(error.columns)
        else:
            return seen.stream()


def _rows_of(column: Numbers | Texts) -> NDArray[np.generic]:
    return column.place if isinstance(column, Texts) else column


@dataclass
class _Seen:
    """What a file has, as far as it is known."""

    file: Blockwise
    rows: int = 0
    texts: dict[int, dict[str | None, int]] = field(default_factory=dict)
    fractions: set[int] = field(default_factory=set)
    whole: set[int] = field(default_factory=set)
    first: dict[int, float] = field(default_factory=dict)
    varying: set[int] = field(default_factory=set)
    empty: set[int] = field(default_factory=set)
    largest: dict[int, float] = field(default_factory=dict)
    uncounted: set[int] = field(default_factory=set)
    sentinels: dict[int, SentinelSearch] = field(default_factory=dict)
    start: dict[int, float] = field(default_factory=dict)
    runs: int = 0
    last: float = -1.0

    def add(self, columns: Sequence[Numbers | Texts], whole: set[int]) -> None:
        """Look at a part."""
        begin = self.rows
        self.rows += len(_rows_of(columns[0]))
        self.whole |= whole
        for j, column in enumerate(columns):
            is_target = self.file.names[j] == self.file.roles.target
            if isinstance(column, Texts):
                known = self.texts.setdefault(j, {})
                for text in column.distinct.to_pylist():
                    known.setdefault(text, len(known))
                lacks = (column.place == len(column.distinct)).any()
                if lacks:
                    self.empty.add(j)
                lacking = is_target and lacks
            else:
                if j not in self.uncounted and len(column):
                    start = self.start.setdefault(j, column[0])
                    if not counts_on(column, start + begin):
                        self.uncounted.add(j)
                if j not in self.fractions and (np.floor(column) < column).any():
                    self.fractions.add(j)
                lacking = is_target and np.isnan(column).any()
                self.sentinels.setdefault(j, SentinelSearch()).add(column)
                self.largest[j] = np.fmax(self.largest.get(j, 0.0), largest(column))
                if j not in self.varying:
                    first = self.first.setdefault(j, column[0]) if len(column) else np.nan
                    is_same = (column == first) if first == first else np.isnan(column)
                    if not is_same.all():
                        self.varying.add(j)
            if lacking:
                raise self._unclear("a label is missing")
            if is_target and len(labels := self._numbered(j, column)):
                steps = np.count_nonzero(labels[1:] != labels[:-1])
                self.runs += int(steps) + (labels[0] != self.last)
                self.last = labels[-1]

    def _numbered(self, j: int, column: Numbers | Texts) -> NDArray[np.generic]:
        """Return labels by numbers that are the same in all parts."""
        if not isinstance(column, Texts):
            return column
        known = self.texts[j]
        numbers = np.array([known[text] for text in column.distinct.to_pylist()])
        return numbers[column.place]

    def _unclear(self, what: str) -> UnclearError:
        return UnclearError(f"{self.file.origin.path}: {what}.")

    def stream(self) -> StreamPieces:
        """Return the stream of the whole file."""
        file = self.file
        if not self.rows:
            raise self._unclear("there are no rows")
        if self.whole - self.fractions:
            raise self._unclear("a column of whole numbers has a minus before a zero")
        target = list(file.names).index(file.roles.target)
        attributes, lookups = [], {}
        for j, name in enumerate(file.names):
            attribute = Attribute(name) if file.declared is None else file.declared[j]
            if j in self.texts:
                attribute, lookups[j] = self._meaning(j)
                if j == target and np.isnan(lookups[j][:-1]).any():
                    raise self._unclear("a label is missing")
            attributes.append(attribute)
        codes = lookups.get(target, np.empty(0))
        check_labels(file.origin, attributes[target], codes[~np.isnan(codes)])
        of_target = attributes.pop(target)
        schema = Schema(tuple(attributes), of_target.name, of_target.values, of_target.spelt)
        if self.rows > ALL_DISTINCT and len(of_target.values or ()) >= self.rows:
            raise self._unclear("each row may have a class of its own")
        source = file.origin.path.name
        name = source.split(".")[0]

        def made(size: int) -> Iterator[Stream]:
            for X, y in resized(self._blocks(target, lookups, schema), size):
                yield Stream(X, y, schema, name, source)

        self._warn(schema, name, target, lookups)
        return StreamPieces(schema, self.rows, made, name)

    def _warn(self, schema: Schema, name: str, target: int, lookups: dict[int, Numbers]) -> None:
        """Say how the file is written, and what makes an evaluation pointless or costly."""
        if self.file.note:
            remark(self.file.note)
        names = self.file.names
        constant = [j for j in range(len(names)) if j not in self.varying and j not in lookups]
        for j, lookup in lookups.items():
            occurring = lookup if j in self.empty else lookup[:-1]
            if len(np.unique(occurring)) == 1:
                constant.append(j)
        inputs = [names[j] for j in sorted(constant) if j != target]
        kinds = {one.name: one.values for one in schema.attributes}
        rounded = [
            name
            for j, name in enumerate(names)
            if kinds.get(name, ()) is None
            and (
                is_rounded(lookups[j][:-1])
                if j in lookups
                else j not in self.fractions and is_beyond(self.largest.get(j, 0.0))
            )
        ]
        is_sorted = sorted_runs(self.runs, self.rows, len(schema.classes or ()))
        runs = self.runs if is_sorted else 0
        is_guessed = self.file.declared is None
        guessed = {*names} - {*self.file.roles.nominal} - {schema.target} if is_guessed else set()
        counting = [
            name
            for j, name in enumerate(names)
            if j in self.start and j not in self.uncounted and is_nameless(name, guessed)
        ]
        is_alike = target in constant and self.rows > 1
        sentinels = {names[j]: search.sentinels for j, search in self.sentinels.items()}
        found = Suspicions(
            inputs,
            is_alike,
            [],
            runs,
            [],
            rounded=rounded,
            counting=counting,
            sentinels={
                name: found
                for name, found in sentinels.items()
                if found and (kinds.get(name, ()) is None or name == schema.target)
            },
            takes_missing=is_guessed,
        )
        text = suspicions(schema, self.rows, name, found, guessed, self.file.header)
        if text:
            warn_caller(text, StreamWarning)

    def _meaning(self, j: int) -> tuple[Attribute, Numbers]:
        """Return a column of texts, and the number or code of each text."""
        name, raw = self.file.names[j], texts_in_arrow([*self.texts[j]])

        def first(which: Flags) -> tuple[int, int]:
            return 0, int(np.flatnonzero(which)[0])

        values, lookup = meaning(self.file.origin, name, raw, self.file.roles, first)
        if np.isinf(lookup).any():
            raise self._unclear(f"column {j + 1} has an infinite number")
        return Attribute(name, values, spelt=True), lookup

    def _blocks(self, target: int, lookups: dict[int, Numbers], schema: Schema) -> Iterator[Block]:
        """Yield inputs and targets, part by part."""
        inputs = [j for j in range(len(self.file.names)) if j != target]
        kind = np.float64 if schema.classes is None else np.int32
        rows = 0
        for columns, _ in self.file.parts():
            found = [self._numbers(j, column, lookups.get(j)) for j, column in enumerate(columns)]
            rows += len(found[0])
            X = np.empty((len(found[0]), len(inputs)))
            for k, j in enumerate(inputs):
                X[:, k] = found[j]
            yield X, found[target].astype(kind)
        if rows != self.rows:
            raise self._changed()

    def _numbers(self, j: int, column: Numbers | Texts, lookup: Numbers | None) -> Numbers:
        if not isinstance(column, Texts):
            return column
        known = self.texts.get(j, {})
        try:
            places = [known[text] for text in column.distinct.to_pylist()]
        except KeyError as error:
            raise self._changed() from error
        if lookup is None:
            raise self._changed()
        found: Numbers = lookup[[*places, -1]][column.place]
        return found

    def _changed(self) -> DataError:
        return DataError(
            f"{self.file.origin.path}: expected the file to stay as it is while it is read for the "
            "second time, found another content. Evaluate it when it is complete."
        )
