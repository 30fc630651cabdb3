"""What the alarms of a drift detector are worth to a learner.

A learner that is reset at alarms often gains accuracy. That says little about the alarms: where
labels depend on each other, resets at random gain as well, since a young model follows the latest
labels (Žliobaitė et al., 2015, Section 6.9). So a detector is compared with one that signals as
often, at random.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.evaluation.fold_comparison import FoldRuns, Seeded, of_seeds, seeded_runs
from streameval.evaluation.running import with_comparators
from streameval.evaluation.verdicts import ROPE, Verdict, judged
from streameval.learners.baselines import NoChange
from streameval.learners.learner import Learner, Progress
from streameval.learners.predictions import Predictions
from streameval.learners.wrappers.resetting import Resetting, WithAlarms
from streameval.protocols.tape import LEARN, Tape
from streameval.streams.stream import Stream

#: The learner that is never reset, and random alarms at the rate of a detector.
NEVER, AT_RANDOM = "never", "{} at random"
#: Runs with random alarms, where their number is not given.
RUNS = 10


class Worth(NamedTuple):
    """What the alarms of a detector are worth to a learner on a stream.

    Parameters
    ----------
    detector : str
        The detector, in its notation.
    alarms : ndarray of int64, shape (a,)
        The events of the tape at which it signalled a change, in the first run.
    rate : float
        Changes for each learnt instance, the mean over runs.
    over_random, over_never, over_no_change : Verdict
        Its accuracy against that with random alarms of the same rate, without resets, and against
        No-Change. The intervals hold for all detectors and comparators at once.
    """

    detector: str
    alarms: NDArray[np.int64]
    rate: float
    over_random: Verdict
    over_never: Verdict
    over_no_change: Verdict


@dataclass(frozen=True)
class Worths:
    """What the alarms of several detectors are worth, and the runs behind it.

    Parameters
    ----------
    by_detector : mapping of str to Worth
        By the notation of the detectors.
    known : FoldRuns
        Runs of the learner with each detector, with random alarms (`AT_RANDOM`), without resets
        (`NEVER`), and of the baselines.
    runs : int
        Runs with random alarms.
    """

    by_detector: Mapping[str, Worth]
    known: FoldRuns
    runs: int

    def accuracy(self, name: str) -> float:
        """Return an accuracy, the mean over runs."""
        return float(self.known.accuracy(name).mean())

    def kappa_temporal(self, name: str) -> float:
        """Return κ_t, the mean over runs; NaN if No-Change is always correct."""
        wrong = 1.0 - self.accuracy(NoChange.name)
        return 1.0 - (1.0 - self.accuracy(name)) / wrong if wrong else np.nan


def alarm_worth(
    stream: Stream,
    tape: Tape,
    learner: Learner,
    detectors: Sequence[str],
    *,
    runs: int = RUNS,
    rope: float = ROPE,
    key: tuple[str | int, ...] = ("alarm worth", 1),
    workers: int = 1,
    progress: Progress | None = None,
) -> Worths:
    """Compare resets at the alarms of detectors with resets at random.

    `tape` predicts each row at most once. `learner` is reset at the alarms of `detectors`, in the
    notation of `streameval.detectors.registry`; there are so many `runs`, at least 2, with random
    alarms. For `rope` see `judged`; `key` is that of all draws.
    """

    def seeds(place: int, run: int) -> tuple[str | int, ...]:
        return (*key, "run", run, "learner", place)

    def run(learners: Mapping[str, Learner]) -> Seeded[Predictions]:
        return seeded_runs(stream, tape, learners, seeds, runs, workers=workers, progress=progress)

    own = {name: Resetting(learner, name) for name in detectors}
    first = run(with_comparators({NEVER: learner, **own}))
    rates = {name: _rate(first.by_learner[name], tape) for name in detectors}
    second = run(
        {AT_RANDOM.format(n): Resetting(learner, f"chance:{rates[n]!r}:1") for n in detectors}
    )
    by_learner = {**first.by_learner, **second.by_learner}
    done = Seeded(by_learner, first.draws | second.draws, runs)
    known = of_seeds(stream, tape, done, np.ones(len(tape.predict_rows), dtype=np.bool_))

    def over(name: str, other: str) -> Verdict:
        pair, pairs = (name, other), 3 * len(detectors)
        return judged(pair, known.series(*pair), known.spread(*pair), rope, pairs=pairs)

    return Worths(
        {
            name: Worth(
                name,
                _alarms(first.by_learner[name][0]),
                rates[name],
                over(name, AT_RANDOM.format(name)),
                over(name, NEVER),
                over(name, NoChange.name),
            )
            for name in detectors
        },
        known,
        runs,
    )


def _alarms(run: Predictions) -> NDArray[np.int64]:
    assert isinstance(run, WithAlarms)  # noqa: S101, of a `Resetting`
    return run.alarms.changes


def _rate(runs: Sequence[Predictions], tape: Tape) -> float:
    """Return the changes for each learnt instance, the mean over runs."""
    learnt = int(np.count_nonzero(((tape.op & LEARN) > 0) & (tape.weight > 0)))
    return float(np.mean([len(_alarms(run)) for run in runs])) / max(learnt, 1)
