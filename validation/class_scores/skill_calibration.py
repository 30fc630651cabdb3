"""How often the interval of a skill of zero excludes 0, on fresh streams.

A skill is one minus the ratio of two mean losses. It is 0 here by construction, for two kinds of
pairs of forecasts that are typical of applications. A law says how a stream is simulated:

exchangeable
    Naive Bayes on one input, and Naive Bayes on another input of the same law. Each input is
    repeated once or several times. With more copies, wrong forecasts are more confident.
overrated
    A forecast from the previous label and an input, and a forecast from the previous label only.
    Both use the true probabilities, except that the evidence of the input is multiplied by a
    weight above 1. At this weight the expected losses are equal. So the first forecast is accurate
    and overconfident, and the second is neither. Most differences are small gains, and a few are
    large losses.
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

#: Kinds of pairs of forecasts, see above.
EXCHANGEABLE, OVERRATED = "exchangeable", "overrated"
#: Grid of noise values, in standard deviations, for the numerical integration of expected losses.
_GRID = np.linspace(-9.0, 9.0, 6001)
#: Upper end of the interval in which the root finder searches the weight of an input's evidence.
_MAX_WEIGHT = 1000.0


class _Pair(NamedTuple):
    """Two forecasts of one stream with the same expected loss."""

    pair: str
    weight: float  # weight of the input's evidence; for exchangeable pairs, the number of copies
    loss: str
    first: Forecasts
    second: Forecasts


#: Numbers of copies of its input that Naive Bayes gets. With more copies it is more confident.
COPIES = (1, 10)


def study(stream_inputs: StreamInputs, item: ItemInput[SkillCalibrationSettings]) -> pd.DataFrame:
    """Simulate streams of each law and length, and count intervals; or read the recorded table.

    Each interval of a skill that excludes 0 is false.
    """
    settings = item.settings
    if settings.recorded:
        return read_csv_table(item.resource(settings.recorded))
    rows: list[tuple[object, ...]] = []
    for name in settings.laws:
        for n, n_streams in zip(settings.instances, settings.repetitions, strict=True):
            rows += _simulate_rows(name, n, n_streams)
            item.announce(f"{LAWS[name].title}, {n:,} instances")
    return pd.DataFrame(rows, columns=list(SKILL_CALIBRATION))


def _simulate_rows(law_name: str, n: int, n_streams: int) -> Iterator[tuple[object, ...]]:
    """Yield the rows of a law and a length, one for each pair, weight and loss."""
    law, skills_by_row = LAWS[law_name], dict[tuple[str, float, str], list[Skill]]()
    for i in range(n_streams):
        stream = law.stream(n, generator("skill calibration", law_name, n, i))
        for pair in _pairs(stream, law):
            losses = SCORE_LOSSES[pair.loss]
            skill = skill_interval(losses(pair.first), losses(pair.second))
            skills_by_row.setdefault((pair.pair, pair.weight, pair.loss), []).append(skill)
    for key, skills in skills_by_row.items():
        n_above = sum(skill.low > 0.0 for skill in skills)
        n_excluding = n_above + sum(skill.high < 0.0 for skill in skills)
        interval_rate = sum(not np.isnan(skill.low) for skill in skills) / n_streams
        rates = (*proportion_interval(n_excluding, n_streams), n_above / n_streams)
        yield (law_name, law.title, *key, n, n_streams, interval_rate, *rates)


def _pairs(stream: Stream, law: Law) -> Iterator[_Pair]:
    """Yield the pairs of forecasts of a stream."""
    for copies in COPIES:
        first, second = (_input_forecasts(stream, column, copies) for column in (0, 1))
        for loss in SCORE_LOSSES:
            yield _Pair(EXCHANGEABLE, float(copies), loss, first, second)
    if law.turns:  # the class means of an input change, so they give no true forecast
        return
    previous, y = stream.y[:-1], stream.y[1:]
    evidence = _log_likelihood_ratio(stream.X[1:, 0])
    for loss in SCORE_LOSSES:
        weight = equalising_weight(law, loss)
        first = law_forecasts(law, previous, y, weight * evidence)
        second = law_forecasts(law, previous, y, 0.0 * evidence)
        yield _Pair(OVERRATED, weight, loss, first, second)


def _input_forecasts(stream: Stream, column: int, copies: int) -> Forecasts:
    """The forecasts of Naive Bayes from several copies of an input."""
    schema = Schema(tuple(Attribute(f"x{i}") for i in range(copies)), classes=stream.schema.classes)
    repeated = Stream(stream.X[:, [column] * copies], stream.y, schema, name=stream.name)
    predictions = NaiveBayes().run(repeated, prequential(len(repeated)), scores=True)
    return checked_forecasts(stream.y, np.asarray(predictions.scores))


def _log_likelihood_ratio(x: Floats) -> Floats:
    """Logarithm of the density of an input in the second class over the density in the first.

    Both densities are normal with variance 1. Their means are 0, and `SEPARATION`.
    """
    return SEPARATION * (x - SEPARATION / 2.0)


def _transitions(law: Law) -> Floats:
    """Probabilities of labels (columns) after each previous label (rows), shape (2, 2).

    With probability `law.dependence` the label is repeated, otherwise it is drawn anew.
    """
    frequency = np.array([law.first_class_proportion, 1.0 - law.first_class_proportion])
    return law.dependence * np.eye(2) + (1.0 - law.dependence) * frequency


def law_forecasts(
    law: Law, previous: NDArray[np.integer], y: NDArray[np.integer], evidence: Floats
) -> Forecasts:
    """The forecasts of labels `y` from the previous labels, and from further evidence.

    `evidence` is added to the log odds of the second class.
    """
    prior = _transitions(law)[previous, 1]
    second = scipy.special.expit(scipy.special.logit(prior) + evidence)
    return checked_forecasts(y, np.stack([1.0 - second, second], axis=1))


def expected_loss(law: Law, loss: str, weight: float) -> float:
    """Expected loss of the forecasts if the evidence of the input has a weight."""
    frequency = np.array([law.first_class_proportion, 1.0 - law.first_class_proportion])
    density = np.exp(-(_GRID**2) / 2.0)
    density /= density.sum()
    mean = 0.0
    for previous in range(2):
        for y in range(2):
            previous_labels, labels = np.full((2, len(_GRID)), [[previous], [y]])
            evidence = weight * _log_likelihood_ratio(_GRID + SEPARATION * y)
            losses = SCORE_LOSSES[loss](law_forecasts(law, previous_labels, labels, evidence))
            mean += (
                frequency[previous]
                * _transitions(law)[previous, y]
                * float((losses * density).sum())
            )
    return mean


@cache
def equalising_weight(law: Law, loss: str) -> float:
    """Weight of the input's evidence at which the loss equals the loss without the input."""
    loss_without = expected_loss(law, loss, 0.0)

    def excess_loss(weight: float) -> float:
        return expected_loss(law, loss, weight) - loss_without

    # Rounded, since versions of scipy differ in the last digits.
    return round(float(scipy.optimize.brentq(excess_loss, 1.0, _MAX_WEIGHT)), 9)
