"""The interval of a skill: against a literal search, and how often it holds the true value."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streameval.base.errors import ConfigError
from streameval.significance.skill_interval import skill_interval
from streameval.significance.stream_mean import Sample, stream_mean


def errors_of(rng, n, dependence, level):
    """Errors of a learner and of a reference with autocorrelated shared and separate parts."""
    noise = rng.normal(size=(3, n)) * np.sqrt(1 - dependence**2)
    noise[:, 0] /= np.sqrt(1 - dependence**2)
    for t in range(1, n):
        noise[:, t] += dependence * noise[:, t - 1]
    shared, own_noise, other_noise = noise
    return level * np.exp(0.3 * (shared + own_noise)), np.exp(0.3 * (shared + other_noise))


def literal_ends(errors, reference):
    """The lowest and highest ratio on a fine grid that the series does not exclude."""
    ratio = errors.mean() / reference.mean()
    grid = ratio * np.linspace(0.5, 1.6, 2201)
    inside = [r for r in grid if (m := stream_mean(errors - r * reference)).low <= 0 <= m.high]
    return 1 - max(inside), 1 - min(inside)


@pytest.mark.parametrize("dependence", [0.0, 0.7])
def test_ends_are_those_of_a_literal_search(dependence):
    errors, reference = errors_of(np.random.default_rng(3), 1500, dependence, 0.8)
    result = skill_interval(errors, reference)
    assert result.value == 1 - errors.mean() / reference.mean()
    low, high = literal_ends(errors, reference)
    assert (result.low, result.high) == pytest.approx((low, high), abs=0.0005 * 1.1)


def test_ends_over_runs_are_those_of_a_literal_search():
    """The interval includes the variation between runs; the errors of the reference are fixed."""
    rng = np.random.default_rng(8)
    errors, reference = errors_of(rng, 1500, 0.3, 0.8)
    runs = errors + rng.normal(0, 0.02, size=(5, 1)) + rng.normal(0, 0.1, size=(5, 1500))
    means, reference_means = runs.mean(axis=1), np.full(5, reference.mean())
    result = skill_interval(Sample(runs.mean(axis=0), means), Sample(reference, reference_means))
    mean_errors, inside = runs.mean(axis=0), []
    for r in mean_errors.mean() / reference.mean() * np.linspace(0.5, 1.6, 2201):
        interval = stream_mean(Sample(mean_errors - r * reference, means - r * reference_means))
        inside += [r] * (interval.low <= 0 <= interval.high)
    assert (result.low, result.high) == pytest.approx(
        (1 - max(inside), 1 - min(inside)), abs=0.0005 * 1.1
    )
    alone = skill_interval(mean_errors, reference)
    assert alone.value == result.value
    assert result.low < alone.low < alone.high < result.high


@given(seed=st.integers(0, 2**32 - 1), level=st.floats(0.85, 1.2))
def test_it_holds_0_if_the_difference_does(seed, level):
    errors, reference = errors_of(np.random.default_rng(seed), 400, 0.3, level)
    result, difference = skill_interval(errors, reference), stream_mean(errors - reference)
    ends = np.array([result.low, result.high])
    close = 1e-3 * (result.high - result.low)  # an end is not known better than that
    if not result.reason and not difference.reason and (np.abs(ends) > close).all():
        assert (result.low <= 0 <= result.high) == (difference.low <= 0 <= difference.high)
        assert result.low <= result.value <= result.high <= 1


@given(seed=st.integers(0, 2**32 - 1), power=st.integers(-30, 30))
def test_units_change_nothing(seed, power):
    errors, reference = errors_of(np.random.default_rng(seed), 300, 0.3, 0.9)
    unit = 2.0**power
    assert skill_interval(errors * unit, reference * unit) == skill_interval(errors, reference)


def test_what_has_no_interval_has_a_reason():
    each = np.random.default_rng(1).random(500)
    itself = skill_interval(each, each)
    assert (itself.value, itself.reason) == (0.0, "all errors equal those of the reference")
    assert np.isnan(itself.low)
    perfect = skill_interval(each, each * 0)
    assert np.isnan(perfect.value)
    assert perfect.reason == "the reference makes no error"
    assert "there are no instances" in skill_interval([], []).reason
    assert "only 30 instances" in skill_interval(each[:30], each[1:31]).reason
    assert skill_interval(each * 0, each).value == 1.0
    # A reference that hardly ever errs may have no error at all: any ratio is possible.
    rare = np.zeros(500)
    rare[250] = 1.0
    assert skill_interval(each, rare).reason
    with pytest.raises(ConfigError, match="expected finite differences"):
        skill_interval([np.nan, *each], [1.0, *each])
