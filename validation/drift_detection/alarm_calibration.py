"""How often resets at uninformed alarms appear to change accuracy, on fresh streams.

These resets are compared with resets at the same gaps in random order, as the alarms of detectors
are. A null is a law of uninformed alarms, and a cell is a null with a law, a length and a rate of
alarms.

The rule, fixed before the run: verdicts are given if rates of false verdicts are low enough. The
lower end of the exact 95 % interval of this rate is at most 9 % in each cell. Pooled over all cells
of a null, it is at most 5 %.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from calibration.verdict_laws import LAWS
from drift_detection import CALIBRATION, AlarmCalibrationSettings
from streameval.base.arrays import Integers
from streameval.base.seeds import generator
from streameval.base.table_files import read_csv_table
from streameval.detectors.chance import Gaps
from streameval.evaluation.alarm_worth import SHUFFLED, alarm_worth
from streameval.evaluation.error_simulation import proportion_interval
from streameval.evaluation.verdict_words import BEATS, LOSES_TO
from streameval.evaluation.verdicts import Verdict, judge_pair
from streameval.items.inputs import ItemInput, StreamInputs
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.protocols.prequential import prequential
from streameval.streams.stream import Stream

#: Draws gaps between alarms, given a random generator, the mean gap and the number of gaps.
DrawGaps = Callable[[np.random.Generator, float, int], Integers]


@dataclass(frozen=True)
class Null:
    """A law of uninformed alarms."""

    title: str
    draw: DrawGaps
    by_run: bool = False  # whether each run draws its own alarms; if not, all runs share them


def _memoryless(rng: np.random.Generator, mean: float, number: int) -> Integers:
    return rng.geometric(1.0 / mean, number)


def _after_warm_up(rng: np.random.Generator, mean: float, number: int) -> Integers:
    """Gaps that begin with a warm-up without alarms, of 0.6 times the mean gap.

    This is about the proportion in chance:0.05, whose mean gap of 49 begins with 29 such instances.
    """
    warm_up = round(0.6 * mean)
    return warm_up + rng.geometric(1.0 / (mean - warm_up), number)


def _clustered(rng: np.random.Generator, mean: float, number: int) -> Integers:
    """Alternating groups of short and long gaps, on average ten gaps in a group.

    Short gaps are on average 0.25 times the mean gap, and long gaps 1.75 times.
    """
    # A new group begins with probability 0.1; even groups, after a random start, have long gaps.
    is_short = (np.cumsum(rng.random(number) < 0.1) + rng.integers(2)) % 2
    return rng.geometric(1.0 / (mean * np.where(is_short, 0.25, 1.75)))


def _periodic(rng: np.random.Generator, mean: float, number: int) -> Integers:
    """Equal gaps after a random first alarm."""
    gaps = np.full(number, round(mean), np.int64)
    gaps[0] = rng.integers(1, round(mean) + 1)
    return gaps


#: Laws of uninformed alarms by name.
NULLS = {
    "memoryless": Null("memoryless", _memoryless),
    "warm_up": Null("after a warm-up", _after_warm_up),
    "by_run": Null("after a warm-up, by seed", _after_warm_up, by_run=True),
    "clustered": Null("in clusters", _clustered),
    "periodic": Null("at equal distances", _periodic),
}


def study(stream_inputs: StreamInputs, item: ItemInput[AlarmCalibrationSettings]) -> pd.DataFrame:
    """Simulate streams of each law and length, and count verdicts; or read the recorded table.

    The learner is Naive Bayes. Each verdict for or against the alarms is false.
    """
    settings = item.settings
    if settings.recorded:
        return read_csv_table(item.resource(settings.recorded))
    rows: list[tuple[object, ...]] = []
    for name in settings.laws:
        for n, n_streams in zip(settings.instances, settings.repetitions, strict=True):
            for rate in settings.rates:
                rows += _simulate_rows(name, n, n_streams, rate)
                item.announce(f"{LAWS[name].title}, {n:,} instances, rate {rate}")
    return pd.DataFrame(rows, columns=list(CALIBRATION))


def _simulate_rows(
    law_name: str, n: int, n_streams: int, rate: float
) -> Iterator[tuple[object, ...]]:
    """Yield the rows of a law, a length and a rate, one for each null."""
    key = ("alarm calibration", law_name, n, repr(rate))
    streams = [LAWS[law_name].stream(n, generator(*key, i)) for i in range(n_streams)]
    for null_name, null in NULLS.items():
        n_intervals = n_false = 0
        for i, stream in enumerate(streams):
            verdict = _judge(stream, null, rate, (*key, i, null_name))
            n_intervals += not np.isnan(verdict.low)
            n_false += verdict.verdict in (BEATS, LOSES_TO)
        columns = (law_name, LAWS[law_name].title, n, rate, null_name, null.title, n_streams)
        yield (*columns, n_intervals / n_streams, *proportion_interval(n_false, n_streams))


def _judge(stream: Stream, null: Null, rate: float, key: tuple[str | int, ...]) -> Verdict:
    """The verdict about the alarms of a null against the same gaps in random order."""
    n, name = len(stream), "uninformed"
    detector = Gaps(name, partial(_gaps, null, rate, n, key))
    worth = alarm_worth(stream, prequential(n), NaiveBayes(), [detector], seed_key=key)
    pair = (name, SHUFFLED.format(name))
    return judge_pair(
        pair,
        worth.runs.advantage(*pair),
        rope=0.0,
        no_interval_reason=worth.few_orders_reasons[name],
    )


def _gaps(null: Null, rate: float, n: int, key: tuple[str | int, ...], seed: int) -> Integers:
    """The gaps of a run with a seed."""
    rng = generator(*key, "gaps", seed if null.by_run else 0)
    return null.draw(rng, 1.0 / rate, n)  # n gaps of at least 1 cover n instances
