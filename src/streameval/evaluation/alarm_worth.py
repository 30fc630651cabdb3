"""Value of the alarms of a drift detector to a learner that is reset at them.

If labels depend on each other, uninformed resets raise the accuracy as well: a young model follows
the latest labels (Žliobaitė et al., 2015, Section 6.9). The effect depends on the distances between
resets. So the control has the gaps between the alarms of the detector in random order, which keeps
their lengths and removes the information in the errors. The instances after the last alarm are
not a gap, and stay at the end.

If gaps are independent and have one distribution, all orders are equally probable, so uninformed
alarms are as good as their control. For other gaps only the lengths matter on a stationary stream,
since a reset model has no memory. With fewer than `MIN_ORDERS`
orders there is no verdict, since the probability of a false verdict would be above 5 %.

Recorded predictions do not change when a learner is reset. So only their accuracy is compared, and
the alarms show where it falls.
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
from streameval.evaluation.runs import Runs, SeededRuns, join_runs, seeded_runs
from streameval.evaluation.task import CLASSIFICATION_TASK
from streameval.evaluation.verdicts import Verdict, judge_pair, region_from_baselines
from streameval.learners.baselines import NoChange, with_classification_baselines
from streameval.learners.learner import Classifier, Progress
from streameval.learners.predictions import Predictions
from streameval.learners.wrappers.resetting import PredictionsWithAlarms, Resetting
from streameval.protocols.tape import LEARN, Tape
from streameval.streams.stream import Stream

#: Name of the learner without resets.
NEVER = "never"
#: Name of the control with shuffled gaps, by the name of the detector.
SHUFFLED = "{} shuffled"
#: Number of orders of the gaps that a verdict needs: with fewer, a level of 5 % is impossible.
MIN_ORDERS = 20
#: Default number of runs with gaps in random order.
RUNS = 10


class AlarmWorth(NamedTuple):
    """Value of the alarms of a detector to a learner on a stream.

    Parameters
    ----------
    detector : str
        The detector, in its notation.
    alarms : ndarray of int64, shape (a,)
        Events of the tape at which the detector signalled a change, in the first run.
    rate : float
        Number of alarms per learnt instance, the mean over runs.
    over_shuffled, over_never, over_no_change : Verdict
        Verdict on the accuracy against the control with shuffled gaps, against the learner without
        resets, and against No-Change. The intervals hold for all detectors and comparators at once.
        The first two are None for recorded predictions, which do not change.
    """

    detector: str
    alarms: Integers
    rate: float
    over_shuffled: Verdict | None
    over_never: Verdict | None
    over_no_change: Verdict


@dataclass(frozen=True)
class AlarmWorths:
    """Values of the alarms of several detectors, by their notation, and the runs behind them.

    `n_runs` is the number of runs with shuffled gaps, 0 for recorded predictions.
    `few_orders_reasons` has, by detector, the reason why its gaps have too few orders for a
    verdict, or "".
    """

    by_detector: Mapping[str, AlarmWorth]
    runs: Runs
    n_runs: int
    few_orders_reasons: Mapping[str, str]

    def accuracy(self, name: str) -> float:
        """An accuracy, the mean over runs."""
        return float(self.runs.means_by_fold(name).mean())

    def kappa_temporal(self, name: str) -> float:
        """Κ_t, the mean over runs; NaN if No-Change is always correct."""
        error = 1.0 - self.accuracy(NoChange.name)
        return 1.0 - (1.0 - self.accuracy(name)) / error if error else np.nan


def alarm_worth(
    stream: Stream,
    tape: Tape,
    learner: Classifier,
    detectors: Sequence[Any],
    *,
    scored: Flags | None = None,
    n_runs: int = RUNS,
    rope: float | None = None,
    seed_key: tuple[str | int, ...] = ("alarm worth", 1),
    workers: int = 1,
    progress: Progress | None = None,
) -> AlarmWorths:
    """Compare resets at the alarms of detectors with the same gaps in random order.

    `scored` is a mask of the predictions that count, at most one for each row. All seeds are drawn
    from `seed_key`. `n_runs` is at least two. If alarms differ by run, each run of the control
    shuffles the gaps of the run with the same number. The default `rope` is the region of
    `region_from_baselines`.
    """

    def seeds(position: int, run: int) -> tuple[str | int, ...]:
        return (*seed_key, "run", run, "learner", position)

    def run_seeded(learners: Mapping[str, Classifier]) -> SeededRuns[Predictions]:
        return seeded_runs(
            stream, tape, learners, seeds, n_runs, workers=workers, progress=progress
        )

    by_name = {str(detector): detector for detector in map(parse, detectors)}
    detectors = [*by_name]
    if scored is None:
        scored = np.ones(len(tape.predict_rows), dtype=np.bool_)
    if not learner.learns:
        recorded = run_seeded(with_classification_baselines({NEVER: learner}))
        alarms = {
            name: _alarms_of_predictions(
                stream,
                tape,
                recorded.by_learner[NEVER][0],
                scored,
                detector,
                seed_of_fold(seeds(position, 0), 0),
            )
            for position, (name, detector) in enumerate(by_name.items())
        }
        return _without_resets(join_runs(stream, tape, recorded, scored), alarms, tape, rope)
    resetting = {name: Resetting(learner, detector) for name, detector in by_name.items()}
    detected = run_seeded(with_classification_baselines({NEVER: learner, **resetting}))
    gaps = {
        name: [_gaps(predictions, tape) for predictions in detected.by_learner[name]]
        for name in detectors
    }
    reasons = {
        name: few_orders_reason(gaps[name], name in detected.random_learners) for name in detectors
    }
    shuffled = {}
    for position, name in enumerate(detectors):
        run_seeds = (seed_of_fold(seeds(position, run), 0) for run in range(n_runs))
        order = partial(_in_random_order, dict(zip(run_seeds, gaps[name], strict=True)))
        shuffled[SHUFFLED.format(name)] = Resetting(learner, Gaps("shuffled", order))
    controls = run_seeded(shuffled)
    by_learner = {**detected.by_learner, **controls.by_learner}
    random_learners = detected.random_learners | controls.random_learners
    runs = join_runs(stream, tape, SeededRuns(by_learner, random_learners, n_runs), scored)
    region = region_from_baselines(runs, CLASSIFICATION_TASK).rope if rope is None else rope

    def verdict_over(name: str, other: str, no_interval_reason: str = "") -> Verdict:
        pair, pairs = (name, other), 3 * len(detectors)  # three comparators for each detector
        return judge_pair(
            pair, runs.advantage(*pair), region, pairs=pairs, no_interval_reason=no_interval_reason
        )

    worths = {
        name: AlarmWorth(
            name,
            _alarms(detected.by_learner[name][0]),
            _rate(gaps[name], tape),
            over_shuffled=verdict_over(name, SHUFFLED.format(name), reasons[name]),
            over_never=verdict_over(name, NEVER),
            over_no_change=verdict_over(name, NoChange.name),
        )
        for name in detectors
    }
    return AlarmWorths(worths, runs, n_runs, reasons)


def _alarms_of_predictions(
    stream: Stream,
    tape: Tape,
    predictions: Predictions,
    scored: Flags,
    detector: Detector,
    seed: int,
) -> Integers:
    """Events at which a detector signals a higher error rate of the predictions that count.

    The detector gets the error of a prediction when the label arrives.
    """
    rows = predictions.row[scored]
    is_scored, is_wrong = np.zeros(len(stream), np.bool_), np.zeros(len(stream), np.bool_)
    is_scored[rows], is_wrong[rows] = True, predictions.label[scored] != stream.y[rows]
    events = np.flatnonzero(_learnt(tape) & is_scored[tape.row])
    return events[detector.run(is_wrong[tape.row[events]], seed).changes]


def _without_resets(
    runs: Runs, alarms: Mapping[str, Integers], tape: Tape, rope: float | None
) -> AlarmWorths:
    """Alarms on recorded predictions, and the accuracy of these predictions against No-Change."""
    region = region_from_baselines(runs, CLASSIFICATION_TASK).rope if rope is None else rope
    pair = (NEVER, NoChange.name)
    verdict = judge_pair(pair, runs.advantage(*pair), region)
    worths = {
        name: AlarmWorth(
            name,
            events,
            _rate([events], tape),  # there are as many gaps as alarms
            over_shuffled=None,
            over_never=None,
            over_no_change=verdict,
        )
        for name, events in alarms.items()
    }
    return AlarmWorths(worths, runs, n_runs=0, few_orders_reasons={})


#: Columns of `worth_rows`.
WORTH_COLUMNS = (
    *("detector", "alarms", "accuracy", "kappa_temporal", "shuffled"),
    *("over_shuffled", "over_shuffled_low", "over_shuffled_high", "over_shuffled_verdict"),
    *("over_never", "over_never_low", "over_never_high", "over_never_verdict"),
    *("over_no_change", "over_no_change_low", "over_no_change_high", "over_no_change_verdict"),
)


def worth_rows(worths: AlarmWorths) -> list[dict[str, Any]]:
    """A row for each detector, for the learner without resets, and for No-Change.

    Recorded predictions have no row without resets: it would repeat the rows of the detectors.
    """
    rows: list[dict[str, Any]] = []
    never = [NEVER] if worths.n_runs else []
    for name in dict.fromkeys((*worths.by_detector, *never, NoChange.name)):
        row: dict[str, Any] = dict.fromkeys(WORTH_COLUMNS)
        learner = name if worths.n_runs or name == NoChange.name else NEVER
        row |= {"detector": name, "alarms": 0, "accuracy": worths.accuracy(learner)}
        row["kappa_temporal"] = worths.kappa_temporal(learner)
        if name in worths.by_detector:
            worth = worths.by_detector[name]
            row["alarms"] = len(worth.alarms)
            row["shuffled"] = worths.accuracy(SHUFFLED.format(name)) if worths.n_runs else None
            for key in ("over_shuffled", "over_never", "over_no_change"):
                verdict: Verdict | None = getattr(worth, key)
                if verdict is None:
                    continue
                row[key] = verdict.difference
                row[f"{key}_low"], row[f"{key}_high"] = verdict.low, verdict.high
                row[f"{key}_verdict"] = verdict.verdict
        rows.append(row)
    return rows


def error_curves(worths: AlarmWorths, window: int, points: int) -> dict[str, NDArray[Any]]:
    """Error rates over a sliding window, means over runs, with the last instance of each window."""
    names = [*worths.runs.learners]
    n = len(worths.runs.values(names[0]))
    window = min(window, n)
    last = np.unique(np.linspace(window, n, min(points, n)).round().astype(np.int64))
    curves: dict[str, NDArray[Any]] = {"instance": last}
    for name in names:
        errors = np.concatenate([[0.0], np.cumsum(1.0 - worths.runs.values(name))])
        curves[name] = (errors[last] - errors[last - window]) / window
    return curves


def _alarms(predictions: Predictions) -> Integers:
    assert isinstance(predictions, PredictionsWithAlarms)  # noqa: S101, of a `Resetting`
    return predictions.alarms.changes


def few_orders_reason(gaps: Sequence[Integers], is_random: bool) -> str:
    """Reason why gaps have too few different orders for a verdict; "" if they have enough.

    If the detector or the learner is random, alarms differ by run, and the gaps of all runs count.
    """
    orders = math.prod(map(_count_orders, gaps if is_random else gaps[:1]))
    if orders >= MIN_ORDERS:
        return ""
    number = "1 order" if orders == 1 else f"{orders} different orders"
    return f"its gaps have {number}, and a verdict needs {MIN_ORDERS}"


def _count_orders(gaps: Integers) -> int:
    """Number of different orders of gaps; if there are many gaps, at most `MIN_ORDERS`."""
    multiplicities = Counter(gaps.tolist()).values()
    if len(gaps) >= MIN_ORDERS:  # one gap that differs from the rest already has enough positions
        return MIN_ORDERS if len(multiplicities) > 1 else 1
    return math.factorial(len(gaps)) // math.prod(map(math.factorial, multiplicities))


def _gaps(predictions: Predictions, tape: Tape) -> Integers:
    """Numbers of learnt instances up to the first alarm, and from each alarm to the next."""
    n_learnt = np.cumsum(_learnt(tape))
    gaps: Integers = np.diff(n_learnt[_alarms(predictions)], prepend=0)
    return gaps


def _learnt(tape: Tape) -> Flags:
    """Mask of the events at which a label is learnt."""
    is_learnt: Flags = ((tape.op & LEARN) > 0) & (tape.weight > 0)
    return is_learnt


def _in_random_order(gaps: Mapping[int, Integers], seed: int) -> Integers:
    """Gaps, in random order, of the run with a seed."""
    return generator("gaps in random order", seed).permutation(gaps[seed])


def _rate(gaps: Sequence[Integers], tape: Tape) -> float:
    """Number of alarms per learnt instance, the mean over runs."""
    n_learnt = int(np.count_nonzero(_learnt(tape)))
    return float(np.mean([len(run_gaps) for run_gaps in gaps])) / max(n_learnt, 1)
