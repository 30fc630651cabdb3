"""Value of the alarms of a drift detector to a learner that is reset at them.

Where labels depend on each other, uninformed resets raise the accuracy as well: a young model
follows the latest labels (Žliobaitė et al., 2015, Section 6.9). The effect depends on the distances
between resets. The control therefore has the gaps between the alarms of the detector in random
order, which keeps their lengths and removes the information in the errors. The stretch after the
last alarm is not a gap and stays last.

Independent gaps of one distribution have equally probable orders. For other gaps only the lengths
matter on a stationary stream, since a reset model has no memory. With fewer than `LEAST_ORDERS`
orders there is no verdict, since a false one would have a probability above 5 %.

Recorded predictions do not learn, so a reset changes nothing. Only their accuracy is compared, and
the alarms say where they get worse.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Flags, Integers
from streameval.base.seeds import generator
from streameval.detectors.chance import Gaps
from streameval.detectors.detector import Detector
from streameval.detectors.registry import parse
from streameval.evaluation.folds import seed_of_fold
from streameval.evaluation.runs import Runs, Seeded, join_runs, seeded_runs
from streameval.evaluation.task import CLASSIFICATION_TASK
from streameval.evaluation.verdicts import Verdict, judge_pair, region_among
from streameval.learners.baselines import NoChange, with_comparators
from streameval.learners.learner import Classifier, Progress
from streameval.learners.predictions import Predictions
from streameval.learners.wrappers.resetting import PredictionsWithAlarms, Resetting
from streameval.protocols.tape import LEARN, Tape
from streameval.streams.stream import Stream

#: Names of the learner without resets, and of the control with shuffled gaps.
NEVER, SHUFFLED = "never", "{} shuffled"
#: Number of orders of the gaps that a verdict needs: with fewer, a level of 5 % is impossible.
LEAST_ORDERS = 20
#: Default number of runs with gaps in random order.
RUNS = 10


class Worth(NamedTuple):
    """Value of the alarms of a detector to a learner on a stream.

    Parameters
    ----------
    detector : str
        The detector, in its notation.
    alarms : ndarray of int64, shape (a,)
        Events of the tape at which the detector signalled a change, in the first run.
    rate : float
        Changes for each learnt instance, the mean over runs.
    over_shuffled, over_never, over_no_change : Verdict
        Verdict on the accuracy against the control with shuffled gaps, against the learner without
        resets, and against No-Change. The intervals hold for all detectors and comparators at once.
        The first two are None for recorded predictions, which no reset changes.
    """

    detector: str
    alarms: Integers
    rate: float
    over_shuffled: Verdict | None
    over_never: Verdict | None
    over_no_change: Verdict


@dataclass(frozen=True)
class Worths:
    """Values of the alarms of several detectors, by their notation, and the runs behind them.

    `runs` is the number of runs with shuffled gaps, 0 for recorded predictions. `few_orders` has,
    by detector, the reason why its gaps have too few orders for a verdict, or "".
    """

    by_detector: Mapping[str, Worth]
    known: Runs
    runs: int
    few_orders: Mapping[str, str]

    def accuracy(self, name: str) -> float:
        """An accuracy, the mean over runs."""
        return float(self.known.levels(name).mean())

    def kappa_temporal(self, name: str) -> float:
        """Κ_t, the mean over runs; NaN if No-Change is always correct."""
        wrong = 1.0 - self.accuracy(NoChange.name)
        return 1.0 - (1.0 - self.accuracy(name)) / wrong if wrong else np.nan


def alarm_worth(
    stream: Stream,
    tape: Tape,
    learner: Classifier,
    detectors: Sequence[Any],
    *,
    kept: Flags | None = None,
    runs: int = RUNS,
    rope: float | None = None,
    key: tuple[str | int, ...] = ("alarm worth", 1),
    workers: int = 1,
    progress: Progress | None = None,
) -> Worths:
    """Compare resets at the alarms of detectors with the same gaps in random order.

    `kept` is a mask of the predictions that count, at most one for each row. There are at least two
    `runs`; if alarms differ by run, a control has the gaps of the run with the same number. The
    default `rope` is that of `region_among`.
    """

    def seeds(place: int, run: int) -> tuple[str | int, ...]:
        return (*key, "run", run, "learner", place)

    def run(learners: Mapping[str, Classifier]) -> Seeded[Predictions]:
        return seeded_runs(stream, tape, learners, seeds, runs, workers=workers, progress=progress)

    known_as = {str(detector): detector for detector in map(parse, detectors)}
    detectors = [*known_as]
    if kept is None:
        kept = np.ones(len(tape.predict_rows), dtype=np.bool_)
    if not learner.learns:
        done = run(with_comparators({NEVER: learner}))
        alarms = {
            name: _alarms_of_predictions(
                stream,
                tape,
                done.by_learner[NEVER][0],
                kept,
                detector,
                seed_of_fold(seeds(place, 0), 0),
            )
            for place, (name, detector) in enumerate(known_as.items())
        }
        return _without_resets(join_runs(stream, tape, done, kept), alarms, tape, rope)
    resetting = {name: Resetting(learner, detector) for name, detector in known_as.items()}
    first = run(with_comparators({NEVER: learner, **resetting}))
    gaps = {
        name: [_gaps(predictions, tape) for predictions in first.by_learner[name]]
        for name in detectors
    }
    few = {name: few_orders(gaps[name], name in first.draws) for name in detectors}
    shuffled = {}
    for place, name in enumerate(detectors):
        run_seeds = (seed_of_fold(seeds(place, run), 0) for run in range(runs))
        order = partial(_in_random_order, dict(zip(run_seeds, gaps[name], strict=True)))
        shuffled[SHUFFLED.format(name)] = Resetting(learner, Gaps("shuffled", order))
    second = run(shuffled)
    by_learner = {**first.by_learner, **second.by_learner}
    done = Seeded(by_learner, first.draws | second.draws, runs)
    known = join_runs(stream, tape, done, kept)
    region = region_among(known, CLASSIFICATION_TASK).rope if rope is None else rope

    def over(name: str, other: str, lacking: str = "") -> Verdict:
        pair, pairs = (name, other), 3 * len(detectors)
        return judge_pair(pair, known.apart(*pair), region, pairs=pairs, lacking=lacking)

    return Worths(
        {
            name: Worth(
                name,
                _alarms(first.by_learner[name][0]),
                _rate(gaps[name], tape),
                over(name, SHUFFLED.format(name), few[name]),
                over(name, NEVER),
                over(name, NoChange.name),
            )
            for name in detectors
        },
        known,
        runs,
        few,
    )


def _alarms_of_predictions(
    stream: Stream, tape: Tape, predictions: Predictions, kept: Flags, detector: Detector, seed: int
) -> Integers:
    """Events at which a detector signals a higher error rate of the predictions that count.

    It reads the error of a prediction when the label arrives.
    """
    rows = predictions.row[kept]
    is_scored, is_wrong = np.zeros(len(stream), np.bool_), np.zeros(len(stream), np.bool_)
    is_scored[rows], is_wrong[rows] = True, predictions.label[kept] != stream.y[rows]
    events = np.flatnonzero(_learnt(tape) & is_scored[tape.row])
    return events[detector.run(is_wrong[tape.row[events]], seed).changes]


def _without_resets(
    known: Runs, alarms: Mapping[str, Integers], tape: Tape, rope: float | None
) -> Worths:
    """Alarms on recorded predictions, and the accuracy of these against No-Change."""
    region = region_among(known, CLASSIFICATION_TASK).rope if rope is None else rope
    over = judge_pair((NEVER, NoChange.name), known.apart(NEVER, NoChange.name), region)
    worths = {
        name: Worth(name, at, _rate([at], tape), None, None, over) for name, at in alarms.items()
    }
    return Worths(worths, known, 0, {})


#: Columns of `worth_rows`.
WORTH = (
    *("detector", "alarms", "accuracy", "kappa_temporal", "shuffled"),
    *("over_shuffled", "over_shuffled_low", "over_shuffled_high", "over_shuffled_verdict"),
    *("over_never", "over_never_low", "over_never_high", "over_never_verdict"),
    *("over_no_change", "over_no_change_low", "over_no_change_high", "over_no_change_verdict"),
)


def worth_rows(worths: Worths) -> list[dict[str, Any]]:
    """A row for each detector, for the learner without resets, and for No-Change.

    Recorded predictions have no row without resets.
    """
    rows: list[dict[str, Any]] = []
    never = [NEVER] if worths.runs else []
    for name in dict.fromkeys((*worths.by_detector, *never, NoChange.name)):
        row: dict[str, Any] = dict.fromkeys(WORTH)
        run = name if worths.runs or name == NoChange.name else NEVER
        row |= {"detector": name, "alarms": 0, "accuracy": worths.accuracy(run)}
        row["kappa_temporal"] = worths.kappa_temporal(run)
        if name in worths.by_detector:
            worth = worths.by_detector[name]
            row["alarms"] = len(worth.alarms)
            row["shuffled"] = worths.accuracy(SHUFFLED.format(name)) if worths.runs else None
            for key in ("over_shuffled", "over_never", "over_no_change"):
                verdict: Verdict | None = getattr(worth, key)
                if verdict is None:
                    continue
                row[key] = verdict.difference
                row[f"{key}_low"], row[f"{key}_high"] = verdict.low, verdict.high
                row[f"{key}_verdict"] = verdict.verdict
        rows.append(row)
    return rows


def error_curves(worths: Worths, window: int, points: int) -> dict[str, NDArray[Any]]:
    """Error rates over a sliding window, means over runs, with the last instance of each window."""
    names = [*worths.known.learners]
    n = len(worths.known.values(names[0]))
    window = min(window, n)
    at = np.unique(np.linspace(window, n, min(points, n)).round().astype(np.int64))
    curves: dict[str, NDArray[Any]] = {"instance": at}
    for name in names:
        errors = np.concatenate([[0.0], np.cumsum(1.0 - worths.known.values(name))])
        curves[name] = (errors[at] - errors[at - window]) / window
    return curves


def _alarms(run: Predictions) -> Integers:
    assert isinstance(run, PredictionsWithAlarms)  # noqa: S101, of a `Resetting`
    return run.alarms.changes


def few_orders(gaps: Sequence[Integers], draws: bool) -> str:
    """Reason why gaps have too few different orders for a verdict; "" if they have enough.

    If the detector or the learner `draws`, alarms differ by run, and the gaps of all runs count.
    """
    orders = math.prod(map(_orders, gaps if draws else gaps[:1]))
    if orders >= LEAST_ORDERS:
        return ""
    number = "1 order" if orders == 1 else f"{orders} different orders"
    return f"its gaps have {number}, and a verdict needs {LEAST_ORDERS}"


def _orders(gaps: Integers) -> int:
    """Number of different orders of gaps, at most `LEAST_ORDERS` where there are many gaps."""
    equal = Counter(gaps.tolist()).values()
    if len(gaps) >= LEAST_ORDERS:  # a single different gap already has so many positions
        return LEAST_ORDERS if len(equal) > 1 else 1
    return math.factorial(len(gaps)) // math.prod(map(math.factorial, equal))


def _gaps(run: Predictions, tape: Tape) -> Integers:
    """Numbers of learnt instances up to the first alarm, and from each alarm to the next."""
    learnt = np.cumsum(_learnt(tape))
    gaps: Integers = np.diff(learnt[_alarms(run)], prepend=0)
    return gaps


def _learnt(tape: Tape) -> Flags:
    """Mask of the events at which a label is learnt."""
    is_learnt: Flags = ((tape.op & LEARN) > 0) & (tape.weight > 0)
    return is_learnt


def _in_random_order(gaps: Mapping[int, Integers], seed: int) -> Integers:
    """Gaps of the run with a seed, in random order."""
    return generator("gaps in random order", seed).permutation(gaps[seed])


def _rate(gaps: Sequence[Integers], tape: Tape) -> float:
    """Number of alarms per learnt instance, the mean over runs."""
    learnt = int(np.count_nonzero(_learnt(tape)))
    return float(np.mean([len(run_gaps) for run_gaps in gaps])) / max(learnt, 1)
