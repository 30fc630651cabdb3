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
from streameval.evaluation.by_instance import InstanceValues, PairedErrors
from streameval.evaluation.folds import Counts, run_over_tapes, seed_of_fold, with_lock
from streameval.evaluation.task import CLASSIFICATION_TASK, REGRESSION_TASK, Gains, Task, task_of
from streameval.learners.active_learning import run_learner
from streameval.learners.learner import AnyLearner, Classifier, Progress
from streameval.learners.predictions import P
from streameval.protocols.tape import LEARN, Tape
from streameval.streams.groups import Groups, select_groups
from streameval.streams.stream import Stream

#: Function from the position of a learner and the number of a run to a seed: an int for all folds,
#: or a key for a different seed in each fold; see `streameval.evaluation.folds`.
Seeds = Callable[[int, int], int | tuple[str | int, ...]]
#: Default number of runs of a randomised learner.
RUNS = 5


class SeededRuns(NamedTuple, Generic[P]):
    """Runs over one tape, by learner; a deterministic learner has the same run several times."""

    by_learner: Mapping[str, Sequence[P]]
    random_learners: frozenset[str]
    runs: int


@dataclass(frozen=True)
class Runs(InstanceValues):
    """Paired runs of several learners over shared folds, or over one tape as a single fold.

    Parameters
    ----------
    learners : tuple of str
        Ids of the learners.
    n_tested : ndarray of int, shape (runs, folds)
        Number of tested instances.
    n_models : ndarray of int32, shape (n,)
        Number of models of a learner, over all runs, that are tested on each instance.
    learnt_proportion : float
        Proportion of the instances that a model learns from.
    random_learners : frozenset of str or None
        The randomised learners. None with folds: there all models differ.
    seconds : mapping of str to float
        CPU seconds by learner.
    groups : Groups or None
        Entities of the instances that `compared_mask` covers, if there are several.
    """

    learners: tuple[str, ...]
    n_tested: Integers
    n_models: Codes
    learnt_proportion: float
    random_learners: frozenset[str] | None
    seconds: Mapping[str, float]
    groups: Groups | None

    @abstractmethod
    def means_by_fold(self, learner: str) -> Floats:
        """Accuracy or mean error of a learner by run and fold, (runs, folds)."""

    @abstractmethod
    def differences(self, first: str, second: str) -> Floats:
        """Differences of two learners, (runs, folds); positive if the first is better."""

    @abstractmethod
    def instances(self, *learners: str) -> Integers:
        """Index in the stream of each instance in `values` and `series`, in their order."""

    def by_run(self, learner: str) -> Floats:
        """Accuracy or mean error of a learner in each run, (runs,)."""
        means: Floats = self.means_by_fold(learner).mean(axis=1)
        return means

    def counts(self, first: str, second: str) -> Counts:
        """Numbers of correct predictions of two classifiers, (runs, folds)."""
        raise DataError(
            f"Expected predictions of classes, found predicted numbers of {first} and {second}."
        )

    def differences_by_run(self, first: str, second: str) -> Floats:
        """Differences of two learners by run, or by fold for a single run.

        It is empty if the learners are not randomised.
        """
        if self.random_learners is not None and not self.random_learners & {first, second}:
            return np.empty(0)
        differences = self.differences(first, second)
        spread: Floats = differences.mean(axis=1) if len(differences) > 1 else differences[0]
        return spread


@dataclass(frozen=True)
class CountedRuns(Runs):
    """Runs of classifiers, stored as counts, so memory hardly grows with the number of runs."""

    #: (runs, learners, learners, folds), number of instances that two learners predict correctly
    both_correct: Integers
    #: (learners, n), number of the models of `n_models` whose prediction is correct
    n_correct_models: Codes
    #: number of predictions of the first run that are not scored, as their fold had learnt no label
    before_first_label: int = 0

    @property
    def task(self) -> Task:
        """Classification."""
        return CLASSIFICATION_TASK

    def means_by_fold(self, learner: str) -> Floats:
        """Accuracy of each fold, shape (runs, folds)."""
        accuracy: Floats = self.counts(learner, learner).first_correct / self.n_tested
        return accuracy

    def compared_mask(self, *learners: str) -> Flags:
        """Mask of the tested instances."""
        is_tested: Flags = self.n_models > 0
        return is_tested

    def instances(self, *learners: str) -> Integers:
        """Indices of the tested instances, in the order of the stream."""
        return np.flatnonzero(self.compared_mask(*learners))

    def values(self, learner: str) -> Floats:
        """Proportion of a learner's models that are correct, by instance."""
        is_tested = self.compared_mask(learner)
        correct = self.n_correct_models[self.learners.index(learner), is_tested]
        values: Floats = correct / self.n_models[is_tested]
        return values

    def differences(self, first: str, second: str) -> Floats:
        """Differences in accuracy of two learners, shape (runs, folds).

        They are computed from differences of counts, so equal accuracies give exactly 0.
        """
        counts = self.counts(first, second)
        differences: Floats = (counts.only_first - counts.only_second) / counts.n_tested
        return differences

    def advantages(self, first: str, second: str) -> Floats:
        """Difference of two learners in the proportion of correct models, by instance."""
        a, b = map(self.learners.index, (first, second))
        is_tested = self.compared_mask(first, second)
        balance = self.n_correct_models[a, is_tested] - self.n_correct_models[b, is_tested]
        series: Floats = balance / self.n_models[is_tested]
        return series

    def paired_errors(self, first: str, second: str) -> PairedErrors:
        """Proportions of wrong predictions, by instance and by run."""
        names = (first, second)
        errors, other_errors = (1.0 - self.values(name) for name in names)
        by_run, other_by_run = (1.0 - self.by_run(name) for name in names)
        return PairedErrors((errors, other_errors), (by_run, other_by_run))

    def counts(self, first: str, second: str) -> Counts:
        """Numbers of correct predictions of two learners, (runs, folds)."""
        a, b = map(self.learners.index, (first, second))
        first_correct, second_correct = self.both_correct[:, a, a], self.both_correct[:, b, b]
        both = self.both_correct[:, a, b]
        return Counts(self.n_tested, first_correct, first_correct - both, second_correct - both)


@dataclass(frozen=True)
class ErrorRuns(Runs):
    """Runs of regressors over one tape, with their errors on common instances."""

    errors: Mapping[str, Floats]  # (runs, p), by learner
    instance: Codes  # (p,), index of the instance in the stream
    #: number of instances that are left out because a learner does not predict them in some run
    incomplete: int = 0

    @property
    def task(self) -> Task:
        """Regression."""
        return REGRESSION_TASK

    def means_by_fold(self, learner: str) -> Floats:
        """Mean error of each run, shape (runs, 1)."""
        means: Floats = self.errors[learner].mean(axis=1, keepdims=True)
        return means

    def values(self, learner: str) -> Floats:
        """Error by instance, averaged over runs."""
        values: Floats = self.errors[learner].mean(axis=0)
        return values

    def differences(self, first: str, second: str) -> Floats:
        """Mean error of the second learner minus mean error of the first, (runs, 1)."""
        differences = self.errors[second] - self.errors[first]
        means: Floats = differences.mean(axis=1, keepdims=True)
        return means

    def advantages(self, first: str, second: str) -> Floats:
        """Error of the second learner minus error of the first, by instance, averaged over runs."""
        series: Floats = (self.errors[second] - self.errors[first]).mean(axis=0)
        return series

    def paired_errors(self, first: str, second: str) -> PairedErrors:
        """Errors of two learners, by instance and by run."""
        errors, other_errors = self.errors[first], self.errors[second]
        return PairedErrors(
            (errors.mean(axis=0), other_errors.mean(axis=0)),
            (errors.mean(axis=1), other_errors.mean(axis=1)),
        )

    def compared_mask(self, *learners: str) -> Flags:
        """Mask of the instances that count: all instances in `errors`."""
        return np.ones(len(next(iter(self.errors.values()))[0]), dtype=np.bool_)

    def instances(self, *learners: str) -> Integers:
        """Indices of the instances in the stream, in the order of the tape."""
        return self.instance.astype(np.int64)


def join_runs(stream: Stream, tape: Tape, seeded: SeededRuns[Any], scored: Flags) -> Runs:
    """Paired runs over one tape, as a single fold; `scored` is a mask of the predictions.

    In regression, instances without a prediction of some learner in some run are left out.
    """
    rows, learners = tape.predict_rows[scored], seeded.by_learner
    tested = _count_tested(stream, [rows])
    is_classification = task_of(stream).is_classification
    errors, incomplete = dict[str, Floats](), 0
    if not is_classification:
        errors = {
            name: -np.stack([_gain(stream, run, scored) for run in runs])
            for name, runs in learners.items()
        }
        is_complete = _complete(errors)
        incomplete = int(np.count_nonzero(~is_complete))
        rows = rows[is_complete]
        errors = {name: learner_errors[:, is_complete] for name, learner_errors in errors.items()}
        tested = _count_tested(stream, [rows])
    n_models = np.zeros(len(stream), np.int32)
    n_models[rows] = seeded.runs
    shared_fields: dict[str, Any] = {
        "learners": tuple(learners),
        "n_tested": np.tile(tested, (seeded.runs, 1)),
        "n_models": n_models,
        "learnt_proportion": proportion_learnt(stream, [tape]),
        "random_learners": seeded.random_learners,
        "seconds": cpu_seconds(learners),
        # `CountedRuns` has a mask over the stream, `ErrorRuns` only the instances that count.
        "groups": stream.groups if is_classification else select_groups(stream.groups, rows),
    }
    if not is_classification:
        return ErrorRuns(**shared_fields, errors=errors, instance=rows, incomplete=incomplete)
    n_correct_models, both_correct = np.zeros((len(learners), len(stream)), np.int32), []
    for predictions_of_run in zip(*learners.values(), strict=True):
        bits = [
            [_count_and_pack(_gain(stream, predictions, scored), rows, learner_counts)]
            for predictions, learner_counts in zip(
                predictions_of_run, n_correct_models, strict=True
            )
        ]
        both_correct.append(_count_both(bits))
    return CountedRuns(
        **shared_fields, both_correct=np.stack(both_correct), n_correct_models=n_correct_models
    )


def _complete(errors: Mapping[str, Floats]) -> Flags:
    """Mask of the predictions that all learners make in all runs; refuse an empty mask."""
    masks = {name: ~np.isnan(learner_errors).any(axis=0) for name, learner_errors in errors.items()}
    is_complete: Flags = np.logical_and.reduce([*masks.values()])
    if not is_complete.any():
        # If each learner predicts some instances, there is none that all of them predict.
        without_any = [name for name, mask in masks.items() if not mask.any()] or list(masks)
        raise DataError(
            f"Expected an instance that {' and '.join(without_any)} predict, found none."
        )
    return is_complete


def seeded_runs(
    stream: Stream,
    tape: Tape,
    learners: Mapping[str, AnyLearner[P]],
    seeds: Seeds,
    runs: int | None = None,
    *,
    workers: int = 1,
    progress: Progress | None = None,
) -> SeededRuns[P]:
    """Run learners over one tape: randomised learners several times, the others once.

    A learner is randomised if two seeds give different predictions. The default number of runs is
    `RUNS` with a randomised learner, else 1.
    """
    positions = {name: position for position, name in enumerate(learners)}

    def run_job(job: tuple[str, int]) -> P:
        name, run = job
        seed = seeds(positions[name], run)
        run_seed = seed if isinstance(seed, int) else seed_of_fold(seed, 0)
        return run_learner(learners[name], stream, tape, run_seed, progress=report)

    report = None if progress is None else with_lock(progress)
    with ThreadPoolExecutor(workers) as threads:
        jobs = [(name, run) for name in learners for run in range(2)]
        results = dict(zip(jobs, threads.map(run_job, jobs), strict=True))
        random_learners = frozenset(
            name for name in learners if predictions_differ(results[name, 0], results[name, 1])
        )
        runs = runs or (RUNS if random_learners else 1)
        jobs = [
            (name, run) for name in learners if name in random_learners for run in range(2, runs)
        ]
        results |= zip(jobs, threads.map(run_job, jobs), strict=True)
    by_learner = {
        name: [results[name, run if name in random_learners else 0] for run in range(runs)]
        for name in learners
    }
    return SeededRuns(by_learner, random_learners, runs)


def predictions_differ(run: Any, other: Any) -> bool:
    """Whether two runs have different predictions."""
    return not np.array_equal(run.predicted, other.predicted, equal_nan=True)


def cpu_seconds(runs_by_learner: Mapping[str, Sequence[Any]]) -> dict[str, float]:
    """CPU seconds of each learner; the repeated run of a deterministic learner counts once."""
    return {
        name: sum(run.seconds for run in {id(run): run for run in runs}.values())
        for name, runs in runs_by_learner.items()
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
    """Run classifiers over shared folds, each of which predicts an instance at most once.

    `runs` has the tapes of the folds of each run. `scored_rows` is the method of the protocol. Up
    to `workers` folds run at the same time; the result does not depend on the number of workers.
    """
    n = len(stream)
    n_models, n_correct_models = np.zeros(n, np.int32), np.zeros((len(learners), n), np.int32)
    seconds = dict.fromkeys(learners, 0.0)
    tested, both_correct, learnt, n_unscored = [], [], [], list[int]()
    for run, tapes in enumerate(runs):
        masks = [scored_rows(stream, tape)[tape.predict_rows] for tape in tapes]
        rows = [tape.predict_rows[mask] for tape, mask in zip(tapes, masks, strict=True)]
        tested.append(_count_tested(stream, rows))
        learnt.append(proportion_learnt(stream, tapes))
        n_unscored.append(sum(int(np.count_nonzero(~mask)) for mask in masks))
        for fold_rows in rows:
            n_models[fold_rows] += 1
        bits = []
        for position, (name, learner) in enumerate(learners.items()):
            folds = run_over_tapes(
                learner,
                stream,
                tapes,
                workers=workers,
                seed=seeds(position, run),
                progress=progress,
            )
            check_room(
                sum(len(predictions.row) for predictions in folds) // 8,  # a bit each
                f"Which predictions of {len(folds):,} folds are correct",
                "Take fewer folds, or free memory.",
            )
            bits.append(
                [
                    _count_and_pack(
                        _gain(stream, predictions, mask), fold_rows, n_correct_models[position]
                    )
                    for predictions, mask, fold_rows in zip(folds, masks, rows, strict=True)
                ]
            )
            seconds[name] += sum(predictions.seconds for predictions in folds)
        both_correct.append(_count_both(bits))
    return CountedRuns(
        learners=tuple(learners),
        n_tested=np.stack(tested),
        n_models=n_models,
        learnt_proportion=float(np.mean(learnt)),
        random_learners=None,
        seconds=seconds,
        groups=stream.groups,
        both_correct=np.stack(both_correct),
        n_correct_models=n_correct_models,
        before_first_label=n_unscored[0],
    )


def proportion_learnt(stream: Stream, tapes: Sequence[Tape]) -> float:
    """Mean proportion, over folds, of the instances that a model learns from."""
    n_learnt = 0
    for tape in tapes:
        is_learnt = np.zeros(len(stream), bool)
        is_learnt[tape.row[((tape.op & LEARN) != 0) & (tape.weight > 0)]] = True
        n_learnt += int(is_learnt.sum())
    return n_learnt / (len(tapes) * len(stream))


def _count_tested(stream: Stream, rows: Sequence[Codes]) -> Integers:
    """Number of tested instances of each fold; refuse folds without test instances."""
    tested = np.array([len(fold_rows) for fold_rows in rows])
    if (tested == 0).any():
        raise DataError(
            f"Stream {stream.name!r}: expected instances to test in each of {len(rows)} folds, "
            f"found none in fold {int(np.argmin(tested)) + 1}: it has {len(stream):,} instances. "
            "Take fewer folds, as in --protocol split_validation:5, or a longer stream."
        )
    return tested


def _gain(stream: Stream, predictions: Any, scored: Flags | slice = slice(None)) -> Gains:
    """Gains of the scored predictions of a model."""
    return task_of(stream).gain(stream.y[predictions.row[scored]], predictions.predicted[scored])


def _count_and_pack(is_correct: Flags, rows: Codes, learner_counts: Codes) -> NDArray[np.uint8]:
    """Add correct predictions to `learner_counts`, and return them as packed bits."""
    learner_counts[rows] += is_correct
    return np.packbits(is_correct)


def _count_both(bits: Sequence[Sequence[NDArray[np.uint8]]]) -> Integers:
    """`CountedRuns.both_correct` of a run, from packed bits by learner and fold."""
    n_learners, n_folds = len(bits), len(bits[0])
    both_correct = np.zeros((n_learners, n_learners, n_folds), np.int64)
    for a in range(n_learners):
        for b in range(a, n_learners):
            for fold, (first, second) in enumerate(zip(bits[a], bits[b], strict=True)):
                both_correct[[a, b], [b, a], fold] = np.bitwise_count(first & second).sum()
    return both_correct
