"""How often alarms that know nothing seem to be worth something, on fresh streams."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pandas as pd

from streameval.detectors.chance import Chance
from streameval.detectors.detector import Detector, Feed
from streameval.evaluation.alarm_worth import AT_RANDOM, alarm_worth
from streameval.evaluation.simulated_errors import proportion_interval
from streameval.evaluation.verdict_words import FIRST, SECOND
from streameval.evaluation.verdicts import judged
from streameval.items.detection.settings import CALIBRATION, AlarmCalibrationSettings
from streameval.items.error_rates.verdict_laws import LAWS
from streameval.items.inputs import ItemInput
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.protocols.prequential import prequential
from streameval.seeds import generator
from streameval.streams.stream import Stream
from streameval.table_files import read_csv


@dataclass(frozen=True)
class Fixed(Chance):
    """Alarms by chance that are the same in each run, as those of a detector without draws."""

    key: int = 0

    name: ClassVar[str] = "fixed"

    def __post_init__(self) -> None:
        """Leave the parameters as they are: it is not written in settings."""

    def __str__(self) -> str:
        return self.name

    def _begin(self, seed: int) -> Feed:
        return super()._begin(self.key)


def calibration(given: ItemInput[AlarmCalibrationSettings]) -> pd.DataFrame:
    """Simulate streams of each law and length, and count the statements; or as recorded.

    Columns `CALIBRATION`: for each law, length, rate of alarms, and whether all runs have the same
    ones, the proportion of streams with an interval, and of those whose 95 % interval of the
    difference from random alarms excludes 0, which is false, with its exact 95 % interval. The
    learner is Naive Bayes.
    """
    chosen = given.settings
    if chosen.recorded:
        return read_csv(given.resource(chosen.recorded))
    rows: list[tuple[object, ...]] = []
    for name in chosen.laws:
        for n, number in zip(chosen.instances, chosen.repetitions, strict=True):
            for rate in chosen.rates:
                rows += _cell(name, n, number, rate)
                given.announce(f"{LAWS[name].title}, {n:,} instances, rate {rate}")
    return pd.DataFrame(rows, columns=list(CALIBRATION))


def _cell(name: str, n: int, number: int, rate: float) -> Iterator[tuple[object, ...]]:
    """Yield the rows of a law, a length and a rate."""
    key = ("alarm calibration", name, n, repr(rate))
    streams = [LAWS[name].stream(n, generator(*key, i)) for i in range(number)]
    for same in (False, True):
        has_interval = excludes = 0
        for i, stream in enumerate(streams):
            useless: Detector = Chance(rate, 1)
            if same:
                useless = replace(Fixed(rate, 1), key=i)
            low, verdict = _said(stream, useless, (*key, i, int(same)))
            has_interval += not np.isnan(low)
            excludes += verdict in (FIRST, SECOND)
        about = (name, LAWS[name].title, n, rate, same, number)
        yield (*about, has_interval / number, *proportion_interval(excludes, number))


def _said(stream: Stream, useless: Detector, key: tuple[str | int, ...]) -> tuple[float, str]:
    """Return the lower end of the interval, and the verdict."""
    tape = prequential(len(stream))
    known = alarm_worth(stream, tape, NaiveBayes(), [useless], key=key).known
    pair = (str(useless), AT_RANDOM.format(useless))
    found = judged(pair, known.series(*pair), known.spread(*pair), 0.0)
    return found.low, found.verdict
