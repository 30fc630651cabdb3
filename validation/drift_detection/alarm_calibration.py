"""How often resets at uninformed alarms appear to change accuracy, on fresh streams.

They are compared with the same gaps in random order, as those of a detector are. The rule, fixed
before the run: there are verdicts if in no cell the lower end of the exact 95 % interval of the
rate of false ones is above 9 %, and in no null, of all its cells together, above 5 %.
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
from streameval.evaluation.verdict_words import FIRST, SECOND
from streameval.evaluation.verdicts import Verdict, judge_pair
from streameval.items.inputs import ItemInput, StreamInputs
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.protocols.prequential import prequential
from streameval.streams.stream import Stream

#: Draws so many gaps of a mean length; more than fit.
Draw = Callable[[np.random.Generator, float, int], Integers]


@dataclass(frozen=True)
class Null:
    """A law of uninformed alarms: the same for all runs, or drawn for each, `by_run`."""

    title: str
    draw: Draw
    by_run: bool = False


def _memoryless(draws: np.random.Generator, mean: float, number: int) -> Integers:
    return draws.geometric(1.0 / mean, number)


def _after_warm_up(draws: np.random.Generator, mean: float, number: int) -> Integers:
    """Three fifths of the mean are a warm-up, as in chance:0.05, which waits for 30 of 49."""
    least = round(0.6 * mean)
    return least + draws.geometric(1.0 / (mean - least), number)


def _clustered(draws: np.random.Generator, mean: float, number: int) -> Integers:
    """Short gaps, a quarter of the mean, and long ones follow each other, ten of a kind or so."""
    is_short = (np.cumsum(draws.random(number) < 0.1) + draws.integers(2)) % 2
    return draws.geometric(1.0 / (mean * np.where(is_short, 0.25, 1.75)))


def _periodic(draws: np.random.Generator, mean: float, number: int) -> Integers:
    """Equal distances from a random place on."""
    gaps = np.full(number, round(mean), np.int64)
    gaps[0] = draws.integers(1, round(mean) + 1)
    return gaps


NULLS = {
    "memoryless": Null("memoryless", _memoryless),
    "warm_up": Null("after a warm-up", _after_warm_up),
    "by_run": Null("after a warm-up, by seed", _after_warm_up, by_run=True),
    "clustered": Null("in clusters", _clustered),
    "periodic": Null("at equal distances", _periodic),
}


def study(stream_inputs: StreamInputs, item: ItemInput[AlarmCalibrationSettings]) -> pd.DataFrame:
    """Simulate streams of each law and length, and count the statements; or as recorded.

    The learner is Naive Bayes; each statement that a difference is not 0 is false.
    """
    chosen = item.settings
    if chosen.recorded:
        return read_csv_table(item.resource(chosen.recorded))
    rows: list[tuple[object, ...]] = []
    for name in chosen.laws:
        for n, number in zip(chosen.instances, chosen.repetitions, strict=True):
            for rate in chosen.rates:
                rows += _cells(name, n, number, rate)
                item.announce(f"{LAWS[name].title}, {n:,} instances, rate {rate}")
    return pd.DataFrame(rows, columns=list(CALIBRATION))


def _cells(name: str, n: int, number: int, rate: float) -> Iterator[tuple[object, ...]]:
    """Yield the rows of a law, a length and a rate."""
    key = ("alarm calibration", name, n, repr(rate))
    streams = [LAWS[name].stream(n, generator(*key, i)) for i in range(number)]
    for alarms, null in NULLS.items():
        has_interval = excludes = 0
        for i, stream in enumerate(streams):
            worth = _said(stream, null, rate, (*key, i, alarms))
            has_interval += not np.isnan(worth.low)
            excludes += worth.verdict in (FIRST, SECOND)
        about = (name, LAWS[name].title, n, rate, alarms, null.title, number)
        yield (*about, has_interval / number, *proportion_interval(excludes, number))


def _said(stream: Stream, null: Null, rate: float, key: tuple[str | int, ...]) -> Verdict:
    """The verdict about alarms of a null."""
    n = len(stream)
    useless = Gaps("useless", partial(_gaps, null, rate, n, key))
    worth = alarm_worth(stream, prequential(n), NaiveBayes(), [useless], key=key)
    pair, lacking = ("useless", SHUFFLED.format("useless")), worth.few_orders["useless"]
    return judge_pair(pair, worth.known.apart(*pair), 0.0, lacking=lacking)


def _gaps(null: Null, rate: float, n: int, key: tuple[str | int, ...], seed: int) -> Integers:
    """The gaps of a run with a seed; they reach beyond the n instances."""
    draws = generator(*key, "gaps", seed if null.by_run else 0)
    return null.draw(draws, 1.0 / rate, n)
