"""Running the models of all folds in parallel, and counts of their correct predictions."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from streameval.base.arrays import Integers
from streameval.base.errors import ConfigError
from streameval.base.seeds import generator
from streameval.learners.predictions import P

if TYPE_CHECKING:
    from streameval.learners.learner import AnyLearner, Progress
    from streameval.protocols.tape import Tape
    from streameval.streams.stream import Stream

#: Random seeds are below this, so that every tool accepts them.
RANDOM_SEED_LIMIT = 2**31
#: Names of comparisons in studies of error rates: two copies of a learner with different seeds.
SAME_LEARNER = "same"
#: Name of the comparison of two copies with predictions exchanged at random, instance by instance.
SWAPPED_PREDICTIONS = "swapped"


def run_over_tapes(
    learner: AnyLearner[P],
    stream: Stream,
    tapes: Sequence[Tape],
    *,
    workers: int = 1,
    seed: int | tuple[str | int, ...] = 1,
    scores: bool = False,
    progress: Progress | None = None,
) -> list[P]:
    """Run an untrained model for each fold; `tapes` may be computed on access.

    Up to `workers` folds run at the same time, each on one core; the number of workers changes no
    prediction. If `seed` is an int, all folds have this seed, as in MOA. If it is a key, each fold
    has a different seed. `progress` is called with the number of events since the last call, by one
    fold at a time.
    """
    if workers < 1:
        raise ConfigError(f"Folds: expected at least one worker, found {workers}.")
    # Imported here: it loads numba, which a check of a stream does not need.
    from streameval.learners.active_learning import run_learner

    report = None if progress is None else with_lock(progress)

    def run(fold: int) -> P:
        fold_seed = seed if isinstance(seed, int) else seed_of_fold(seed, fold)
        return run_learner(learner, stream, tapes[fold], fold_seed, scores=scores, progress=report)

    if workers == 1:
        return [run(fold) for fold in range(len(tapes))]
    with ThreadPoolExecutor(workers) as threads:
        return list(threads.map(run, range(len(tapes))))


def seed_of_fold(key: tuple[str | int, ...], fold: int) -> int:
    """Seed that `run_over_tapes` draws from a key for a fold."""
    return int(generator(*key, "fold", fold).integers(RANDOM_SEED_LIMIT))


def with_lock(progress: Progress) -> Progress:
    """Callback with a lock, so that concurrent jobs call it one at a time."""
    lock = Lock()

    def report(events: int) -> None:
        with lock:
            progress(events)

    return report


class Counts(NamedTuple):
    """Counts of tested instances by the correctness of two learners, each of shape (..., folds)."""

    n_tested: Integers  # all test instances
    first_correct: Integers  # the first learner is correct
    only_first: Integers  # only the first learner is correct
    only_second: Integers  # only the second learner is correct
