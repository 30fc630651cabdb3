"""Paired runs of several learners: over one tape, once or with several seeds, or over folds."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Codes, Flags, Floats, Integers
from streameval.base.errors import DataError
from streameval.base.memory import check_room
from streameval.evaluation.by_instance import ByInstance, PairedErrors
from streameval.evaluation.folds import Counts, one_at_a_time, run_over_tapes, seed_of_fold
from streameval.evaluation.task import CLASSIFICATION_TASK, REGRESSION_TASK, Gains, Task, task_of
from streameval.learners.active_learning import run_learner
from streameval.learners.learner import AnyLearner, Classifier, Progress
from streameval.learners.predictions import P
from streameval.protocols.tape import LEARN, Tape
from streameval.streams.groups import Groups, part_of
from streameval.streams.stream import Stream

#: Function from the place of a learner and the number of a run to a seed: an int for all folds, or
#: a key for a different seed in each fold; see `streameval.evaluation.folds`.
Seeds = Callable[[int, int], int | tuple[str | int, ...]]
#: Default number of runs of a randomised learner.
RUNS = 5


class Seeded(NamedTuple, Generic[P]):
    """Runs over one tape, by learner; a deterministic learner has the same run several times."""

    by_learner: Mapping[str, Sequence[P]]
    draws: frozenset[str]
    runs: int


@dataclass(frozen=True)
class Runs(ByInstance):
    """Paired runs of several learners over shared folds, or over one tape as a single fold.

    `tested` is the number of tested instances, (runs, folds). `models` is the number of models of a
    learner, over all runs, that are tested on an instance, (n,). `learnt` is the proportion of
    instances that a model learns from. `draws` are the randomised learners, None with folds, where
    models differ anyway. `groups` has the entities of `values`, if there are several.
    """

    learners: tuple[str, ...]
    tested: Integers
    models: Codes
    learnt: float
    draws: frozenset[str] | None
    seconds: Mapping[str, float]
    groups: Groups | None

    @abstractmethod
    def levels(self, learner: str) -> Floats:
        """Accuracy or mean error of a learner by run and fold, (runs, folds)."""

    @abstractmethod
    def differences(self, first: str, second: str) -> Floats:
        """Differences of two learners, (runs, folds); positive if the first is better."""

    @abstractmethod
    def instances(self, *learners: str) -> Integers:
        """Instances of the stream to which the values or series of learners belong, in order."""

    def by_run(self, learner: str) -> Floats:
        """Accuracy or mean error of a learner in each run, (runs,)."""
        means: Floats = self.levels(learner).mean(axis=1)
        return means

    def counts(self, first: str, second: str) -> Counts:
        """Numbers of correct predictions of two classifiers, (runs, folds)."""
        raise DataError(f"Expected predictions of classes, found numbers of {first} and {second}.")

    def spread(self, first: str, second: str) -> Floats:
        """Differences of two learners by run, or by fold for a single run; empty without chance."""
        if self.draws is not None and not self.draws & {first, second}:
            return np.empty(0)
        differences = self.differences(first, second)
        spread: Floats = differences.mean(axis=1) if len(differences) > 1 else differences[0]
        return spread


@dataclass(frozen=True)
class CountedRuns(Runs):
    """Runs of classifiers, as counts of correct predictions, whose size hardly grows with runs.

    `both` is the number of instances that two learners predict correctly, (runs, learners,
    learners, folds). `right_models` is the number of the `models` that are correct, (learners, n).
    `before_first_label` counts the predictions of the first run that are not scored, since their
    fold had learnt no label.
    """

    both: Integers
    right_models: Codes
    before_first_label: int = 0

    @property
    def task(self) -> Task:
        """Classification."""
        return CLASSIFICATION_TASK

    def levels(self, learner: str) -> Floats:
        """Accuracy of each fold, shape (runs, folds)."""
        accuracy: Floats = self.counts(learner, learner).right / self.tested
        return accuracy

    def counted(self, *learners: str) -> Flags:
        """Mask of the tested instances."""
        tested: Flags = self.models > 0
        return tested

    def instances(self, *learners: str) -> Integers:
        """Instances that are tested, in the order of the stream."""
        return np.flatnonzero(self.counted(*learners))

    def values(self, learner: str) -> Floats:
        """Proportion of a learner's models that are correct, by instance."""
        at = self.counted(learner)
        values: Floats = self.right_models[self.learners.index(learner), at] / self.models[at]
        return values

    def differences(self, first: str, second: str) -> Floats:
        """Differences in accuracy of two learners, shape (runs, folds).

        They are computed from differences of counts, so equal accuracies give exactly 0.
        """
        counts = self.counts(first, second)
        differences: Floats = (counts.only_first - counts.only_second) / counts.tested
        return differences

    def series(self, first: str, second: str) -> Floats:
        """Proportion of correct models of the first learner minus that of the second."""
        a, b = map(self.learners.index, (first, second))
        at = self.counted(first, second)
        balance = self.right_models[a, at] - self.right_models[b, at]
        series: Floats = balance / self.models[at]
        return series

    def errors_of(self, first: str, second: str) -> PairedErrors:
        """Proportions of predictions that are wrong."""
        names = (first, second)
        errors, other_errors = (1.0 - self.values(name) for name in names)
        by_run, other_by_run = (1.0 - self.by_run(name) for name in names)
        return PairedErrors((errors, other_errors), (by_run, other_by_run))

    def counts(self, first: str, second: str) -> Counts:
        """Numbers of correct predictions of two learners, (runs, folds)."""
        a, b = map(self.learners.index, (first, second))
        ours, theirs, both = (self.both[:, i, j] for i, j in ((a, a), (b, b), (a, b)))
        return Counts(self.tested, ours, ours - both, theirs - both)


@dataclass(frozen=True)
class ErrorRuns(Runs):
    """Runs of regressors over one tape, with their errors, (runs, p), on common instances.

    `row` has the instances of the stream, (p,). `incomplete` is the number of instances that are
    left out because a learner does not predict them in some run.
    """

    errors: Mapping[str, Floats]
    row: Codes
    incomplete: int = 0

    @property
    def task(self) -> Task:
        """Regression."""
        return REGRESSION_TASK

    def levels(self, learner: str) -> Floats:
        """Mean error of each run, shape (runs, 1)."""
        means: Floats = self.errors[learner].mean(axis=1, keepdims=True)
        return means

    def values(self, learner: str) -> Floats:
        """Error by instance, averaged over runs."""
        values: Floats = self.errors[learner].mean(axis=0)
        return values

    def differences(self, first: str, second: str) -> Floats:
        """Mean error of the second learner minus that of the first, (runs, 1)."""
        apart = self.errors[second] - self.errors[first]
        means: Floats = apart.mean(axis=1, keepdims=True)
        return means

    def series(self, first: str, second: str) -> Floats:
        """Error of the second learner minus that of the first by instance, averaged over runs."""
        series: Floats = (self.errors[second] - self.errors[first]).mean(axis=0)
        return series

    def errors_of(self, first: str, second: str) -> PairedErrors:
        """Errors of two learners."""
        errors, other_errors = self.errors[first], self.errors[second]
        return PairedErrors(
            (errors.mean(axis=0), other_errors.mean(axis=0)),
            (errors.mean(axis=1), other_errors.mean(axis=1)),
        )

    def counted(self, *learners: str) -> Flags:
        """Mask of the instances that count: all."""
        return np.ones(len(next(iter(self.errors.values()))[0]), dtype=np.bool_)

    def instances(self, *learners: str) -> Integers:
        """Instances of the stream, in the order of the tape."""
        return self.row.astype(np.int64)


def join_runs(stream: Stream, tape: Tape, done: Seeded[Any], kept: Flags) -> Runs:
    """Paired runs over one tape, as a single fold; `kept` is a mask of the predictions.

    In regression, instances without a prediction of some learner in some run are left out.
    """
    rows, learners = tape.predict_rows[kept], done.by_learner
    tested = _tested(stream, [rows])
    is_counted, errors, incomplete = task_of(stream).is_counted, dict[str, Floats](), 0
    if not is_counted:
        errors = {
            name: -np.stack([_gain(stream, run, kept) for run in runs])
            for name, runs in learners.items()
        }
        complete = _complete(errors)
        incomplete = int(np.count_nonzero(~complete))
        rows = rows[complete]
        errors = {name: learner_errors[:, complete] for name, learner_errors in errors.items()}
        tested = _tested(stream, [rows])
    tested = np.tile(tested, (done.runs, 1))
    models = np.zeros(len(stream), np.int32)
    models[rows] = done.runs
    learnt, seconds = proportion_learnt(stream, [tape]), cpu_seconds(learners)
    groups = stream.groups if is_counted else part_of(stream.groups, rows)
    about = (tuple(learners), tested, models, learnt, done.draws, seconds, groups)
    if not is_counted:
        return ErrorRuns(*about, errors, rows, incomplete)
    right_models, both = np.zeros((len(learners), len(stream)), np.int32), []
    for run in zip(*learners.values(), strict=True):
        each = zip(run, right_models, strict=True)
        both.append(
            _both(
                [
                    [_packed(_gain(stream, predictions, kept), rows, counts)]
                    for predictions, counts in each
                ]
            )
        )
    return CountedRuns(*about, np.stack(both), right_models)


def _complete(errors: Mapping[str, Floats]) -> Flags:
    """Mask of the predictions that all learners make in all runs; refuse silent learners."""
    known = {name: ~np.isnan(learner_errors).any(axis=0) for name, learner_errors in errors.items()}
    complete: Flags = np.logical_and.reduce([*known.values()])
    if not complete.any():
        silent = [name for name, mask in known.items() if not mask.any()] or list(known)
        raise DataError(f"Expected an instance that {' and '.join(silent)} predict, found none.")
    return complete


def seeded_runs(
    stream: Stream,
    tape: Tape,
    learners: Mapping[str, AnyLearner[P]],
    seeds: Seeds,
    runs: int | None = None,
    *,
    workers: int = 1,
    progress: Progress | None = None,
) -> Seeded[P]:
    """Run learners over one tape: randomised learners several times, the others once.

    A learner is randomised if two seeds give different predictions. The default number of runs is
    `RUNS` with a randomised learner, else 1.
    """
    places = {name: place for place, name in enumerate(learners)}

    def job_done(job: tuple[str, int]) -> P:
        name, run = job
        seed = seeds(places[name], run)
        run_seed = seed if isinstance(seed, int) else seed_of_fold(seed, 0)
        return run_learner(learners[name], stream, tape, run_seed, progress=report)

    report = None if progress is None else one_at_a_time(progress)
    with ThreadPoolExecutor(workers) as threads:
        jobs = [(name, run) for name in learners for run in range(2)]
        done = dict(zip(jobs, threads.map(job_done, jobs), strict=True))
        draws = frozenset(
            name for name in learners if predictions_differ(done[name, 0], done[name, 1])
        )
        runs = runs or (RUNS if draws else 1)
        jobs = [(name, run) for name in learners if name in draws for run in range(2, runs)]
        done |= zip(jobs, threads.map(job_done, jobs), strict=True)
    by_learner = {
        name: [done[name, run if name in draws else 0] for run in range(runs)] for name in learners
    }
    return Seeded(by_learner, draws, runs)


def predictions_differ(run: Any, other: Any) -> bool:
    """Whether two runs have different predictions."""
    return not np.array_equal(run.predicted, other.predicted, equal_nan=True)


def cpu_seconds(done: Mapping[str, Sequence[Any]]) -> dict[str, float]:
    """CPU seconds of each learner; a repeated run counts once."""
    return {
        name: sum(run.seconds for run in {id(run): run for run in runs}.values())
        for name, runs in done.items()
    }


def run_folds(
    stream: Stream,
    runs: Iterable[Sequence[Tape]],
    learners: Mapping[str, Classifier],
    seeds: Seeds,
    scored_rows: Callable[[Stream, Tape], Flags],
    *,
    workers: int = 1,
    progress: Progress | None = None,
) -> CountedRuns:
    """Run classifiers over shared folds, which predict an instance at most once.

    `scored_rows` is that of the protocol. Up to `workers` folds run at the same time; the result
    does not depend on their number.
    """
    n = len(stream)
    models, right_models = np.zeros(n, np.int32), np.zeros((len(learners), n), np.int32)
    seconds = dict.fromkeys(learners, 0.0)
    tested, both, learnt, unscored = [], [], [], list[int]()
    for run, tapes in enumerate(runs):
        kept = [scored_rows(stream, tape)[tape.predict_rows] for tape in tapes]
        rows = [tape.predict_rows[mask] for tape, mask in zip(tapes, kept, strict=True)]
        tested.append(_tested(stream, rows))
        learnt.append(proportion_learnt(stream, tapes))
        unscored.append(sum(int(np.count_nonzero(~mask)) for mask in kept))
        for of_fold in rows:
            models[of_fold] += 1
        correct = []
        for place, (name, learner) in enumerate(learners.items()):
            counts, seed = right_models[place], seeds(place, run)
            job = (learner, stream, tapes)
            folds = run_over_tapes(*job, workers=workers, seed=seed, progress=progress)
            check_room(
                sum(len(predictions.row) for predictions in folds) // 8,
                f"Which predictions of {len(folds):,} folds are correct",
                "Take fewer folds, or free memory.",
            )
            each = zip(folds, kept, rows, strict=True)
            correct.append(
                [
                    _packed(_gain(stream, predictions, at), row, counts)
                    for predictions, at, row in each
                ]
            )
            seconds[name] += sum(predictions.seconds for predictions in folds)
        both.append(_both(correct))
    about = (tuple(learners), np.stack(tested), models, float(np.mean(learnt)), None, seconds)
    return CountedRuns(*about, stream.groups, np.stack(both), right_models, unscored[0])


def proportion_learnt(stream: Stream, tapes: Sequence[Tape]) -> float:
    """Mean proportion, over folds, of the instances that a model learns from."""
    learnt = 0
    for tape in tapes:
        seen = np.zeros(len(stream), bool)
        seen[tape.row[(tape.op & LEARN > 0) & (tape.weight > 0)]] = True
        learnt += int(seen.sum())
    return learnt / (len(tapes) * len(stream))


def _tested(stream: Stream, rows: Sequence[Codes]) -> Integers:
    """Number of tested instances of each fold; refuse folds without any."""
    tested = np.array([len(fold_rows) for fold_rows in rows])
    if (tested == 0).any():
        raise DataError(
            f"Stream {stream.name!r}: expected instances to test in each of {len(rows)} folds, "
            f"found none in fold {int(np.argmin(tested)) + 1}: it has {len(stream):,} instances. "
            "Take fewer folds, as in --protocol split_validation:5, or a longer stream."
        )
    return tested


def _gain(stream: Stream, predictions: Any, kept: Flags | slice = slice(None)) -> Gains:
    """Gains of the predictions of a model that count."""
    return task_of(stream).gain(stream.y[predictions.row[kept]], predictions.predicted[kept])


def _packed(is_correct: Flags, rows: Codes, right_models: Codes) -> NDArray[np.uint8]:
    """Correct predictions as packed bits; add them to `right_models`."""
    right_models[rows] += is_correct
    return np.packbits(is_correct)


def _both(correct: Sequence[Sequence[NDArray[np.uint8]]]) -> Integers:
    """`CountedRuns.both` of a run, from the bits of each learner and fold."""
    learners, folds = len(correct), len(correct[0])
    both = np.zeros((learners, learners, folds), np.int64)
    for a in range(learners):
        for b in range(a, learners):
            for fold, (ours, theirs) in enumerate(zip(correct[a], correct[b], strict=True)):
                both[[a, b], [b, a], fold] = np.bitwise_count(ours & theirs).sum()
    return both
