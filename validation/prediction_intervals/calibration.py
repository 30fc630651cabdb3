"""How often intervals of a coverage, and of a skill of the interval score, are false.

On fresh streams of targets of a known law, with prediction intervals around the previous target: of
``fixed`` width, conformal (``split``: step 0; ``adaptive``: 0.005), or ``unequal``, of which one
holds 70 % of errors and a wider one has the same expected score: small losses against few large
ones. The skill is 0 by construction.

The rule, fixed before the run: results show such an interval if in no cell of 1,000 instances or
more its rate of false ones has an exact 95 % interval above 9 %, as for a single learner's
accuracy.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from prediction_intervals import CALIBRATION, IntervalCalibrationSettings
from streameval.base.arrays import Floats
from streameval.base.seeds import generator
from streameval.base.table_files import read_csv_table
from streameval.evaluation.error_simulation import proportion_interval
from streameval.items.inputs import ItemInput, StreamInputs
from streameval.learners.predictions import PredictedValues
from streameval.learners.regression.baselines import PreviousTarget
from streameval.learners.wrappers.conformal import Conformal
from streameval.measures.prediction_intervals import Intervals, interval_scores, is_covered
from streameval.protocols.prequential import prequential
from streameval.significance.skill_interval import Skill, skill_interval
from streameval.significance.stream_mean import StreamMean, stream_mean
from streameval.streams.stream import Schema, Stream

#: The nominal coverage.
LEVEL = 0.9
FORMS = ("fixed", "split", "adaptive")
UNEQUAL = "unequal"
_STEPS = {"split": 0.0, "adaptive": 0.005}
#: The proportion of errors that narrow intervals contain.
_NARROW = 0.7
#: Instances of the stream by which the widths of fixed intervals are found.
_LONG = 2_000_000
#: Instances between two changes of the scale of targets, of the law of turns.
_TURN = 200


class TargetLaw(NamedTuple):
    """A law of targets: an autoregressive process of the first order with coefficient `memory`.

    Its steps are Student's t, with `freedom` degrees, and their scale is drawn anew at `turns`.
    """

    title: str
    memory: float = 0.0
    freedom: float = np.inf
    turns: bool = False

    def draw(self, n: int, draws: np.random.Generator) -> Floats:
        """Targets."""
        heavy = np.isfinite(self.freedom)
        steps = draws.standard_t(self.freedom, n) if heavy else draws.normal(size=n)
        if self.turns:
            scales = draws.choice([0.25, 1.0, 4.0], -(-n // _TURN))
            steps *= np.repeat(scales, _TURN)[:n]
        return autoregressive(steps, self.memory)


LAWS = {
    "independent": TargetLaw("independent"),
    "dependent_90": TargetLaw("autoregressive, 0.9", 0.9),
    "dependent_99": TargetLaw("autoregressive, 0.99", 0.99),
    "heavy": TargetLaw("autoregressive, 0.5, heavy tails", 0.5, 2.5),
    "turns": TargetLaw(f"autoregressive, 0.5, scale changes every {_TURN}", 0.5, turns=True),
}


def autoregressive(steps: Floats, memory: float) -> Floats:
    """X with x_t = memory x_{t-1} + steps_t, from 0."""
    import scipy  # loads its parts when they are first used

    values: Floats = scipy.signal.lfilter([1.0], [1.0, -memory], steps)
    return values


def study(
    stream_inputs: StreamInputs, item: ItemInput[IntervalCalibrationSettings]
) -> pd.DataFrame:
    """Simulate streams of each law and length, and count the intervals; or as recorded.

    One is false if it misses the mean coverage of its cell, or excludes a skill of 0.
    """
    chosen = item.settings
    if chosen.recorded:
        return read_csv_table(item.resource(chosen.recorded))
    rows: list[tuple[object, ...]] = []
    for name in chosen.laws:
        radii = _radii(LAWS[name], generator("interval calibration", name))
        for n, number in zip(chosen.instances, chosen.repetitions, strict=True):
            rows += _cells(name, n, number, radii)
            item.announce(f"{LAWS[name].title}, {n:,} instances")
    return pd.DataFrame(rows, columns=list(CALIBRATION))


def _cells(name: str, n: int, number: int, radii: _Radii) -> Iterator[tuple[object, ...]]:
    """Yield the rows of a law and a length."""
    law, by_form = LAWS[name], dict[str, list[tuple[StreamMean, Skill]]]()
    for i in range(number):
        draws = generator("interval calibration", name, n, i)
        for form, intervals in _said(law, n, draws, radii):
            by_form.setdefault(form, []).append(intervals)
    for form, pairs in by_form.items():
        means, skills = zip(*pairs, strict=True)
        truth = float(np.mean([each.mean for each in means]))
        with_interval = [each for each in means if not np.isnan(each.low)]
        missed = sum(not each.low <= truth <= each.high for each in with_interval)
        with_skill = sum(not np.isnan(each.low) for each in skills)
        false = sum(each.low > 0.0 or each.high < 0.0 for each in skills)
        width = (
            float(np.median([each.high - each.low for each in with_interval]))
            if with_interval
            else np.nan
        )
        yield (
            *(name, law.title, form, n, number, truth, len(with_interval) / number, width),
            *_rate(missed, len(with_interval)),
            with_skill / number,
            *_rate(false, with_skill),
        )


def _rate(false: int, total: int) -> tuple[float, float, float]:
    """A proportion with its exact interval, NaN of none."""
    if not total:
        return (np.nan, np.nan, np.nan)
    interval = proportion_interval(false, total)
    return (interval[0], interval[1], interval[2])


def _said(
    law: TargetLaw, n: int, draws: np.random.Generator, radii: _Radii
) -> Iterator[tuple[str, tuple[StreamMean, Skill]]]:
    """Yield the interval of the coverage, and of the skill, of each form."""
    stream, values = _predicted(law, n, draws)
    for form in FORMS:
        yield form, _both([_intervals(form, value, stream, radii.level) for value in values])
    fixed = [_fixed(stream.y, values[0], radius) for radius in (radii.narrow, radii.wide)]
    yield UNEQUAL, _both(fixed)


def _both(pair: list[Intervals]) -> tuple[StreamMean, Skill]:
    """The interval of the coverage of the first, and of its skill over the second."""
    known = ~np.isnan(pair[0].low) & ~np.isnan(pair[1].low)
    first, other = (interval_scores(intervals, LEVEL)[known] for intervals in pair)
    return stream_mean(is_covered(pair[0])[known], with_p_value=False), skill_interval(first, other)


def _predicted(law: TargetLaw, n: int, draws: np.random.Generator) -> tuple[Stream, list[Floats]]:
    """A stream and two predictions of its targets."""
    y = law.draw(n, draws)
    previous = np.append(np.nan, y[:-1])
    spread = float(np.abs(np.diff(y)).mean())
    noise = autoregressive(draws.normal(size=(2, n)), 0.9) * spread / 4.0
    stream = Stream(np.empty((n, 0)), y, Schema((), "y"), name="targets")
    return stream, [previous + error for error in noise]


def _intervals(form: str, value: Floats, stream: Stream, radius: float) -> Intervals:
    """Intervals of a form around predictions."""
    if form not in _STEPS:
        return _fixed(stream.y, value, radius)
    tape = prequential(len(stream))
    around = Conformal(PreviousTarget(), LEVEL, _STEPS[form])
    intervals = around.surround(PredictedValues(tape.predict_rows, value, 0.0), stream, tape)
    return Intervals(stream.y, np.asarray(intervals.low), np.asarray(intervals.high))


def _fixed(y: Floats, value: Floats, radius: float) -> Intervals:
    return Intervals(y, value - radius, value + radius)


class _Radii(NamedTuple):
    """Half the widths of fixed intervals: at the nominal level, and two with the same score."""

    level: float
    narrow: float
    wide: float


def _radii(law: TargetLaw, draws: np.random.Generator) -> _Radii:
    """Half the widths of fixed intervals, by the errors of a long stream."""
    import scipy

    stream, (value, _) = _predicted(law, _LONG, draws)
    errors = np.abs(stream.y - value)[1:]
    narrow, level = (float(quantile) for quantile in np.quantile(errors, (_NARROW, LEVEL)))

    def score(radius: float) -> float:
        outside = np.maximum(errors - radius, 0.0).mean()
        return float(2.0 * radius + 2.0 / (1.0 - LEVEL) * outside)

    aim = score(narrow)
    wide = scipy.optimize.brentq(lambda radius: score(radius) - aim, level, aim)
    return _Radii(level, narrow, float(wide))
