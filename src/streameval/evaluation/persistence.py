"""Test for temporal dependence: whether labels depend on the previous label."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Codes, Flags, Floats, Integers
from streameval.base.errors import DataError, excerpt
from streameval.base.rounding import format_number, percentage
from streameval.protocols.prequential import typical_delay
from streameval.significance.entities import previous_of_entity
from streameval.significance.intervals import CONFIDENCE, wilson_interval
from streameval.significance.label_order import Labels, repeat_moments_by_group
from streameval.significance.registry import TESTS
from streameval.significance.significance_test import LEVEL, SignificanceResult
from streameval.streams.groups import Groups, part_of
from streameval.streams.stream import Stream
from streameval.view.formats import score

_ONE_CLASS = "All labels that were used are of one class, so their order cannot be tested."
_PERSISTENT = (
    "Predicting the {previous} is more accurate than predicting {frequent}. Judge learners by "
    "Kappa-Temporal or the combined kappa, and {give}."
)
_DEPENDENT = (
    "Labels depend on the {previous}, but predicting the {previous} may be less accurate than "
    "predicting {frequent}. Judge learners by the combined kappa, and {attempt}."
)
_AVOIDING = (
    "Labels repeat less often than by chance, so Kappa-Temporal, which compares with predicting "
    "the {previous}, overrates every learner. Judge learners by Kappa and Kappa-M, and {give}."
)
_INDEPENDENT = (
    "These labels show no dependence on the {previous}: Kappa and Kappa-M are sufficient."
)
_WRAPPERS = "temporally_augmented or temporal_correction"
_INDEPENDENT_ROWS = "These labels show no dependence on the label of the row before."
_MORE = "More labels can reveal weaker dependence: leave out --sample."
#: The interval is Wilson's up to this number of comparisons, beyond it that of `stream_mean`.
SMALL = 1_000
#: The rule of `within_columns`, fixed before its simulation: the least number of labels per value,
#: the level for all columns together, and the largest ratio of the changes within values to those
#: from row to row.
REPEATS, RAISED, FEWER_CHANGES = 20, 0.01, 0.8


@dataclass(frozen=True)
class Within:
    """A column within whose values labels repeat more often than from row to row.

    Parameters
    ----------
    column : str
        Its name.
    repeats, plain : float
        The proportion of labels that equal the previous label with the same value, and of those
        that equal the label of the row before; of the same rows.
    """

    column: str
    repeats: float
    plain: float

    @property
    def sentence(self) -> str:
        """Sentence on the column and its consequence for No-Change."""
        name = excerpt(self.column)
        return (
            f"Within {name!r} labels repeat {percentage(self.repeats)} of the time, from row to "
            f"row {percentage(self.plain)}: No-Change repeats the label of another {name!r} here, "
            f"so to beat it says little. With {name!r} as the group (--group) it repeats that of "
            "the same one."
        )


class EntityShare(NamedTuple):
    """How often the labels of an entity repeat.

    Parameters
    ----------
    entity : str
        Its name.
    n : int
        Number of its labels that were used.
    majority : float
        The proportion of its most frequent class.
    persistent : float
        The proportion of its labels that equal its previous one, of those that have one; NaN if
        none has.
    """

    entity: str
    n: int
    majority: float
    persistent: float


@dataclass(frozen=True)
class PersistenceCheck:
    """The result of the test for consecutive labels.

    Parameters
    ----------
    n : int
        Number of labels that were used.
    majority : float
        P(M), the proportion of the most frequent class and the accuracy of always predicting it.
    persistent : float
        P(T), the proportion of labels that equal the previous one, among the n - 1 with a previous
        one; the accuracy of predicting the previous label.
    low, high : float or None
        Interval for the P(T) of the stream, with confidence level `CONFIDENCE`: Wilson's up to
        `SMALL` comparisons, beyond it that of `stream_mean`, which respects dependence. None if
        there are too few labels for an interval.
    independent : float
        P(T) of independent labels with these proportions: their sum of squares.
    p_value : float or None
        Two-sided p-value for the number of repeated labels, if all orders of them are equally
        likely; None with one class only.
    method : str
        How the p-value was computed: exact, a normal approximation, or random orders.
    p_value_error : float
        Standard error of the p-value: 0 where it is exact, not simulated.
    second_class_at : int or None
        The position in the stream, from 1, of the first label that differs from the first label.
    in_all : int
        Number of labels that could have been used.
    delay : int or None
        Median number of instances that arrive between an instance and its label. Where labels are
        delayed, each of the n labels is compared with the latest label that had arrived before its
        instance; the p-value is about all orders of the labels on either side.
    within : Within or None
        The column, if any, within whose values labels repeat more often; see `within_columns`.
    group : str or None
        Name of the column of entities, if the stream has several. P(T) then uses the previous label
        of the same entity, P(M) the most frequent label of each entity, and random orders are
        within entities.
    entities : tuple of EntityShare
        The numbers of each entity.
    """

    n: int
    majority: float
    persistent: float
    low: float | None
    high: float | None
    independent: float
    p_value: float | None
    p_value_error: float
    method: str
    second_class_at: int | None
    in_all: int
    delay: int | None = None
    within: Within | None = None
    group: str | None = None
    entities: tuple[EntityShare, ...] = ()

    @property
    def advice(self) -> str:
        """Recommended measures and wrappers."""
        previous = "previous label" if self.delay is None else "latest known label"
        words = {
            "previous": previous,
            "frequent": "the most frequent one",
            "give": f"give them {'' if self.delay is None else 'the '}{previous}s with {_WRAPPERS}",
            "attempt": f"try {_WRAPPERS}",
        }
        if self.group is not None:
            entity_label = f"{previous} of the same {excerpt(self.group)!r}"
            give = f"give them the {entity_label} as an input"
            words = {"previous": entity_label, "frequent": "its most frequent one", "give": give}
            words["attempt"] = give
        text = self._advice().format(**words)
        return text if self.within is None else f"{text} {self.within.sentence}"

    def facts(self) -> list[tuple[str, str]]:
        """Names and values of the numbers, as text."""
        repeats = "label repeats" if self.delay is None else "latest known label"
        between = "no interval: too few independent labels"
        if self.low is not None and self.high is not None:
            between = f"{100 * CONFIDENCE:g} % interval {score(self.low)} to {score(self.high)}"
        p_value = "none: one class"
        if self.p_value is not None:  # smaller values underflow
            p_value = format_number(self.p_value, ".4g") if self.p_value else "< 1e-300"
            p_value += f" ± {score(self.p_value_error)}" if self.p_value_error else ""
        of_entity = "" if self.group is None else f" of the same {excerpt(self.group)!r}"
        return [
            (f"P(T), {repeats}{of_entity}", f"{score(self.persistent)} ({between})"),
            ("P(T) if order were random", score(self.independent)),
            (f"P(M), most frequent label{of_entity}", score(self.majority)),
            ("p-value of random order", f"{p_value}{f' ({self.method})' if self.method else ''}"),
        ]

    @property
    def _is_part(self) -> bool:
        return self.n < self.in_all

    def _advice(self) -> str:
        if self.p_value is None and self.group is not None:
            name = _braced(f"{excerpt(self.group)!r}")
            return (
                f"Within each {name} all labels that were used are of one class, so their order "
                f"cannot be tested: the {name} tells the class."
            )
        if self.p_value is None:
            at = self.second_class_at
            where = (
                "The stream has no other class."
                if at is None
                else f"The first label of another class is label {at:,}."
            )
            return f"{_ONE_CLASS}{' Use more.' * self._is_part} {where}"
        # Under delay, many labels may be compared with the same one, and repeats are dependent.
        if (
            self.low is not None
            and self.low > self.majority
            and (self.delay is None or self.p_value < LEVEL)
        ):
            return _PERSISTENT
        if self.p_value >= LEVEL:
            text = _INDEPENDENT if self.within is None else _INDEPENDENT_ROWS
            return f"{text} {_MORE}" if self._is_part else text
        expected = self.independent
        if self.group is None:
            expected = self.n * (self.independent - 1 / self.n) / (self.n - 1)
        return _DEPENDENT if self.persistent > expected else _AVOIDING


def _braced(text: str) -> str:
    """Text with its braces escaped for `str.format`."""
    return text.replace("{", "{{").replace("}", "}}")


def check_persistence(
    labels: Codes, sample: int | None = None, groups: Groups | None = None
) -> PersistenceCheck:
    """Compare the Persistent with the Majority classifier on the first `sample` labels, or all.

    Wilson's interval assumes independent repeats, as in a Markov chain with equal P(i|i). P(M) is
    computed from the same labels, and so is biased upwards: the Persistent classifier must beat the
    best constant prediction in hindsight. Žliobaitė et al. (2015), Evaluation methods and
    decision theory for classification of streaming data with temporal dependence, Section 7.
    With `groups` labels are compared with the previous one of the same entity.
    """
    part = slice(None if sample is None else max(sample, 0))
    seen = labels[part]
    if len(seen) < 2:
        raise DataError(
            f"Check of temporal dependence: expected at least 2 consecutive labels, found "
            f"{len(seen)} (the stream has {len(labels)}{_sampled(sample)})."
        )
    if groups is None:
        order = TESTS["label_order"](seen)
        return _checked(labels, seen, order, seen[1:] == seen[:-1], len(labels))
    entities = groups.part(part)
    previous = previous_of_entity(entities.code)
    place = np.flatnonzero(previous >= 0)
    if not len(place):
        raise DataError(
            f"Check of temporal dependence: expected at least 2 labels of one "
            f"{excerpt(groups.column)!r}, found 1 of each{_sampled(sample)}."
        )
    order = TESTS["label_order"].function(Labels(seen, entity=entities.code))
    equal = seen[place] == seen[previous[place]]
    check = _checked(labels, seen, order, equal, len(labels), entities.part(place).order)
    return _by_entity(check, entities, seen, entities.part(place), equal)


def check_delayed_persistence(
    stream: Stream, sample: int | None = None, ties: str = "instance"
) -> PersistenceCheck:
    """Compare No-Change, under the label delays of a stream, with Majority.

    Instances count if a label has arrived before them. The p-value is simulated.
    """
    rows, latest = latest_labels(stream, ties)
    usable = np.flatnonzero(latest >= 0)
    predicted = usable if sample is None else usable[: max(sample, 0)]
    if len(predicted) < 2:
        raise DataError(
            "Check of temporal dependence: expected at least 2 instances that arrive after some "
            f"label, found {len(predicted)} (the stream has {len(rows)} "
            f"labels{_sampled(sample)}). Use a longer stream."
        )
    used = np.union1d(predicted, latest[predicted])
    compared = np.full(len(used), -1)
    compared[np.searchsorted(used, predicted)] = np.searchsorted(used, latest[predicted])
    labels, seen = stream.y[rows], stream.y[rows[predicted]]
    groups = part_of(stream.groups, rows)
    entity = None if groups is None else groups.part(used).code
    order = TESTS["label_order"].function(Labels(labels[used], compared, entity))
    equal = seen == labels[latest[predicted]]
    entities = part_of(groups, predicted)
    in_turn = None if entities is None else entities.order
    check = _checked(labels, seen, order, equal, len(usable), in_turn)
    check = replace(check, delay=typical_delay(stream))
    return check if entities is None else _by_entity(check, entities, seen, entities, equal)


def _by_entity(
    check: PersistenceCheck, groups: Groups, seen: Codes, compared: Groups, equal: Flags
) -> PersistenceCheck:
    """Copy of a check with the numbers of each entity, and with P(M) and P(T) by entity."""
    k, entities = int(seen.max()) + 1, len(groups.names)
    cells, times = np.unique(groups.code.astype(np.int64) * k + seen, return_counts=True)
    n = np.bincount(groups.code, minlength=entities)
    squares = np.bincount(cells // k, times.astype(np.float64) ** 2, minlength=entities)
    largest = np.zeros(entities, np.int64)
    np.maximum.at(largest, cells // k, times)
    pairs = np.bincount(compared.code, minlength=entities)
    repeats = np.bincount(compared.code, equal, minlength=entities)
    several = n > 1
    chance = (squares[several] / n[several] - 1.0) / (n[several] - 1.0)
    weight = pairs[several]
    shares = zip(groups.names, n.tolist(), largest.tolist(), pairs.tolist(), repeats, strict=True)
    return replace(
        check,
        majority=float(largest.sum() / len(seen)),
        independent=float((weight * chance).sum() / max(weight.sum(), 1)),
        group=groups.column,
        entities=tuple(
            EntityShare(name, count, most / count, float(equals / m) if m else math.nan)
            for name, count, most, m, equals in shares
            if count
        ),
    )


def latest_labels(stream: Stream, ties: str) -> tuple[Codes, Integers]:
    """Rows in the order of their labels, and the index in it of the latest known label.

    The label is the latest that has arrived before the instance, with groups the latest of the same
    entity; -1 if there is none.
    """
    from streameval.protocols.reevaluation import FIRST, LAST, reevaluation  # loads numba

    # The tape of any learner, without repeated predictions.
    times = np.asarray(stream.time), np.asarray(stream.label_time)
    tape, prediction_events = reevaluation(*times, len(stream) + 1, ties)
    learnt = np.where(prediction_events.kind == LAST, np.arange(len(prediction_events)), -1)
    at = np.flatnonzero(prediction_events.kind == FIRST)
    if stream.groups is None:
        latest = np.maximum.accumulate(learnt)[at]
    else:
        latest = _latest_of_entity(learnt, stream.groups.part(prediction_events.row))[at]
    rows = prediction_events.row[at]
    place = np.empty(len(stream), dtype=np.int64)
    place[rows] = np.arange(len(rows))
    return rows, np.where(latest < 0, -1, place[tape.row[latest]])


def _latest_of_entity(learnt: Integers, groups: Groups) -> Integers:
    """Largest number so far of the same entity; -1 without one."""
    order, latest = groups.order, np.empty(len(learnt), np.int64)
    place = np.maximum.accumulate(np.where(learnt[order] >= 0, np.arange(len(order)), -1))
    is_own = (place >= 0) & (groups.code[order[place]] == groups.code[order])
    latest[order] = np.where(is_own, learnt[order[place]], -1)
    return latest


def _sampled(sample: int | None) -> str:
    return "" if sample is None else f", the sample size is {sample}"


def _checked(
    labels: Codes,
    seen: Codes,
    order: SignificanceResult,
    equal: Flags,
    in_all: int,
    entities: Integers | None = None,
) -> PersistenceCheck:
    shares = np.bincount(seen) / len(seen)
    others = np.flatnonzero(labels != labels[0])
    low: float | None
    high: float | None
    if len(equal) <= SMALL:
        low, high = wilson_interval(order.statistic, len(equal))
    else:
        # Imported here: it loads scipy, which short streams do not need.
        from streameval.significance.stream_mean import Sample, stream_mean

        mean = stream_mean(Sample(equal.astype(np.float64), order=entities), CONFIDENCE)
        low, high = (None, None) if mean.reason else (max(mean.low, 0.0), min(mean.high, 1.0))
    return PersistenceCheck(
        n=len(seen),
        majority=float(shares.max()),
        persistent=order.statistic / len(equal),
        low=low,
        high=high,
        independent=float(np.sum(shares**2)),
        p_value=None if np.isnan(order.p_value) else order.p_value,
        p_value_error=order.p_value_error,
        method=order.details.get("method", ""),
        second_class_at=int(others[0]) + 1 if others.size else None,
        in_all=in_all,
    )


def run_lengths(labels: Codes, groups: Groups | None = None) -> Integers:
    """Lengths of the runs of equal labels, in stream order, shape (runs,).

    With groups, runs are within entities, one entity after the other.
    """
    changes = labels[1:] != labels[:-1]
    if groups is not None:
        order = groups.order
        labels, code = labels[order], groups.code[order]
        changes = (labels[1:] != labels[:-1]) | (code[1:] != code[:-1])
    ends = np.flatnonzero(changes)
    return np.diff(ends, prepend=-1, append=len(labels) - 1)


def within_columns(stream: Stream, sample: int | None = None) -> Within | None:
    """Column within whose values labels repeat most, if clearly more than over rows.

    Interleaved rows of several entities hide that each entity keeps its label. Candidates are
    nominal columns, and integer columns with three or more values, with at least `REPEATS` labels
    per value. Labels must change at most `FEWER_CHANGES` times as often within values as from row
    to row and as in random order. The ratio to random orders must satisfy the same bound, since a
    column that determines the class makes labels repeat in any order. Two one-sided tests, a sign
    test on the same rows and a test against random order, must reject at `RAISED` divided by the
    number of columns. If no column depends on the order of labels, fewer than 1 % of streams have
    such a column.
    """
    if stream.schema.classes is None or stream.groups is not None:
        return None
    rows = np.flatnonzero(stream.labelled)
    if stream.time is not None:
        rows = rows[np.argsort(stream.time[rows], kind="stable")]
    rows = rows if sample is None else rows[: max(sample, 0)]
    labels = stream.y[rows]
    if len(rows) < 2 * REPEATS or (labels == labels[0]).all():
        return None
    level = RAISED / stream.schema.n_attributes
    candidates = (_within(*column, labels, level) for column in _of_entities(stream, rows))
    return max(filter(None, candidates), key=lambda candidate: candidate.repeats, default=None)


def _of_entities(stream: Stream, rows: NDArray[np.intp]) -> Iterator[tuple[str, Integers]]:
    """Yield columns that may identify entities, as codes; -1 for a missing value."""
    for j, attribute in enumerate(stream.schema.attributes):
        first = stream.X[rows[:SMALL], j]
        first = np.unique(first[~np.isnan(first)])
        if len(first) > len(rows) / REPEATS or not np.array_equal(first, np.floor(first)):
            continue  # most measurements
        column = stream.X[rows, j]
        known = ~np.isnan(column)
        if not attribute.is_nominal and not np.array_equal(column[known], np.floor(column[known])):
            continue
        place, count = _numbered(column[known])
        least = 2 if attribute.is_nominal else 3  # a number of two values is a flag
        if least <= count <= len(place) / REPEATS:
            numbered = np.full(len(rows), -1)
            numbered[known] = place
            yield attribute.name, numbered


def _numbered(whole: Floats) -> tuple[Integers, int]:
    """Rank of each value among the distinct values, and the number of these."""
    if not len(whole) or np.ptp(whole) > len(whole):
        values, place = np.unique(whole, return_inverse=True)
        return place, len(values)
    offset = (whole - whole.min()).astype(np.int64)
    there = np.bincount(offset) > 0  # three times as fast as sorting
    return (np.cumsum(there) - 1)[offset], int(np.count_nonzero(there))


def _within(name: str, values: Integers, labels: Codes, level: float) -> Within | None:
    few = values.max() < np.iinfo(np.int16).max  # int16 is sorted by radix, which is faster
    order = np.argsort(values.astype(np.int16) if few else values, kind="stable")
    order = order[np.searchsorted(values[order], 0) :]
    grouped = values[order]
    at = np.flatnonzero(grouped[1:] == grouped[:-1]) + 1
    now, before = order[at], order[at - 1]
    repeats, plain = labels[now] == labels[before], labels[now] == labels[now - 1]
    often, usual = float(repeats.mean()), float(plain.mean())
    random = float(np.sum((np.bincount(labels) / len(labels)) ** 2))
    if 1.0 - often > FEWER_CHANGES * (1.0 - max(usual, random)):
        return None
    mean, variance = repeat_moments_by_group(grouped, labels[order])
    # Relative to random order, where a column that determines the class has fewer changes, too.
    within = (1.0 - often) / max(1.0 - mean / len(at), 1.0 / len(at))
    if variance <= 0.0 or within > FEWER_CHANGES * (1.0 - usual) / (1.0 - random):
        return None
    more, fewer = (int(np.count_nonzero(mask)) for mask in (repeats & ~plain, plain & ~repeats))
    ahead = (more - fewer - 1) / math.sqrt(max(more + fewer, 1))
    unlike_random = (np.count_nonzero(repeats) - mean - 0.5) / math.sqrt(variance)
    if 0.5 * math.erfc(min(ahead, unlike_random) / math.sqrt(2.0)) >= level:
        return None
    return Within(name, often, usual)
