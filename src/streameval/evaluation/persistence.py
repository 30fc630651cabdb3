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
from streameval.significance.entities import previous_in_entity
from streameval.significance.intervals import CONFIDENCE, wilson_interval
from streameval.significance.label_order import Labels, repeat_moments_by_group
from streameval.significance.registry import TESTS
from streameval.significance.significance_test import LEVEL, SignificanceResult
from streameval.streams.groups import Groups, select_groups
from streameval.streams.stream import Stream
from streameval.view.formats import score

_ONE_CLASS = "All labels that were used have one class, so their order cannot be tested."
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
_INDEPENDENT_ROWS = "These labels show no dependence on the label of the previous row."
_MORE_LABELS = "More labels can reveal weaker dependence: leave out --sample."
#: Largest number of comparisons with Wilson's interval; more have the interval of `stream_mean`.
MAX_WILSON = 1_000
# The rule of `find_entity_column`. It was fixed before the simulation of its false positives.
#: Smallest number of labels per value of a column.
MIN_LABELS_PER_VALUE = 20
#: Level of the tests for all columns together.
COLUMN_LEVEL = 0.01
#: Largest ratio of the proportion of label changes within values to the proportion from row to row.
MAX_CHANGE_RATIO = 0.8


@dataclass(frozen=True)
class RepeatsInColumn:
    """A column within whose values labels repeat more often than from row to row.

    Parameters
    ----------
    column : str
        Name of the column.
    repeats : float
        Proportion of labels that equal the previous label with the same value.
    plain : float
        Proportion of labels, in the same rows, that equal the label of the previous row.
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
            f"row {percentage(self.plain)}. Here No-Change repeats the label of another {name!r}, "
            f"so beating it means little. With {name!r} as the group (--group), it repeats the "
            f"label of the same {name!r}."
        )


class EntityRepeats(NamedTuple):
    """How often the labels of an entity repeat.

    Parameters
    ----------
    entity : str
        Name of the entity.
    n : int
        Number of its labels that were used.
    majority : float
        The proportion of its most frequent class.
    persistent : float
        The proportion of labels that equal the previous label of the entity, among the labels with
        a previous label; NaN if there are none.
    """

    entity: str
    n: int
    majority: float
    persistent: float


@dataclass(frozen=True)
class PersistenceCheck:
    """The result of the test for temporal dependence.

    Parameters
    ----------
    n : int
        Number of labels that were used.
    majority : float
        P(M), the proportion of the most frequent class and the accuracy of always predicting it.
    persistent : float
        P(T), the proportion of labels that equal the previous label, among the n - 1 labels with a
        previous label; the accuracy of predicting the previous label.
    low, high : float or None
        Interval for the P(T) of the stream, with confidence level `CONFIDENCE`: Wilson's interval
        for up to `MAX_WILSON` comparisons, otherwise the interval of `stream_mean`, which accounts
        for dependence. None if there are too few labels for an interval.
    independent : float
        P(T) of independent labels with these class proportions: the sum of their squares. With
        entities: the expected P(T) if labels are in random order within entities.
    p_value : float or None
        Two-sided p-value for the number of repeated labels, under the null hypothesis that all
        orders of the labels are equally likely; None if all labels have one class.
    method : str
        How the p-value was computed: exact, a normal approximation, or random orders.
    p_value_error : float
        Standard error of a simulated p-value; otherwise 0.
    second_class_at : int or None
        The position in the stream, from 1, of the first label that differs from the first label.
    in_all : int
        Number of labels that could have been used.
    delay : int or None
        Median number of instances that arrive between an instance and its label; None without
        delays. With delays, each of the n labels is compared with the latest label that had arrived
        before its instance, and the p-value is about the orders of all compared labels.
    within : RepeatsInColumn or None
        The column, if any, within whose values labels repeat more often; see `find_entity_column`.
    group : str or None
        Name of the column of entities, if the stream has several. P(T) then uses the previous label
        of the same entity, P(M) the most frequent label of each entity, and random orders are
        within entities.
    entities : tuple of EntityRepeats
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
    within: RepeatsInColumn | None = None
    group: str | None = None
    entities: tuple[EntityRepeats, ...] = ()

    @property
    def advice(self) -> str:
        """Recommended measures and wrappers."""
        previous = "previous label" if self.delay is None else "latest known label"
        phrases = {
            "previous": previous,
            "frequent": "the most frequent label",
            "give": f"give them {'' if self.delay is None else 'the '}{previous}s with {_WRAPPERS}",
            "attempt": f"try {_WRAPPERS}",
        }
        if self.group is not None:
            entity_label = f"{previous} of the same {excerpt(self.group)!r}"
            give = f"give them the {entity_label} as an input"
            frequent = "its most frequent label"
            phrases = {"previous": entity_label, "frequent": frequent, "give": give}
            phrases["attempt"] = give
        text = self._advice_template().format(**phrases)
        return text if self.within is None else f"{text} {self.within.sentence}"

    def facts(self) -> list[tuple[str, str]]:
        """Names and values of the numbers, as text."""
        repeats = "label repeats" if self.delay is None else "latest known label"
        interval = "no interval: too few independent labels"
        if self.low is not None and self.high is not None:
            interval = f"{100 * CONFIDENCE:g} % interval {score(self.low)} to {score(self.high)}"
        p_value = "none: one class"
        if self.p_value is not None:
            # Values below about 1e-300 are stored as 0.
            p_value = format_number(self.p_value, ".4g") if self.p_value else "< 1e-300"
            p_value += f" ± {score(self.p_value_error)}" if self.p_value_error else ""
        of_entity = "" if self.group is None else f" of the same {excerpt(self.group)!r}"
        return [
            (f"P(T), {repeats}{of_entity}", f"{score(self.persistent)} ({interval})"),
            ("P(T) if order were random", score(self.independent)),
            (f"P(M), most frequent label{of_entity}", score(self.majority)),
            ("p-value of random order", f"{p_value}{f' ({self.method})' if self.method else ''}"),
        ]

    @property
    def _leaves_out_labels(self) -> bool:
        return self.n < self.in_all

    def _advice_template(self) -> str:
        """Text for the case, with the fields of `advice`."""
        if self.p_value is None and self.group is not None:
            name = _braced(f"{excerpt(self.group)!r}")
            return (
                f"Within each {name} all labels that were used have one class, so their order "
                f"cannot be tested: the {name} determines the class."
            )
        if self.p_value is None:
            position = self.second_class_at
            other_class = (
                "The stream has no other class."
                if position is None
                else f"The first label of another class is label {position:,}."
            )
            more = " Use more." if self._leaves_out_labels else ""
            return f"{_ONE_CLASS}{more} {other_class}"
        # With delays, many labels may be compared with the same label, and repeats are dependent.
        if (
            self.low is not None
            and self.low > self.majority
            and (self.delay is None or self.p_value < LEVEL)
        ):
            return _PERSISTENT
        if self.p_value >= LEVEL:
            text = _INDEPENDENT if self.within is None else _INDEPENDENT_ROWS
            return f"{text} {_MORE_LABELS}" if self._leaves_out_labels else text
        expected = self.independent
        if self.group is None:  # the expectation in random order, without replacement
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
    best constant prediction in hindsight. With `groups`, a label is compared with the previous
    label of the same entity.

    References
    ----------
    Žliobaitė et al. (2015), Evaluation methods and decision theory for classification of streaming
    data with temporal dependence, Section 7.
    """
    sampled = slice(None if sample is None else max(sample, 0))
    used = labels[sampled]
    if len(used) < 2:
        raise DataError(
            f"Check of temporal dependence: expected at least 2 consecutive labels, found "
            f"{len(used)} (the stream has {len(labels)}{_sampled(sample)})."
        )
    if groups is None:
        test = TESTS["label_order"](used)
        return _make_check(labels, used, test, used[1:] == used[:-1], len(labels))
    entities = groups.select(sampled)
    previous = previous_in_entity(entities.code)
    has_previous = np.flatnonzero(previous >= 0)
    if not len(has_previous):
        raise DataError(
            f"Check of temporal dependence: expected at least 2 labels of one "
            f"{excerpt(groups.column)!r}, found 1 of each{_sampled(sample)}."
        )
    test = TESTS["label_order"].function(Labels(used, entity=entities.code))
    repeats = used[has_previous] == used[previous[has_previous]]
    compared = entities.select(has_previous)
    check = _make_check(labels, used, test, repeats, len(labels), compared.order)
    return _with_entities(check, entities, used, compared, repeats)


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
    # The test needs the labels of the instances and the labels that they are compared with.
    used = np.union1d(predicted, latest[predicted])
    compared = np.full(len(used), -1)  # -1: the label is not compared
    compared[np.searchsorted(used, predicted)] = np.searchsorted(used, latest[predicted])
    labels, predicted_labels = stream.y[rows], stream.y[rows[predicted]]
    groups = select_groups(stream.groups, rows)
    entity = None if groups is None else groups.select(used).code
    test = TESTS["label_order"].function(Labels(labels[used], compared, entity))
    repeats = predicted_labels == labels[latest[predicted]]
    entities = select_groups(groups, predicted)
    order = None if entities is None else entities.order
    check = _make_check(labels, predicted_labels, test, repeats, len(usable), order)
    check = replace(check, delay=typical_delay(stream))
    if entities is None:
        return check
    return _with_entities(check, entities, predicted_labels, entities, repeats)


def _with_entities(
    check: PersistenceCheck, groups: Groups, labels: Codes, compared: Groups, repeats: Flags
) -> PersistenceCheck:
    """Copy of a check with the numbers of each entity, and with P(M) and P(T) by entity.

    `groups` has the entities of the labels, `compared` the entities of the labels in `repeats`.
    """
    k, n_entities = int(labels.max()) + 1, len(groups.names)
    cells, cell_counts = np.unique(groups.code.astype(np.int64) * k + labels, return_counts=True)
    n = np.bincount(groups.code, minlength=n_entities)
    squares = np.bincount(cells // k, cell_counts.astype(np.float64) ** 2, minlength=n_entities)
    largest = np.zeros(n_entities, np.int64)
    np.maximum.at(largest, cells // k, cell_counts)
    n_compared = np.bincount(compared.code, minlength=n_entities)
    n_repeats = np.bincount(compared.code, repeats, minlength=n_entities)
    # Expected proportion of repeats in random order within an entity.
    several = n > 1
    chance = (squares[several] / n[several] - 1.0) / (n[several] - 1.0)
    weight = n_compared[several]
    numbers = zip(
        groups.names, n.tolist(), largest.tolist(), n_compared.tolist(), n_repeats, strict=True
    )
    return replace(
        check,
        majority=float(largest.sum() / len(labels)),
        independent=float(
            (weight * chance).sum() / max(weight.sum(), 1)
        ),  # 0 if there is no such entity
        group=groups.column,
        entities=tuple(
            EntityRepeats(
                name,
                count,
                majority=frequent / count,
                persistent=float(repeated / pairs) if pairs else math.nan,
            )
            for name, count, frequent, pairs, repeated in numbers
            if count
        ),
    )


def latest_labels(stream: Stream, ties: str) -> tuple[Codes, Integers]:
    """Rows in the order of their labels, and the latest label known on arrival of each.

    The latest label is an index in this order, -1 if no label has arrived before the instance. With
    groups, only labels of the same entity count.
    """
    from streameval.protocols.reevaluation import FIRST, LAST, reevaluation  # loads numba

    # `every` exceeds the number of labels, so predictions are not repeated.
    times = np.asarray(stream.time), np.asarray(stream.label_time)
    tape, prediction_events = reevaluation(*times, len(stream) + 1, ties)
    # The label of an instance is learnt just after its last prediction.
    learnt = np.where(prediction_events.kind == LAST, np.arange(len(prediction_events)), -1)
    first = np.flatnonzero(prediction_events.kind == FIRST)
    if stream.groups is None:
        latest = np.maximum.accumulate(learnt)[first]
    else:
        latest = _latest_of_entity(learnt, stream.groups.select(prediction_events.row))[first]
    rows = prediction_events.row[first]
    index = np.empty(len(stream), dtype=np.int64)
    index[rows] = np.arange(len(rows))
    return rows, np.where(latest < 0, -1, index[tape.row[latest]])


def _latest_of_entity(learnt: Integers, groups: Groups) -> Integers:
    """Latest value of `learnt` so far in the same entity, -1 if there is none; ignores -1."""
    order, latest = groups.order, np.empty(len(learnt), np.int64)
    index = np.maximum.accumulate(np.where(learnt[order] >= 0, np.arange(len(order)), -1))
    is_same_entity = (index >= 0) & (groups.code[order[index]] == groups.code[order])
    latest[order] = np.where(is_same_entity, learnt[order[index]], -1)
    return latest


def _sampled(sample: int | None) -> str:
    return "" if sample is None else f", the sample size is {sample}"


def _make_check(
    labels: Codes,
    used: Codes,
    test: SignificanceResult,
    repeats: Flags,
    in_all: int,
    order: Integers | None = None,
) -> PersistenceCheck:
    """Check without numbers by entity; `order` sorts `repeats` by entity."""
    proportions = np.bincount(used) / len(used)
    other_class = np.flatnonzero(labels != labels[0])
    low: float | None
    high: float | None
    if len(repeats) <= MAX_WILSON:
        low, high = wilson_interval(test.statistic, len(repeats))
    else:
        # Imported here: it loads scipy, which short streams do not need.
        from streameval.significance.stream_mean import Sample, stream_mean

        mean = stream_mean(Sample(repeats.astype(np.float64), order=order), CONFIDENCE)
        low, high = (None, None) if mean.reason else (max(mean.low, 0.0), min(mean.high, 1.0))
    return PersistenceCheck(
        n=len(used),
        majority=float(proportions.max()),
        persistent=test.statistic / len(repeats),
        low=low,
        high=high,
        independent=float(np.sum(proportions**2)),
        p_value=None if np.isnan(test.p_value) else test.p_value,
        p_value_error=test.p_value_error,
        method=test.details.get("method", ""),
        second_class_at=int(other_class[0]) + 1 if other_class.size else None,
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


def find_entity_column(stream: Stream, sample: int | None = None) -> RepeatsInColumn | None:
    """Column that may identify entities: labels repeat clearly more within its values.

    Repeats within values are compared with repeats from row to row. The column with most is chosen.

    If rows of several entities are interleaved, they hide that the label of an entity often stays
    the same. Candidates are nominal columns, and integer columns with three or more values, with at
    least `MIN_LABELS_PER_VALUE` labels per value. Within values, labels must change at most
    `MAX_CHANGE_RATIO` times as often as from row to row, and as in random order. A column that
    determines the class makes labels repeat in any order. So the number of changes relative to
    random order must satisfy the same bound. Two one-sided tests must reject at `COLUMN_LEVEL`
    divided by the number of columns: a sign test on the same rows, and a test against random order.
    If no column depends on the order of labels, fewer than 1 % of streams have such a column.
    """
    if stream.schema.classes is None or stream.groups is not None:
        return None
    rows = np.flatnonzero(stream.labelled)
    if stream.time is not None:
        rows = rows[np.argsort(stream.time[rows], kind="stable")]
    rows = rows if sample is None else rows[: max(sample, 0)]
    labels = stream.y[rows]
    if len(rows) < 2 * MIN_LABELS_PER_VALUE or (labels == labels[0]).all():
        return None
    level = COLUMN_LEVEL / stream.schema.n_attributes
    candidates = (_repeats_in(*column, labels, level) for column in _entity_columns(stream, rows))
    return max(filter(None, candidates), key=lambda candidate: candidate.repeats, default=None)


def _entity_columns(stream: Stream, rows: NDArray[np.intp]) -> Iterator[tuple[str, Integers]]:
    """Yield columns that may identify entities, as codes; -1 for a missing value."""
    for j, attribute in enumerate(stream.schema.attributes):
        # The first values exclude most measurements at little cost.
        first = stream.X[rows[:1000], j]
        first = np.unique(first[~np.isnan(first)])
        max_values = len(rows) / MIN_LABELS_PER_VALUE
        if len(first) > max_values or not np.array_equal(first, np.floor(first)):
            continue
        column = stream.X[rows, j]
        has_value = ~np.isnan(column)
        values = column[has_value]
        if not attribute.is_nominal and not np.array_equal(values, np.floor(values)):
            continue
        ranks, n_values = _ranks_of_integers(values)
        min_values = 2 if attribute.is_nominal else 3  # a number with two values is a flag
        if min_values <= n_values <= len(ranks) / MIN_LABELS_PER_VALUE:
            codes = np.full(len(rows), -1)
            codes[has_value] = ranks
            yield attribute.name, codes


def _ranks_of_integers(values: Floats) -> tuple[Integers, int]:
    """Rank of each value among the distinct values, and the number of distinct values."""
    # Counting takes memory for the whole range of values.
    if not len(values) or np.ptp(values) > len(values):
        distinct, ranks = np.unique(values, return_inverse=True)
        return ranks, len(distinct)
    offset = (values - values.min()).astype(np.int64)
    occurs = np.bincount(offset) > 0  # three times as fast as sorting
    return (np.cumsum(occurs) - 1)[offset], int(np.count_nonzero(occurs))


def _repeats_in(name: str, values: Integers, labels: Codes, level: float) -> RepeatsInColumn | None:
    """Repeats within the values of a column; None if `find_entity_column` rejects it."""
    # NumPy sorts int16 by radix sort, which is faster.
    fits_int16 = values.max() < np.iinfo(np.int16).max
    order = np.argsort(values.astype(np.int16) if fits_int16 else values, kind="stable")
    order = order[np.searchsorted(values[order], 0) :]  # without missing values
    grouped = values[order]
    index = np.flatnonzero(grouped[1:] == grouped[:-1]) + 1
    row, previous = order[index], order[index - 1]
    # Repeats of the previous label with the same value, and of the label of the previous row.
    repeats, row_repeats = labels[row] == labels[previous], labels[row] == labels[row - 1]
    p_repeat, p_row_repeat = float(repeats.mean()), float(row_repeats.mean())
    p_random_repeat = float(np.sum((np.bincount(labels) / len(labels)) ** 2))
    if 1.0 - p_repeat > MAX_CHANGE_RATIO * (1.0 - max(p_row_repeat, p_random_repeat)):
        return None
    # Number of repeats if labels are in random order within values.
    mean, variance = repeat_moments_by_group(grouped, labels[order])
    # Relative to random order, where a column that determines the class has fewer changes, too.
    change_ratio = (1.0 - p_repeat) / max(1.0 - mean / len(index), 1.0 / len(index))
    max_ratio = MAX_CHANGE_RATIO * (1.0 - p_row_repeat) / (1.0 - p_random_repeat)
    if variance <= 0.0 or change_ratio > max_ratio:
        return None
    n_only_within = int(np.count_nonzero(repeats & ~row_repeats))
    n_only_rows = int(np.count_nonzero(row_repeats & ~repeats))
    # z of the sign test and of the test against random order, with continuity corrections.
    sign_z = (n_only_within - n_only_rows - 1) / math.sqrt(max(n_only_within + n_only_rows, 1))
    order_z = (np.count_nonzero(repeats) - mean - 0.5) / math.sqrt(variance)
    if 0.5 * math.erfc(min(sign_z, order_z) / math.sqrt(2.0)) >= level:
        return None
    return RepeatsInColumn(name, p_repeat, p_row_repeat)
