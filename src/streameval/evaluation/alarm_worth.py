"""What the alarms of a drift detector are worth to a learner.

A learner that is reset at alarms often gains accuracy. That says little about the alarms: where
labels depend on each other, resets at random gain as well, since a young model follows the latest
labels (Žliobaitė et al., 2015, Section 6.9). So a detector is compared with one that signals as
often, at random.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.detectors.registry import parse
from streameval.evaluation.fold_comparison import FoldRuns, Seeded, of_seeds, seeded_runs
from streameval.evaluation.running import with_comparators
from streameval.evaluation.verdict_words import ACCURACY
from streameval.evaluation.verdicts import Verdict, judged, region_among
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
    detectors: Sequence[Any],
    *,
    kept: NDArray[np.bool_] | None = None,
    runs: int = RUNS,
    rope: float | None = None,
    key: tuple[str | int, ...] = ("alarm worth", 1),
    workers: int = 1,
    progress: Progress | None = None,
) -> Worths:
    """Compare resets at the alarms of detectors with resets at random.

    `kept` says which predictions of the tape count, each of another row; by default all. `learner`
    is reset at the alarms of `detectors`, each what `streameval.detectors.registry.parse` takes; so
    many `runs`, at least 2, have random alarms. `rope` is the region of practical equivalence,
    by default that of `region_among`; all draws have the `key`.
    """

    def seeds(place: int, run: int) -> tuple[str | int, ...]:
        return (*key, "run", run, "learner", place)

    def run(learners: Mapping[str, Learner]) -> Seeded[Predictions]:
        return seeded_runs(stream, tape, learners, seeds, runs, workers=workers, progress=progress)

    known_as = {str(one): one for one in map(parse, detectors)}
    detectors = [*known_as]
    own = {name: Resetting(learner, one) for name, one in known_as.items()}
    first = run(with_comparators({NEVER: learner, **own}))
    rates = {name: _rate(first.by_learner[name], tape) for name in detectors}
    second = run(
        {AT_RANDOM.format(n): Resetting(learner, f"chance:{rates[n]!r}:1") for n in detectors}
    )
    by_learner = {**first.by_learner, **second.by_learner}
    done = Seeded(by_learner, first.draws | second.draws, runs)
    all_of_them = np.ones(len(tape.predict_rows), dtype=np.bool_)
    known = of_seeds(stream, tape, done, all_of_them if kept is None else kept)

    region = region_among(known, ACCURACY).rope if rope is None else rope

    def over(name: str, other: str) -> Verdict:
        pair, pairs = (name, other), 3 * len(detectors)
        return judged(pair, known.series(*pair), known.spread(*pair), region, pairs=pairs)

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


#: Columns of `worth_rows`.
WORTH = (
    *("detector", "alarms", "accuracy", "kappa_temporal", "at_random"),
    *("over_random", "over_random_low", "over_random_high", "over_random_verdict"),
    *("over_never", "over_never_low", "over_never_high", "over_never_verdict"),
    *("over_no_change", "over_no_change_low", "over_no_change_high", "over_no_change_verdict"),
)


def worth_rows(found: Worths) -> list[dict[str, Any]]:
    """Return a row for each detector, for the learner without resets, and for No-Change.

    Columns `WORTH`: the number of alarms of the first run, accuracy, κ_t, the accuracy with random
    alarms, and differences with their intervals and verdicts; None where there is none.
    """
    rows: list[dict[str, Any]] = []
    for name in dict.fromkeys((*found.by_detector, NEVER, NoChange.name)):
        row: dict[str, Any] = dict.fromkeys(WORTH)
        row |= {"detector": name, "alarms": 0, "accuracy": found.accuracy(name)}
        row["kappa_temporal"] = found.kappa_temporal(name)
        if name in found.by_detector:
            one = found.by_detector[name]
            row["alarms"] = len(one.alarms)
            row["at_random"] = found.accuracy(AT_RANDOM.format(name))
            for key in ("over_random", "over_never", "over_no_change"):
                verdict: Verdict = getattr(one, key)
                row[key] = verdict.difference
                row[f"{key}_low"], row[f"{key}_high"] = verdict.low, verdict.high
                row[f"{key}_verdict"] = verdict.verdict
        rows.append(row)
    return rows


def error_curves(found: Worths, window: int, points: int) -> dict[str, NDArray[Any]]:
    """Return error rates over a sliding window, the mean over runs, and where it ends.

    ``instance``, the number of predictions so far, and a curve for each detector, for random alarms
    in its place, without resets, and for No-Change.
    """
    names = [*found.known.learners]
    n = len(found.known.values(names[0]))
    window = min(window, n)
    at = np.unique(np.linspace(window, n, min(points, n)).round().astype(np.int64))
    curves: dict[str, NDArray[Any]] = {"instance": at}
    for name in names:
        errors = np.concatenate([[0.0], np.cumsum(1.0 - found.known.values(name))])
        curves[name] = (errors[at] - errors[at - window]) / window
    return curves


def _alarms(run: Predictions) -> NDArray[np.int64]:
    assert isinstance(run, WithAlarms)  # noqa: S101, of a `Resetting`
    return run.alarms.changes


def _rate(runs: Sequence[Predictions], tape: Tape) -> float:
    """Return the changes for each learnt instance, the mean over runs."""
    learnt = int(np.count_nonzero(((tape.op & LEARN) > 0) & (tape.weight > 0)))
    return float(np.mean([len(_alarms(run)) for run in runs])) / max(learnt, 1)
