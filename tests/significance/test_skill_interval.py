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
    """Errors of a learner and of a reference: a shared and an own part, both autocorrelated."""
    noise = rng.normal(size=(3, n)) * np.sqrt(1 - dependence**2)
    noise[:, 0] /= np.sqrt(1 - dependence**2)
    for t in range(1, n):
        noise[:, t] += dependence * noise[:, t - 1]
    shared, own, other = noise
    return level * np.exp(0.3 * (shared + own)), np.exp(0.3 * (shared + other))


def literal_ends(own, other):
    """The lowest and highest ratio on a fine grid that the series does not exclude."""
    ratio = own.mean() / other.mean()
    grid = ratio * np.linspace(0.5, 1.6, 2201)
    inside = [r for r in grid if (m := stream_mean(own - r * other)).low <= 0 <= m.high]
    return 1 - max(inside), 1 - min(inside)


@pytest.mark.parametrize("dependence", [0.0, 0.7])
def test_ends_are_those_of_a_literal_search(dependence):
    own, other = errors_of(np.random.default_rng(3), 1500, dependence, 0.8)
    found = skill_interval(own, other)
    assert found.value == 1 - own.mean() / other.mean()
    low, high = literal_ends(own, other)
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.0005 * 1.1)


def test_ends_over_runs_are_those_of_a_literal_search():
    """The reference is the same in each run here; what differs is in the interval, too."""
    rng = np.random.default_rng(8)
    own, other = errors_of(rng, 1500, 0.3, 0.8)
    each = own + rng.normal(0, 0.02, size=(5, 1)) + rng.normal(0, 0.1, size=(5, 1500))
    means, beside = each.mean(axis=1), np.full(5, other.mean())
    found = skill_interval(Sample(each.mean(axis=0), means), Sample(other, beside))
    together, inside = each.mean(axis=0), []
    for r in together.mean() / other.mean() * np.linspace(0.5, 1.6, 2201):
        one = stream_mean(Sample(together - r * other, means - r * beside))
        inside += [r] * (one.low <= 0 <= one.high)
    assert (found.low, found.high) == pytest.approx(
        (1 - max(inside), 1 - min(inside)), abs=0.0005 * 1.1
    )
    alone = skill_interval(together, other)
    assert alone.value == found.value
    assert found.low < alone.low < alone.high < found.high


@given(seed=st.integers(0, 2**32 - 1), level=st.floats(0.85, 1.2))
def test_it_holds_0_if_the_difference_does(seed, level):
    own, other = errors_of(np.random.default_rng(seed), 400, 0.3, level)
    found, difference = skill_interval(own, other), stream_mean(own - other)
    ends = np.array([found.low, found.high])
    close = 1e-3 * (found.high - found.low)  # an end is not known better than that
    if not found.reason and not difference.reason and (np.abs(ends) > close).all():
        assert (found.low <= 0 <= found.high) == (difference.low <= 0 <= difference.high)
        assert found.low <= found.value <= found.high <= 1


@given(seed=st.integers(0, 2**32 - 1), power=st.integers(-30, 30))
def test_units_change_nothing(seed, power):
    own, other = errors_of(np.random.default_rng(seed), 300, 0.3, 0.9)
    unit = 2.0**power
    assert skill_interval(own * unit, other * unit) == skill_interval(own, other)


@pytest.mark.parametrize(("dependence", "n"), [(0.0, 1500), (0.6, 1500), (0.9, 4000)])
def test_95_percent_hold_the_true_skill(dependence, n):
    # By their symmetry the mean errors have the ratio `level`: the true skill is 0.2. Of 300
    # intervals at 95 % at least 272 hold it but for one in 700 tries, by the binomial law.
    rng, held, tries = np.random.default_rng(5), 0, 300
    for _ in range(tries):
        found = skill_interval(*errors_of(rng, n, dependence, 0.8))
        held += not found.reason and found.low <= 0.2 <= found.high
        assert not found.reason
    assert held >= 272


def test_what_has_no_interval_has_a_reason():
    one = np.random.default_rng(1).random(500)
    itself = skill_interval(one, one)
    assert (itself.value, itself.reason) == (0.0, "all errors equal those of the reference")
    assert np.isnan(itself.low)
    perfect = skill_interval(one, one * 0)
    assert np.isnan(perfect.value)
    assert perfect.reason == "the reference makes no error"
    assert "there is no instance" in skill_interval([], []).reason
    assert "worth" in skill_interval(one[:30], one[1:31]).reason
    assert skill_interval(one * 0, one).value == 1.0
    # A reference that hardly ever errs may have no error at all: any ratio is possible.
    rare = np.zeros(500)
    rare[250] = 1.0
    assert skill_interval(one, rare).reason
    with pytest.raises(ConfigError, match="expected finite differences"):
        skill_interval([np.nan, *one], [1.0, *one])
