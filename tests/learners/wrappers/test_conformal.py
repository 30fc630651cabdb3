"""Conformal intervals equal their twin and River's quantiles, and keep their bound."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest
from helpers import numbers
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import intervals as naive
from river import base, conf, stats

from streameval.base.errors import DataError
from streameval.learners.predictions import PredictedValues, split_predictions
from streameval.learners.regression.baselines import PreviousTarget, TargetMean
from streameval.learners.regression.regressor import Regressor
from streameval.learners.wrappers.conformal import Conformal
from streameval.protocols.prequential import delayed, prequential
from streameval.protocols.reevaluation import reevaluation
from streameval.protocols.tape import LEARN, Tape
from streameval.streams.groups import Groups
from streameval.streams.stream import Stream


@dataclass(frozen=True)
class Given(Regressor):
    """Predictions that are given, in the order of the tape."""

    values: Any = ()

    name: ClassVar[str] = "given"
    reference: ClassVar[str] = "none"

    def run(self, stream, tape, seed=1, *, scores=False, progress=None):
        """Predict the given values."""
        self._check_can_run(stream, tape)
        return PredictedValues(tape.predict_rows, np.array(self.values, np.float64), seconds=0.0)


class Zero(base.Regressor):
    """A regressor of River that predicts 0."""

    def learn_one(self, x, y):
        """Learn nothing."""

    def predict_one(self, x):
        """Predict 0."""
        return 0.0


def stream_of(targets, entities=None):
    y, groups = np.asarray(targets, dtype=np.float64), None
    if entities is not None:
        groups = Groups("machine", np.asarray(entities, np.int32), tuple("abcd"))
    return Stream(np.empty((len(y), 0)), y, numbers.schema([]), "numbers", groups=groups)


def assert_as_twin(predictions, wrapper, stream, tape):
    options = (wrapper.coverage, wrapper.gamma, wrapper.window, wrapper.infinite)
    inner = wrapper.learner.run(stream, tape).value
    entities = None if stream.groups is None else stream.groups.code.tolist()
    twin = naive.conformal(stream.y, tape, inner.tolist(), *options, entities)
    expected = np.array(twin, dtype=np.float64).reshape(-1, 3)
    np.testing.assert_array_equal(predictions.value, inner)
    np.testing.assert_array_equal(predictions.low, expected[:, 0])
    np.testing.assert_array_equal(predictions.high, expected[:, 1])
    np.testing.assert_array_equal(predictions.limited, expected[:, 2] > 0)


number = st.integers(-40, 40).map(lambda n: n / 4)
options = st.tuples(
    st.sampled_from([0.1, 0.5, 0.55, 0.8, 0.9]),
    st.sampled_from([0.0, 0.005, 0.05, 0.3, 1.0]),
    st.integers(9, 30),
    st.booleans(),
)


@given(data=st.data(), n=st.integers(1, 60), chosen=options)
def test_intervals_equal_their_twin_on_any_tape(data, n, chosen):
    entities = st.none() | st.lists(st.integers(0, 3), min_size=n, max_size=n)
    stream = stream_of(data.draw(st.lists(number, min_size=n, max_size=n)), data.draw(entities))
    event = st.tuples(st.integers(0, n - 1), st.integers(1, 3), st.integers(0, 2))
    tape = Tape(
        *map(np.array, zip(*data.draw(st.lists(event, min_size=1, max_size=150)), strict=True))
    )
    predicted = len(tape.predict_rows)
    values = st.one_of(number, st.just(np.nan))
    inner = Given(data.draw(st.lists(values, min_size=predicted, max_size=predicted)))
    wrapper = Conformal(inner, *chosen)
    assert_as_twin(wrapper.run(stream, tape), wrapper, stream, tape)


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32 - 1), delay=st.integers(0, 60), chosen=options)
def test_intervals_equal_their_twin_on_long_streams(seed, delay, chosen):
    draws = np.random.default_rng(seed)
    targets = draws.normal(size=400).cumsum() + 30 * (np.arange(400) > 200)
    stream = stream_of(targets, draws.integers(0, 3, 400) if seed % 2 else None)
    for tape in (prequential(400), delayed(400, delay)):
        for inner in (PreviousTarget(), TargetMean()):
            wrapper = Conformal(inner, *chosen)
            assert_as_twin(wrapper.run(stream, tape), wrapper, stream, tape)


@settings(max_examples=20)
@given(waits=st.lists(st.integers(0, 50), min_size=1, max_size=150), every=st.integers(1, 9))
def test_rows_that_are_predicted_again_count_once(waits, every):
    clock = np.arange(len(waits))
    stream = stream_of(np.random.default_rng(len(waits)).normal(size=len(waits)))
    tape, _ = reevaluation(clock, clock + np.array(waits), every=every)
    wrapper = Conformal(PreviousTarget(), 0.8, 0.05, 20)
    predictions = wrapper.run(stream, tape)
    assert_as_twin(predictions, wrapper, stream, tape)
    segments = [*split_predictions(predictions, [1] * len(predictions.row))]
    np.testing.assert_array_equal([segment.low[0] for segment in segments], predictions.low)
    np.testing.assert_array_equal([segment.limited[0] for segment in segments], predictions.limited)


@given(
    data=st.data(),
    n=st.integers(10, 200),
    delay=st.integers(0, 30),
    coverage=st.sampled_from([0.5, 0.8, 0.9]),
    gamma=st.sampled_from([0.005, 0.05, 0.3, 1.0]),
)
def test_the_proportion_of_misses_keeps_its_bound_on_any_sequence(data, n, delay, coverage, gamma):
    """Proposition 4.1 of Gibbs and Candès, and the same with predictions that wait."""
    # Scales by powers of ten: errors that explode, vanish, or are exactly 0 for ever.
    scale = st.sampled_from([0.0, 1e-9, 1.0, 1e9])
    targets = data.draw(st.lists(scale, min_size=n, max_size=n))
    tape = delayed(n, delay) if delay else prequential(n)
    wrapper = Conformal(Given([0.0] * n), coverage, gamma, 50, True)
    stream = stream_of(targets)
    predictions = wrapper.run(stream, tape)
    arrived = np.isin(np.arange(n), tape.row[(tape.op & LEARN) > 0])
    counted = arrived & ~np.isnan(predictions.low)
    inside = (predictions.low <= stream.y) & (stream.y <= predictions.high)
    if counted.any():
        bound = max(coverage, 1 - coverage) + (delay + 1) * gamma
        gap = abs((~inside[counted]).mean() - (1 - coverage))
        assert gap <= bound / (gamma * counted.sum()) + 1e-9


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32 - 1), window=st.integers(9, 60))
def test_without_a_step_radii_are_rolling_quantiles_of_river(seed, window):
    """River interpolates: at the place of a rank its quantile is that residual."""
    targets = np.random.default_rng(seed).standard_cauchy(150)
    predictions = Conformal(Given([0.0] * 150), 0.9, 0.0, window).run(
        stream_of(targets), prequential(150)
    )
    for at in range(9, 150, 7):
        residuals = np.abs(targets[max(at - window, 0) : at])
        n = len(residuals)
        rank = int(np.ceil((n + 1) * 0.9 - 1e-9))
        quantile = stats.RollingQuantile((rank - 1) / (n - 1), n)
        for residual in residuals:
            quantile.update(float(residual))
        # At q = (k - 1) / (n - 1) the place q (n - 1) may be off by rounding.
        assert predictions.high[at] == pytest.approx(quantile.get(), rel=1e-9)


def test_interpolated_quantiles_of_river_cover_less():
    """Of n errors the quantile at the place 0.9 (n - 1), not a rank of n + 1: for n = 20, less."""
    targets = np.random.default_rng(9).normal(size=6000)
    predictions = Conformal(Given([0.0] * 6000), 0.9, 0.0, 20).run(
        stream_of(targets), prequential(6000)
    )
    model = conf.RegressionJackknife(Zero(), 0.9, 20)
    rivers = []
    for target in targets:
        interval = model.predict_one({}, with_interval=True)
        rivers.append(interval.lower <= target <= interval.upper)
        model.learn_one({}, target)
    ours = np.abs(targets) <= predictions.high
    # Split-conformal: 19 of 21; River: two-sided 0.9 (n - 1) / (n + 1) = 0.814, interpolated.
    assert abs(ours[20:].mean() - 19 / 21) < 0.02
    assert np.mean(rivers[20:]) < 0.84


def test_exchangeable_errors_are_covered_as_stated():
    """With γ = 0, P(covered) = ⌈(n + 1) 0.9⌉ / (n + 1) = 0.901 for n = 100 (Vovk et al. 2005)."""
    targets = np.random.default_rng(5).standard_cauchy(200_000)
    wrapper = Conformal(Given([0.0] * 200_000), 0.9, 0.0, 100)
    predictions = wrapper.run(stream_of(targets), prequential(200_000))
    covered = np.abs(targets[100:]) <= predictions.high[100:]
    assert abs(covered.mean() - 91 / 101) < 0.004


def test_cost_includes_the_window():
    stream = stream_of(np.arange(30.0))
    inner = TargetMean().run(stream, prequential(30))
    predictions = Conformal(TargetMean(), window=9).run(stream, prequential(30))
    assert predictions.model_bytes == inner.model_bytes + 9 * 8 + 8
    assert predictions.size == inner.size
    assert predictions.seconds > 0


def test_a_nominal_target_is_refused():
    schema = numbers.schema([])
    stream = Stream(
        np.empty((2, 0)), np.zeros(2, np.int32), type(schema)((), "y", ("a", "b")), "classes"
    )
    with pytest.raises(DataError, match="nominal"):
        Conformal(TargetMean()).run(stream, prequential(2))
