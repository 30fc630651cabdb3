"""Correct predictions of several learners over the same tapes, in one or several runs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Codes, Flags, Floats, Integers
from streameval.errors import DataError
from streameval.evaluation.folds import Counts, one_at_a_time, play_folds, seed_of_fold
from streameval.learners.asking import played
from streameval.learners.learner import AnyLearner, Learner, Progress
from streameval.learners.predictions import P, Predictions
from streameval.protocols.tape import LEARN, Tape
from streameval.room import check_room
from streameval.streams.stream import Stream

#: The seed of a learner's models in a run, given the learner's place and the run. A key gives each
#: fold a seed of its own, a number is the seed of all folds; see `streameval.evaluation.folds`.
Seeds = Callable[[int, int], int | tuple[str | int, ...]]
#: Runs of a learner that draws, where their number is not given.
RUNS = 5


class _OneRun(NamedTuple):
    """Numbers of instances, and of correct predictions, in each fold of one run."""

    tested: Integers  # (folds,)
    right: Integers  # (learners, folds)
    both: Integers  # (learners, learners, folds): predicted correctly by either of a pair


class Seeded(NamedTuple, Generic[P]):
    """Runs over one tape.

    Parameters
    ----------
    by_learner : mapping of str to sequence
        The predictions of each run; a learner that does not draw repeats its one run.
    draws : frozenset of str
        The learners that draw.
    runs : int
        The number of runs.
    """

    by_learner: Mapping[str, Sequence[P]]
    draws: frozenset[str]
    runs: int


class SideBySide(ABC):
    """Runs of several learners side by side, as `verdicts` need them."""

    #: The learners whose models differ by their seeds; None where folds differ anyway.
    draws: frozenset[str] | None

    @abstractmethod
    def differences(self, first: str, second: str) -> Floats:
        """Return the differences of two learners, shape (runs, folds); above 0, A is better."""

    @abstractmethod
    def values(self, learner: str) -> Floats:
        """Return what a learner is compared by, by instance, averaged over runs and folds."""

    def spread(self, first: str, second: str) -> Floats:
        """Return the differences of two learners that vary by seed or fold only.

        Those of the runs if there are several, else those of the folds; none where neither learner
        draws and there are no folds.
        """
        if self.draws is not None and not self.draws & {first, second}:
            return np.empty(0)
        found = self.differences(first, second)
        spread: Floats = found.mean(axis=1) if len(found) > 1 else found[0]
        return spread


@dataclass(frozen=True)
class FoldRuns(SideBySide):
    """Kept results of runs of several learners over shared folds, or over one tape.

    Parameters
    ----------
    learners : tuple of str
        Their names.
    tested : ndarray of int64, shape (runs, folds)
        Number of tested instances.
    right : ndarray of int64, shape (runs, learners, folds)
        Number of correct predictions.
    both : ndarray of int64, shape (runs, learners, learners, folds)
        Number of instances that the models of both of two learners predict correctly.
    models : ndarray of int32, shape (n,)
        Number of models of each learner, over all runs, that are tested on an instance.
    right_models : ndarray of int32, shape (learners, n)
        Number of these that are correct.
    learnt : float
        Proportion of the instances that a model learns from, the mean over folds and runs.
    draws : frozenset of str
        The learners whose models differ by their seeds, where that is known; None with folds,
        between which models differ anyway.
    seconds : mapping of str to float
        CPU seconds of each learner, over all folds and runs.
    """

    learners: tuple[str, ...]
    tested: Integers
    right: Integers
    both: Integers
    models: Codes
    right_models: Codes
    learnt: float = 1.0
    draws: frozenset[str] | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)

    def accuracy(self, learner: str) -> Floats:
        """Return the accuracy of each fold, shape (runs, folds)."""
        accuracy: Floats = self.right[:, self._place(learner)] / self.tested
        return accuracy

    def differences(self, first: str, second: str) -> Floats:
        """Return the differences in accuracy of two learners, shape (runs, folds).

        They come from differences of counts: equal ones are equal to the last bit.
        """
        counts = self.counts(first, second)
        differences: Floats = (counts.only_first - counts.only_second) / counts.tested
        return differences

    def counts(self, first: str, second: str) -> Counts:
        """Return how often each of two learners is correct, arrays of shape (runs, folds)."""
        a, b = self._place(first), self._place(second)
        both = self.both[:, a, b]
        return Counts(
            self.tested, self.right[:, a], self.right[:, a] - both, self.right[:, b] - both
        )

    def series(self, first: str, second: str) -> Floats:
        """Return the difference of two learners over time, shape (instances,).

        For each instance that is tested, the proportion of models of the first learner that are
        correct less that of the second, over all folds and runs: between -1 and 1.
        """
        a, b = self._place(first), self._place(second)
        at = self.models > 0
        balance = self.right_models[a, at] - self.right_models[b, at]
        series: Floats = balance / self.models[at]
        return series

    def values(self, learner: str) -> Floats:
        """Return the proportion of a learner's models that are correct, by instance."""
        at = self.models > 0
        values: Floats = self.right_models[self._place(learner), at] / self.models[at]
        return values

    def _place(self, learner: str) -> int:
        return self.learners.index(learner)


def of_seeds(stream: Stream, tape: Tape, done: Seeded[Predictions], kept: Flags) -> FoldRuns:
    """Return the kept results of runs over one tape, as those of one fold.

    `kept` says which predictions count, each of another row.

    Raises DataError if none counts.
    """
    rows = tape.predict_rows[kept]
    tested = _tested(stream, [rows])
    learners = done.by_learner
    right_models = np.zeros((len(learners), len(stream)), np.int32)
    found = []
    for run in range(done.runs):
        correct = [
            [_correct(stream, rows, own[run].label[kept], right_models[place])]
            for place, own in enumerate(learners.values())
        ]
        found.append(_counted(tested, correct))
    models = np.zeros(len(stream), np.int32)
    models[rows] = done.runs
    tested, right, both = (np.stack(parts) for parts in zip(*found, strict=True))
    learnt, seconds = learnt_of(stream, [tape]), seconds_of(learners)
    names = tuple(learners)
    return FoldRuns(names, tested, right, both, models, right_models, learnt, done.draws, seconds)


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

    A learner draws if two seeds give different predictions.

    For `seeds`, `workers` and `progress` see `run_folds`; runs of all learners go on at the same
    time. By default there are `RUNS` runs if any of the learners draws, else 1.
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
    """Return whether two runs have different predictions, of classes or of numbers."""
    if isinstance(one, Predictions):
        return bool((one.label != other.label).any())
    return not np.array_equal(one.value, other.value, equal_nan=True)


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
) -> FoldRuns:
    """Run learners over shared folds.

    `runs` has the folds of each run; a fold predicts an instance at most once. `seeds` returns the
    seed, given the place of a learner and the number of a run, from 0. As many folds as there are
    `workers` run at the same time; the result does not depend on it. `progress` is called with the
    number of events processed since the last call.

    Raises DataError if a fold tests no instance, since the stream is too short.
    """
    n = len(stream)
    models, right_models = np.zeros(n, np.int32), np.zeros((len(learners), n), np.int32)
    seconds = dict.fromkeys(learners, 0.0)
    found, learnt = [], []
    for run, tapes in enumerate(runs):
        tested = _tested(stream, [tape.predict_rows for tape in tapes])
        learnt.append(learnt_of(stream, tapes))
        for tape in tapes:
            models[tape.predict_rows] += 1
        correct = []
        for place, (name, learner) in enumerate(learners.items()):
            folds = play_folds(
                learner,
                stream,
                tapes,
                workers=workers,
                seed=seeds(place, run),
                progress=progress,
            )
            check_room(
                sum(len(found.row) for found in folds) // 8,
                f"Which predictions of {len(folds):,} folds are correct",
                "Take fewer folds, or free memory.",
            )
            own = right_models[place]
            correct.append([_correct(stream, one.row, one.label, own) for one in folds])
            seconds[name] += sum(one.seconds for one in folds)
        found.append(_counted(tested, correct))
    tested, right, both = (np.stack(parts) for parts in zip(*found, strict=True))
    share = float(np.mean(learnt))
    names = tuple(learners)
    return FoldRuns(names, tested, right, both, models, right_models, share, None, seconds)


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


def _correct(
    stream: Stream, rows: Codes, label: NDArray[np.int16], right_models: Codes
) -> NDArray[np.uint8]:
    """Return a bit for each prediction, 1 if correct; count them by instance."""
    is_correct = label == stream.y[rows]
    right_models[rows] += is_correct
    return np.packbits(is_correct)


def _counted(tested: Integers, correct: list[list[NDArray[np.uint8]]]) -> _OneRun:
    learners, folds = len(correct), len(tested)
    both = np.zeros((learners, learners, folds), np.int64)
    for a in range(learners):
        for b in range(a, learners):
            for fold, (ours, theirs) in enumerate(zip(correct[a], correct[b], strict=True)):
                both[[a, b], [b, a], fold] = np.bitwise_count(ours & theirs).sum()
    return _OneRun(tested, both[range(learners), range(learners)], both)
