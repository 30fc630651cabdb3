"""Drifts of a stream, and injection of drifts into any stream.

The drifts of real streams are unknown. Injected drifts are known: the instances are first put in
random order, which removes all other drift and all temporal dependence.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from streameval.base.arrays import Flags, Integers
from streameval.base.errors import ConfigError, DataError
from streameval.base.matrices import BLOCK_ROWS, empty_matrix
from streameval.base.seeds import generator
from streameval.streams.stream import Stream


class Drift(NamedTuple):
    """A change of the concept: the first row that may have the new concept, and the width."""

    start: int
    width: int = 0


def equidistant_drifts(n: int, drifts: int, width: int = 0) -> tuple[Drift, ...]:
    """Drifts at equal distances; each ends before the next begins."""
    if drifts < 1 or width < 0 or width >= n // (drifts + 1):
        raise ConfigError(
            f"Injected drifts: expected at least 1 drift, and widths from 0 to less than the "
            f"distance between drifts, found {drifts:,} drifts of width {width:,} in {n:,} "
            "instances. Inject fewer or narrower ones."
        )
    return tuple(Drift(i * n // (drifts + 1), width) for i in range(1, drifts + 1))


def with_drifts(stream: Stream, change: str, drifts: Sequence[Drift], seed: int = 1) -> Stream:
    """Labelled instances of a stream in random order, with drifts at known places.

    Two concepts alternate; within a drift the probability of the new concept grows linearly. The
    second concept changes the first in one of these ways:

    - ``relabelled``: the two most frequent classes exchange labels;
    - ``permuted``: inputs with the same values, such as all numeric ones, exchange columns;
    - ``reweighted``: classes exchange frequencies, the most frequent with the rarest, and so on.
      Instances of a class are drawn without replacement until all were drawn, then again.

    A change without effect is refused. All rows, also in `drifts`, are numbered in the new order.
    """
    if change not in CHANGES:
        raise ConfigError(
            f"Injected drift: expected one of {', '.join(CHANGES)}, found {change!r}."
        )
    labelled = stream.with_labels()
    _check_starts(drifts, len(labelled))
    random = generator("drifts", change, stream.name, seed)
    is_new = in_second_concept(len(labelled), drifts, random)
    changed = CHANGES[change](labelled, is_new, random)
    return replace(changed, time=None, label_time=None, ticks=0, source_rows=None)


def in_second_concept(n: int, drifts: Sequence[Drift], random: np.random.Generator) -> Flags:
    """Mask of the rows that belong to the second of two alternating concepts."""
    n_past_drifts = np.zeros(n, dtype=np.int64)
    draws, rows = random.random(n), np.arange(n)
    for start, width in drifts:
        n_past_drifts += draws < (rows - start + 1) / (width + 1)
    return n_past_drifts % 2 == 1


def _check_starts(drifts: Sequence[Drift], n: int) -> None:
    earliest = 1
    for drift in drifts:
        if drift.width < 0 or not earliest <= drift.start < n:
            raise ConfigError(
                f"Injected drifts: expected starts from 1 to {n - 1:,}, in order, each after the "
                f"end of the previous drift, found {[*map(tuple, drifts)]}."
            )
        earliest = drift.start + drift.width + 1


def _relabel(stream: Stream, is_new: Flags, random: np.random.Generator) -> Stream:
    counts = _class_counts(stream, "relabelled")
    first, second = np.argsort(-counts, kind="stable")[:2]
    shuffled = stream.take(random.permutation(len(stream)))
    exchanged = np.where(
        shuffled.y == first, second, np.where(shuffled.y == second, first, shuffled.y)
    )
    return replace(shuffled, y=np.where(is_new, exchanged, shuffled.y))


def _permute(stream: Stream, is_new: Flags, random: np.random.Generator) -> Stream:
    columns_by_values: dict[tuple[str, ...] | None, list[int]] = {}
    for column, attribute in enumerate(stream.schema.attributes):
        columns_by_values.setdefault(attribute.values, []).append(column)
    source = np.arange(stream.schema.n_attributes)
    for columns in columns_by_values.values():
        cycle = random.permutation(columns)
        source[cycle] = np.roll(cycle, 1)  # each of two or more columns moves
    if np.array_equal(source, np.arange(len(source))):
        raise DataError(
            f"Stream {stream.name!r}: 'permuted' exchanges inputs with the same values; expected "
            "two numeric inputs, or two nominal inputs with the same values, found none."
        )
    shuffled = stream.take(random.permutation(len(stream)))
    X = empty_matrix(*shuffled.X.shape)
    for begin in range(0, len(X), BLOCK_ROWS):
        part = slice(begin, begin + BLOCK_ROWS)
        inputs = shuffled.X[part]
        X[part] = np.where(is_new[part, None], inputs[:, source], inputs)
    return replace(shuffled, X=X)


def _reweight(stream: Stream, is_new: Flags, random: np.random.Generator) -> Stream:
    counts = _class_counts(stream, "reweighted")
    by_count = np.argsort(-counts, kind="stable")
    by_count = by_count[counts[by_count] > 0]
    exchanged = counts.copy()
    exchanged[by_count] = counts[by_count[::-1]]
    if np.array_equal(exchanged, counts):
        raise DataError(
            f"Stream {stream.name!r}: 'reweighted' exchanges the frequencies of classes; expected "
            "different frequencies, found all equal."
        )
    rows = np.empty(len(stream), dtype=np.intp)
    labels = np.empty(len(stream), dtype=np.intp)
    for frequencies, in_concept in ((counts, ~is_new), (exchanged, is_new)):
        size, p = int(in_concept.sum()), frequencies / frequencies.sum()
        labels[in_concept] = random.choice(len(frequencies), size=size, p=p)
    for code in by_count:
        places = np.flatnonzero(labels == code)
        if len(places):
            members = np.flatnonzero(stream.y == code)
            n_permutations = -(-len(places) // len(members))  # rounded up
            permutations = [random.permutation(members) for _ in range(n_permutations)]
            rows[places] = np.concatenate(permutations)[: len(places)]
    return stream.take(rows)


def _class_counts(stream: Stream, change: str) -> Integers:
    """Count the instances of each class; refuse a stream with fewer than two classes."""
    if stream.schema.classes is None:
        raise DataError(
            f"Stream {stream.name!r}: {change!r} is a change of classes; expected classes, found "
            "a numeric target. Use 'permuted'."
        )
    counts = np.bincount(stream.y, minlength=stream.n_classes)
    if np.count_nonzero(counts) < 2:
        raise DataError(
            f"Stream {stream.name!r}: {change!r} exchanges classes; expected at least two classes "
            "that occur, found one."
        )
    return counts


#: Functions that put the second concept into some rows, by the name of the change.
CHANGES: dict[str, Callable[[Stream, Flags, np.random.Generator], Stream]] = {
    "relabelled": _relabel,
    "permuted": _permute,
    "reweighted": _reweight,
}
