"""How often intervals of a coverage, and of a skill of the interval score, are false.

Targets of a known law are simulated, with prediction intervals around the previous target plus
noise. The skill of one prediction over another is 0 by construction. Forms of prediction intervals:

fixed
    A fixed width.
split, adaptive
    Conformal intervals with a step of 0, or of 0.005.
unequal
    A narrow interval that contains 70 % of the errors, and a wider interval with the same expected
    score. So most differences of scores are small losses, and a few are large gains.

A cell is a law with a form and a length. The rule, fixed before the run, is the same as for the
accuracy of a single learner. Results do not show intervals of the coverage, or of the skill, if
the exact 95 % interval of their rate of errors is above 9 % in a cell of at least 1,000
instances.
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

#: Nominal coverage.
LEVEL = 0.9
#: Forms that both predictions of a pair have.
FORMS = ("fixed", "split", "adaptive")
#: Form of a pair whose fixed intervals have different widths.
UNEQUAL = "unequal"
#: Steps of conformal intervals by form.
_STEPS = {"split": 0.0, "adaptive": 0.005}
#: Proportion of errors that narrow intervals contain.
_NARROW_COVERAGE = 0.7
#: Length of the stream from which the widths of fixed intervals are computed.
_LONG_STREAM = 2_000_000
#: Number of instances between two draws of the scale, in the law "turns".
_TURN_LENGTH = 200
#: Scales from which one is drawn each time.
_SCALES = (0.25, 1.0, 4.0)


class TargetLaw(NamedTuple):
    """A law of targets: a first-order autoregressive process."""

    title: str
    coefficient: float = 0.0  # autoregressive coefficient
    degrees_of_freedom: float = np.inf  # of Student's t, from which the steps are drawn
    scale_changes: bool = False  # whether the scale of the steps changes

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw n targets."""
        is_heavy = np.isfinite(self.degrees_of_freedom)
        steps = rng.standard_t(self.degrees_of_freedom, n) if is_heavy else rng.normal(size=n)
        if self.scale_changes:
            n_scales = -(-n // _TURN_LENGTH)  # rounded up
            scales = rng.choice(_SCALES, n_scales)
            steps *= np.repeat(scales, _TURN_LENGTH)[:n]
        return autoregressive(steps, self.coefficient)


#: Laws of targets by name.
LAWS = {
    "independent": TargetLaw("independent"),
    "dependent_90": TargetLaw("autoregressive, 0.9", 0.9),
    "dependent_99": TargetLaw("autoregressive, 0.99", 0.99),
    "heavy": TargetLaw("autoregressive, 0.5, heavy tails", 0.5, 2.5),
    "turns": TargetLaw(
        f"autoregressive, 0.5, scale changes every {_TURN_LENGTH}", 0.5, scale_changes=True
    ),
}


def autoregressive(steps: Floats, coefficient: float) -> Floats:
    """The series x_t = coefficient x_{t-1} + steps_t, along the last axis.

    The value before the first step is 0.
    """
    import scipy  # loads its parts when they are first used

    values: Floats = scipy.signal.lfilter([1.0], [1.0, -coefficient], steps)
    return values


def study(
    stream_inputs: StreamInputs, item: ItemInput[IntervalCalibrationSettings]
) -> pd.DataFrame:
    """Simulate streams of each law and length, and count intervals; or read the recorded table.

    An interval is false if it misses the mean coverage of its cell, or excludes a skill of 0.
    """
    settings = item.settings
    if settings.recorded:
        return read_csv_table(item.resource(settings.recorded))
    rows: list[tuple[object, ...]] = []
    for name in settings.laws:
        radii = _radii(LAWS[name], generator("interval calibration", name))
        for n, n_streams in zip(settings.instances, settings.repetitions, strict=True):
            rows += _simulate_rows(name, n, n_streams, radii)
            item.announce(f"{LAWS[name].title}, {n:,} instances")
    return pd.DataFrame(rows, columns=list(CALIBRATION))


def _simulate_rows(
    law_name: str, n: int, n_streams: int, radii: _Radii
) -> Iterator[tuple[object, ...]]:
    """Yield the rows of a law and a length, one for each form."""
    law, estimates_by_form = LAWS[law_name], dict[str, list[tuple[StreamMean, Skill]]]()
    for i in range(n_streams):
        rng = generator("interval calibration", law_name, n, i)
        for form, coverage_and_skill in _estimates(law, n, rng, radii):
            estimates_by_form.setdefault(form, []).append(coverage_and_skill)
    for form, estimates in estimates_by_form.items():
        coverages, skills = zip(*estimates, strict=True)
        # The expected coverage of conformal intervals is unknown, and estimated from all streams.
        truth = float(np.mean([coverage.mean for coverage in coverages]))
        intervals = [coverage for coverage in coverages if not np.isnan(coverage.low)]
        n_missed = sum(not interval.low <= truth <= interval.high for interval in intervals)
        n_skills = sum(not np.isnan(skill.low) for skill in skills)
        n_false = sum(skill.low > 0.0 or skill.high < 0.0 for skill in skills)
        widths = [interval.high - interval.low for interval in intervals]
        width = float(np.median(widths)) if widths else np.nan
        yield (
            *(law_name, law.title, form, n, n_streams, truth, len(intervals) / n_streams, width),
            *_rate(n_missed, len(intervals)),
            n_skills / n_streams,
            *_rate(n_false, n_skills),
        )


def _rate(count: int, total: int) -> tuple[float, float, float]:
    """A proportion with its exact interval; NaN if `total` is 0."""
    if not total:
        return (np.nan, np.nan, np.nan)
    interval = proportion_interval(count, total)
    return (interval[0], interval[1], interval[2])


def _estimates(
    law: TargetLaw, n: int, rng: np.random.Generator, radii: _Radii
) -> Iterator[tuple[str, tuple[StreamMean, Skill]]]:
    """Yield the coverage and the skill of each form on a stream, with their intervals."""
    stream, predictions = _simulate(law, n, rng)
    for form in FORMS:
        pair = [_intervals(form, predicted, stream, radii.level) for predicted in predictions]
        yield form, _coverage_and_skill(pair)
    fixed = [_fixed(stream.y, predictions[0], radius) for radius in (radii.narrow, radii.wide)]
    yield UNEQUAL, _coverage_and_skill(fixed)


def _coverage_and_skill(pair: list[Intervals]) -> tuple[StreamMean, Skill]:
    """The coverage of the first intervals, and their skill over the second intervals."""
    is_defined = ~np.isnan(pair[0].low) & ~np.isnan(pair[1].low)
    first, second = (interval_scores(intervals, LEVEL)[is_defined] for intervals in pair)
    coverage = stream_mean(is_covered(pair[0])[is_defined], with_p_value=False)
    return coverage, skill_interval(first, second)


def _simulate(law: TargetLaw, n: int, rng: np.random.Generator) -> tuple[Stream, list[Floats]]:
    """A stream, and two predictions of its targets: the previous target with different noise."""
    y = law.draw(n, rng)
    previous = np.append(np.nan, y[:-1])
    mean_change = float(np.abs(np.diff(y)).mean())
    noise = autoregressive(rng.normal(size=(2, n)), coefficient=0.9) * mean_change / 4.0
    stream = Stream(np.empty((n, 0)), y, Schema((), "y"), name="targets")
    return stream, [previous + error for error in noise]


def _intervals(form: str, predicted: Floats, stream: Stream, radius: float) -> Intervals:
    """Intervals of a form around predictions."""
    if form not in _STEPS:
        return _fixed(stream.y, predicted, radius)
    tape = prequential(len(stream))
    conformal = Conformal(PreviousTarget(), LEVEL, _STEPS[form])
    intervals = conformal.add_intervals(
        PredictedValues(tape.predict_rows, predicted, seconds=0.0), stream, tape
    )
    return Intervals(stream.y, np.asarray(intervals.low), np.asarray(intervals.high))


def _fixed(y: Floats, predicted: Floats, radius: float) -> Intervals:
    return Intervals(y, predicted - radius, predicted + radius)


class _Radii(NamedTuple):
    """Half widths of fixed intervals."""

    level: float  # with the nominal coverage
    narrow: float  # with a lower coverage
    wide: float  # with the same expected score as the narrow interval


def _radii(law: TargetLaw, rng: np.random.Generator) -> _Radii:
    """Half widths of fixed intervals, from the errors of a long stream."""
    import scipy

    stream, (predicted, _) = _simulate(law, _LONG_STREAM, rng)
    errors = np.abs(stream.y - predicted)[1:]  # the first instance has no previous target
    narrow, level = (float(quantile) for quantile in np.quantile(errors, (_NARROW_COVERAGE, LEVEL)))

    def score(radius: float) -> float:
        outside = np.maximum(errors - radius, 0.0).mean()
        return float(2.0 * radius + 2.0 / (1.0 - LEVEL) * outside)

    # The score is at least twice the radius, so `narrow_score` is an upper bound.
    narrow_score = score(narrow)
    wide = scipy.optimize.brentq(lambda radius: score(radius) - narrow_score, level, narrow_score)
    return _Radii(level, narrow, float(wide))
