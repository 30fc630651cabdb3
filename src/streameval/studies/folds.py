"""Playing folds side by side."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from streameval.errors import ConfigError
from streameval.learners.learner import Learner, Progress
from streameval.learners.predictions import Predictions
from streameval.protocols.tape import Tape
from streameval.seeds import generator
from streameval.streams.stream import Stream

#: Seeds are drawn below this: every tool takes them.
SEEDS = 2**31


def play_folds(
    learner: Learner,
    stream: Stream,
    tapes: Sequence[Tape],
    *,
    workers: int = 1,
    seed: int | tuple[str | int, ...] = 1,
    scores: bool = False,
    progress: Progress | None = None,
) -> list[Predictions]:
    """Play one model per fold.

    Parameters
    ----------
    learner : Learner
        What is played; each fold starts from an untrained model.
    stream : Stream
        The instances that the tapes are about.
    tapes : sequence of Tape
        One for each fold, for example `streameval.protocols.folds.Folds`, whose tapes are made
        only when they are played.
    workers : int
        Threads. Compiled learners run on as many cores; the answers are the same for any number.
    seed : int or tuple of str and int
        An int is the seed of every fold, as in MOA. A key, see `streameval.seeds`, gives each
        fold a seed of its own.
    scores : bool
        Also return class scores.
    progress : callable, optional
        Called with the number of events played since the last call, by one thread at a time.

    Returns
    -------
    list of Predictions
        In the order of the folds.

    Raises
    ------
    ConfigError
        If there is no worker.
    """
    if workers < 1:
        raise ConfigError(f"Playing folds: expected at least one worker, found {workers}.")
    report = None if progress is None else _one_at_a_time(progress)

    def play(fold: int) -> Predictions:
        own = seed if isinstance(seed, int) else seed_of_fold(seed, fold)
        return learner.play(stream, tapes[fold], own, scores=scores, progress=report)

    if workers == 1:
        return [play(fold) for fold in range(len(tapes))]
    with ThreadPoolExecutor(workers) as threads:
        return list(threads.map(play, range(len(tapes))))


def seed_of_fold(key: tuple[str | int, ...], fold: int) -> int:
    """Return the seed of a fold that `play_folds` draws from a key."""
    return int(generator(*key, "fold", fold).integers(SEEDS))


def _one_at_a_time(progress: Progress) -> Progress:
    """Return the same callback for many threads."""
    lock = Lock()

    def report(events: int) -> None:
        with lock:
            progress(events)

    return report
