"""Runs of several learners side by side: over the same tape, once or several times, or folds."""

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
from streameval.evaluation.by_instance import ByInstance, Errors
from streameval.evaluation.folds import Counts, one_at_a_time, play_folds, seed_of_fold
from streameval.evaluation.task import CLASSES, NUMBERS, Gains, Task, task_of
from streameval.learners.asking import played
from streameval.learners.learner import AnyLearner, Learner, Progress
from streameval.learners.predictions import P
from streameval.protocols.tape import LEARN, Tape
from streameval.streams.groups import Groups, part_of
from streameval.streams.stream import Stream

#: The seed of a learner's models in a run, given the learner's place and the run. A key gives each
#: fold a seed of its own, a number is the seed of all folds; see `streameval.evaluation.folds`.
Seeds = Callable[[int, int], int | tuple[str | int, ...]]
#: Runs of a learner that draws, where their number is not given.
RUNS = 5


class Seeded(NamedTuple, Generic[P]):
    """Runs over one tape, by learner; one that does not draw repeats its one run."""

    by_learner: Mapping[str, Sequence[P]]
    draws: frozenset[str]
    runs: int


@dataclass(frozen=True)
class Runs(ByInstance):
    """Runs of several learners side by side: over shared folds, or over one tape as one fold.

    `tested` are numbers of instances, (runs, folds), `models` those of each learner, over all runs,
    that are tested on an instance, (n,); `learnt` is the proportion of instances that a model
    learns from. `draws` is None with folds, between which models differ anyway. `groups` are the
    entities of what `values` are of, if there are several.
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
        """Return what a learner is compared by, its accuracy or mean error: (runs, folds)."""

    @abstractmethod
    def differences(self, first: str, second: str) -> Floats:
        """Return the differences of two learners, shape (runs, folds); above 0, A is better."""

    @abstractmethod
    def instances(self, *learners: str) -> Integers:
        """Instances of the stream that are behind the values or series of learners, in order."""

    def by_run(self, learner: str) -> Floats:
        """Return what a learner is compared by, of each run."""
        found: Floats = self.levels(learner).mean(axis=1)
        return found

    def counts(self, first: str, second: str) -> Counts:
        """Return how often each of two learners is correct, if that is counted: (runs, folds)."""
        raise DataError(f"Expected predictions of classes, found numbers of {first} and {second}.")

    def spread(self, first: str, second: str) -> Floats:
        """Return the differences of two learners that vary by seed, of runs, or else by fold."""
        if self.draws is not None and not self.draws & {first, second}:
            return np.empty(0)
        found = self.differences(first, second)
        spread: Floats = found.mean(axis=1) if len(found) > 1 else found[0]
        return spread


@dataclass(frozen=True)
class CountedRuns(Runs):
    """Runs whose predictions are right or wrong: counts, which need no room for each run.

    `both` are instances that both learners predict correctly, (runs, learners, learners, folds),
    `right_models` how many of the `models` are correct, (learners, n).
    """

    both: Integers
    right_models: Codes

    @property
    def task(self) -> Task:
        """Classes."""
        return CLASSES

    def levels(self, learner: str) -> Floats:
        """Return the accuracy of each fold, shape (runs, folds)."""
        accuracy: Floats = self.counts(learner, learner).right / self.tested
        return accuracy

    def counted(self, *learners: str) -> Flags:
        """Return which instances are tested."""
        tested: Flags = self.models > 0
        return tested

    def instances(self, *learners: str) -> Integers:
        """Instances that are tested, in the order of the stream."""
        return np.flatnonzero(self.counted(*learners))

    def values(self, learner: str) -> Floats:
        """Return the proportion of a learner's models that are correct, by instance."""
        at = self.counted(learner)
        values: Floats = self.right_models[self.learners.index(learner), at] / self.models[at]
        return values

    def differences(self, first: str, second: str) -> Floats:
        """Return the differences in accuracy of two learners, shape (runs, folds).

        They come from differences of counts: equal ones are equal to the last bit.
        """
        counts = self.counts(first, second)
        differences: Floats = (counts.only_first - counts.only_second) / counts.tested
        return differences

    def series(self, first: str, second: str) -> Floats:
        """Return the proportion of the first's models that are correct less that of the second."""
        a, b = map(self.learners.index, (first, second))
        at = self.counted(first, second)
        balance = self.right_models[a, at] - self.right_models[b, at]
        series: Floats = balance / self.models[at]
        return series

    def errors_of(self, first: str, second: str) -> Errors:
        """Return the proportions of predictions that are wrong."""
        names = (first, second)
        own, beside = (1.0 - self.values(name) for name in names)
        by_run, of_other = (1.0 - self.by_run(name) for name in names)
        return Errors((own, beside), (by_run, of_other))

    def counts(self, first: str, second: str) -> Counts:
        """Return how often each of two learners is correct, arrays of shape (runs, folds)."""
        a, b = map(self.learners.index, (first, second))
        ours, theirs, both = (self.both[:, i, j] for i, j in ((a, a), (b, b), (a, b)))
        return Counts(self.tested, ours, ours - both, theirs - both)


@dataclass(frozen=True)
class ErrorRuns(Runs):
    """Runs over one tape, with the errors of each, (runs, p), NaN where there is no prediction.

    `row` are the predicted instances of the stream, (p,).
    """

    errors: Mapping[str, Floats]
    row: Codes

    @property
    def task(self) -> Task:
        """Numbers."""
        return NUMBERS

    def levels(self, learner: str) -> Floats:
        """Return the mean error of each run, shape (runs, 1)."""
        if np.isnan(self.errors[learner]).all():
            raise DataError(f"Expected an instance that {learner} predicts, found none.")
        found: Floats = np.nanmean(self.errors[learner], axis=1, keepdims=True)
        return found

    def values(self, learner: str) -> Floats:
        """Return the error by instance that is predicted in all runs, averaged over them."""
        (errors,) = self._predicted(learner)
        found: Floats = errors.mean(axis=0)
        return found

    def differences(self, first: str, second: str) -> Floats:
        """Return the mean error of the second less that of the first, shape (runs, 1)."""
        ours, theirs = self._predicted(first, second)
        found: Floats = (theirs - ours).mean(axis=1, keepdims=True)
        return found

    def series(self, first: str, second: str) -> Floats:
        """Return the same by instance that both predict in all runs, averaged over them."""
        ours, theirs = self._predicted(first, second)
        found: Floats = (theirs - ours).mean(axis=0)
        return found

    def errors_of(self, first: str, second: str) -> Errors:
        """Return the errors on the instances that both predict in all runs."""
        own, beside = self._predicted(first, second)
        return Errors(
            (own.mean(axis=0), beside.mean(axis=0)), (own.mean(axis=1), beside.mean(axis=1))
        )

    def counted(self, *learners: str) -> Flags:
        """Return which predictions all of some learners make in all runs."""
        errors = [self.errors[name] for name in learners]
        known: Flags = ~np.logical_or.reduce([np.isnan(one).any(axis=0) for one in errors])
        return known

    def instances(self, *learners: str) -> Integers:
        """Instances that all of some learners predict in all runs, in the order of the tape."""
        return self.row[self.counted(*learners)].astype(np.int64)

    def _predicted(self, *learners: str) -> list[Floats]:
        """Return the errors on the instances that all of some learners predict in all runs."""
        errors, known = [self.errors[name] for name in learners], self.counted(*learners)
        if not known.any():
            names = " and ".join(learners)
            raise DataError(f"Expected an instance that {names} predict, found none.")
        return [one[:, known] for one in errors]


def runs_of(stream: Stream, tape: Tape, done: Seeded[Any], kept: Flags) -> Runs:
    """Return runs over one tape side by side, as one fold; `kept` says which predictions count."""
    rows, learners = tape.predict_rows[kept], done.by_learner
    tested = np.tile(_tested(stream, [rows]), (done.runs, 1))
    models = np.zeros(len(stream), np.int32)
    models[rows] = done.runs
    learnt, seconds = learnt_of(stream, [tape]), seconds_of(learners)
    is_counted = task_of(stream).is_counted
    groups = stream.groups if is_counted else part_of(stream.groups, rows)
    about = (tuple(learners), tested, models, learnt, done.draws, seconds, groups)
    if not is_counted:
        errors = {
            name: -np.stack([_gain(stream, one, kept) for one in own])
            for name, own in learners.items()
        }
        return ErrorRuns(*about, errors, rows)
    right_models, both = np.zeros((len(learners), len(stream)), np.int32), []
    for found in zip(*learners.values(), strict=True):
        each = zip(found, right_models, strict=True)
        both.append(_both([[_packed(_gain(stream, one, kept), rows, own)] for one, own in each]))
    return CountedRuns(*about, np.stack(both), right_models)


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

    A learner draws if two seeds give different predictions; then there are `RUNS` by default.
    """
    places = {name: place for place, name in enumerate(learners)}

    def job_done(job: tuple[str, int]) -> P:
        name, run = job
        seed = seeds(places[name], run)
        own = seed if isinstance(seed, int) else seed_of_fold(seed, 0)
        return played(learners[name], stream, tape, own, progress=report)

    report = None if progress is None else one_at_a_time(progress)
    with ThreadPoolExecutor(workers) as threads:
        jobs = [(name, run) for name in learners for run in range(2)]
        done = dict(zip(jobs, threads.map(job_done, jobs), strict=True))
        draws = frozenset(name for name in learners if differ(done[name, 0], done[name, 1]))
        runs = runs or (RUNS if draws else 1)
        jobs = [(name, run) for name in learners if name in draws for run in range(2, runs)]
        done |= zip(jobs, threads.map(job_done, jobs), strict=True)
    found = {
        name: [done[name, run if name in draws else 0] for run in range(runs)] for name in learners
    }
    return Seeded(found, draws, runs)


def differ(one: Any, other: Any) -> bool:
    """Return whether two runs have different predictions."""
    return not np.array_equal(one.predicted, other.predicted, equal_nan=True)


def seconds_of(done: Mapping[str, Sequence[Any]]) -> dict[str, float]:
    """Return the CPU seconds of each learner, each run counted once."""
    return {
        name: sum(run.seconds for run in {id(run): run for run in runs}.values())
        for name, runs in done.items()
    }


def run_folds(
    stream: Stream,
    runs: Iterable[Sequence[Tape]],
    learners: Mapping[str, Learner],
    seeds: Seeds,
    *,
    workers: int = 1,
    progress: Progress | None = None,
) -> CountedRuns:
    """Run classifiers over shared folds, which predict an instance at most once.

    `seeds` returns the seed, given the place of a learner and the number of a run, from 0. As many
    folds as there are `workers` run at the same time; the result does not depend on it.
    """
    n = len(stream)
    models, right_models = np.zeros(n, np.int32), np.zeros((len(learners), n), np.int32)
    seconds = dict.fromkeys(learners, 0.0)
    tested, both, learnt = [], [], []
    for run, tapes in enumerate(runs):
        tested.append(_tested(stream, [tape.predict_rows for tape in tapes]))
        learnt.append(learnt_of(stream, tapes))
        for tape in tapes:
            models[tape.predict_rows] += 1
        correct = []
        for place, (name, learner) in enumerate(learners.items()):
            own, seed = right_models[place], seeds(place, run)
            given = (learner, stream, tapes)
            folds = play_folds(*given, workers=workers, seed=seed, progress=progress)
            check_room(
                sum(len(found.row) for found in folds) // 8,
                f"Which predictions of {len(folds):,} folds are correct",
                "Take fewer folds, or free memory.",
            )
            correct.append([_packed(_gain(stream, one), one.row, own) for one in folds])
            seconds[name] += sum(one.seconds for one in folds)
        both.append(_both(correct))
    about = (tuple(learners), np.stack(tested), models, float(np.mean(learnt)), None, seconds)
    return CountedRuns(*about, stream.groups, np.stack(both), right_models)


def learnt_of(stream: Stream, tapes: Sequence[Tape]) -> float:
    """Return the mean proportion, over folds, of the instances that a model learns from."""
    learnt = 0
    for tape in tapes:
        seen = np.zeros(len(stream), bool)
        seen[tape.row[(tape.op & LEARN > 0) & (tape.weight > 0)]] = True
        learnt += int(seen.sum())
    return learnt / (len(tapes) * len(stream))


def _tested(stream: Stream, rows: Sequence[Codes]) -> Integers:
    """Return how many instances each fold is tested on, at least one."""
    tested = np.array([len(own) for own in rows])
    if (tested == 0).any():
        raise DataError(
            f"Stream {stream.name!r}: expected instances to test in each of {len(rows)} folds, "
            f"found none in fold {int(np.argmin(tested)) + 1}: it has {len(stream):,} instances. "
            "Take fewer folds or a longer stream."
        )
    return tested


def _gain(stream: Stream, found: Any, kept: Flags | slice = slice(None)) -> Gains:
    """Return how good the predictions of a model are that count."""
    return task_of(stream).gain(stream.y[found.row[kept]], found.predicted[kept])


def _packed(is_correct: Flags, rows: Codes, right_models: Codes) -> NDArray[np.uint8]:
    """Return a bit for each prediction, 1 if correct; count them by instance."""
    right_models[rows] += is_correct
    return np.packbits(is_correct)


def _both(correct: Sequence[Sequence[NDArray[np.uint8]]]) -> Integers:
    """Return `CountedRuns.both` of a run, from the bits of each learner and fold."""
    learners, folds = len(correct), len(correct[0])
    both = np.zeros((learners, learners, folds), np.int64)
    for a in range(learners):
        for b in range(a, learners):
            for fold, (ours, theirs) in enumerate(zip(correct[a], correct[b], strict=True)):
                both[[a, b], [b, a], fold] = np.bitwise_count(ours & theirs).sum()
    return both
