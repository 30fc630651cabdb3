"""How often the interval of a skill of zero excludes 0, on fresh streams.

A skill is one less the ratio of two mean losses. It is 0 here by construction, for two pairs of
forecasts that a reader meets:

exchangeable
    Naive Bayes on one input, and on another one of the same law. Each input is given once or
    several times: the more often, the surer are its forecasts where they err.
overrated
    A forecaster that knows the previous label and an input, and the forecaster that knows the
    previous label only, both by their true laws, but that the evidence of the input counts as often
    as makes the expected losses equal. So the one forecast is accurate and too sure of itself, the
    other is neither: most differences are small gains, few are large losses.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
import pandas as pd
import scipy  # loads its parts when they are first used
from numpy.typing import NDArray

from calibration.verdict_laws import LAWS, SEPARATION, Law
from class_scores import SKILL_CALIBRATION, SkillCalibrationSettings
from streameval.base.arrays import Floats
from streameval.base.seeds import generator
from streameval.base.table_files import read_csv_table
from streameval.evaluation.class_scores import SCORE_LOSSES
from streameval.evaluation.error_simulation import proportion_interval
from streameval.items.inputs import ItemInput, StreamInputs
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.measures.forecasts import Forecasts, checked_forecasts
from streameval.protocols.prequential import prequential
from streameval.significance.skill_interval import Skill, skill_interval
from streameval.streams.stream import Attribute, Schema, Stream

EXCHANGEABLE, OVERRATED = "exchangeable", "overrated"
#: Values of the input over which expected losses are summed, in standard deviations of its noise.
_GRID = np.linspace(-9.0, 9.0, 6001)
#: How often the evidence of an input counts at most.
_MOST = 1000.0


class _Pair(NamedTuple):
    """Two forecasts of one stream that are equally good in expectation, by a loss."""

    pair: str
    times: float  # how often the evidence of an input counts
    loss: str
    first: Forecasts
    second: Forecasts


#: How often Naive Bayes reads its input: the more, the surer it is.
COPIES = (1, 10)


def study(stream_inputs: StreamInputs, item: ItemInput[SkillCalibrationSettings]) -> pd.DataFrame:
    """Simulate streams of each law and length, and count the intervals; or as recorded.

    Each interval of a skill that excludes 0 is false.
    """
    chosen = item.settings
    if chosen.recorded:
        return read_csv_table(item.resource(chosen.recorded))
    rows: list[tuple[object, ...]] = []
    for name in chosen.laws:
        for n, number in zip(chosen.instances, chosen.repetitions, strict=True):
            rows += _cells(name, n, number)
            item.announce(f"{LAWS[name].title}, {n:,} instances")
    return pd.DataFrame(rows, columns=list(SKILL_CALIBRATION))


def _cells(name: str, n: int, number: int) -> Iterator[tuple[object, ...]]:
    """Yield the rows of a law and a length."""
    law, skills_by_cell = LAWS[name], dict[tuple[str, float, str], list[Skill]]()
    for i in range(number):
        stream = law.stream(n, generator("skill calibration", name, n, i))
        for pair in _pairs(stream, law):
            losses = SCORE_LOSSES[pair.loss]
            skill = skill_interval(losses(pair.first), losses(pair.second))
            skills_by_cell.setdefault(pair[:3], []).append(skill)
    for key, skills in skills_by_cell.items():
        above = sum(each.low > 0.0 for each in skills)
        excludes = above + sum(each.high < 0.0 for each in skills)
        has_interval = sum(not np.isnan(each.low) for each in skills) / number
        counted = (*proportion_interval(excludes, number), above / number)
        yield (name, law.title, *key, n, number, has_interval, *counted)


def _pairs(stream: Stream, law: Law) -> Iterator[_Pair]:
    """Yield the pairs of forecasts of a stream."""
    for number in COPIES:
        first, second = (_of_input(stream, place, number) for place in (0, 1))
        for loss in SCORE_LOSSES:
            yield _Pair(EXCHANGEABLE, float(number), loss, first, second)
    if law.turns:  # its inputs have no single law
        return
    before, y = stream.y[:-1], stream.y[1:]
    evidence = _evidence(stream.X[1:, 0])
    for loss in SCORE_LOSSES:
        times = equalising(law, loss)
        first, second = (forecasts(law, before, y, weight * evidence) for weight in (times, 0.0))
        yield _Pair(OVERRATED, times, loss, first, second)


def _of_input(stream: Stream, place: int, times: int) -> Forecasts:
    """The forecasts of Naive Bayes that reads an input several times."""
    schema = Schema(tuple(Attribute(f"x{i}") for i in range(times)), classes=stream.schema.classes)
    read = Stream(stream.X[:, [place] * times], stream.y, schema, name=stream.name)
    predictions = NaiveBayes().run(read, prequential(len(read)), scores=True)
    return checked_forecasts(stream.y, np.asarray(predictions.scores))


def _evidence(x: Floats) -> Floats:
    """The logarithm of the ratio of the densities of an input in both classes."""
    return SEPARATION * (x - SEPARATION / 2.0)


def _transitions(law: Law) -> Floats:
    """The probability of each label after each, shape (2, 2)."""
    frequency = np.array([law.frequent, 1.0 - law.frequent])
    return law.dependence * np.eye(2) + (1.0 - law.dependence) * frequency


def forecasts(
    law: Law, before: NDArray[np.integer], y: NDArray[np.integer], evidence: Floats
) -> Forecasts:
    """The forecasts of labels by the labels before, and by further evidence.

    `evidence` is what is added to the log odds of the second class.
    """
    chances = _transitions(law)[before, 1]
    second = scipy.special.expit(scipy.special.logit(chances) + evidence)
    return checked_forecasts(y, np.stack([1.0 - second, second], axis=1))


def expected_loss(law: Law, loss: str, times: float) -> float:
    """The mean loss of the forecasts whose input counts so many times, in the population."""
    frequency = np.array([law.frequent, 1.0 - law.frequent])
    density = np.exp(-(_GRID**2) / 2.0)
    density /= density.sum()
    mean = 0.0
    for before in range(2):
        for y in range(2):
            rows = np.full((2, len(_GRID)), [[before], [y]])
            evidence = times * _evidence(_GRID + SEPARATION * y)
            losses = SCORE_LOSSES[loss](forecasts(law, rows[0], rows[1], evidence))
            mean += (
                frequency[before] * _transitions(law)[before, y] * float((losses * density).sum())
            )
    return mean


@cache
def equalising(law: Law, loss: str) -> float:
    """Weight of the input at which the loss equals the loss without the input."""
    without = expected_loss(law, loss, 0.0)

    def worse(times: float) -> float:
        return expected_loss(law, loss, times) - without

    # Versions of scipy differ in the last digits.
    return round(float(scipy.optimize.brentq(worse, 1.0, _MOST)), 9)
