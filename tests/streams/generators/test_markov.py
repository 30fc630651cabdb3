from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from naive import generators as naive

from streameval.base.errors import ConfigError
from streameval.streams.generators import generate_instances, markov

KDD99 = [2203, 30, 8, 53, 12, 1247, 21, 9, 7, 107201, 231, 97278]
KDD99 += [3, 4, 264, 1040, 10, 1589, 280790, 2, 979, 1020, 20]

#: Shares of two to six classes, none rarer than about one in a hundred.
PRIORS = st.lists(st.floats(0.05, 1.0), min_size=2, max_size=6)
SEEDS = st.integers(0, 2**63 - 1)


def lowest_persistence(priors) -> float:
    return max(0.0, 2.0 * (max(priors) / sum(priors)) - 1.0)


@st.composite
def chains(draw, margin=0.0):
    """Priors and a feasible P(T) on either side of independence."""
    priors = draw(PRIORS)
    low = lowest_persistence(priors)
    persistence = low + (1.0 - low) * draw(st.floats(margin, 1.0 - margin))
    assume(low < persistence < 1.0)
    return priors, persistence


@given(chains())
def test_the_chain_has_the_chosen_shares_and_persistence(chain):
    priors, persistence = chain
    transition = markov.transition_matrix(priors, persistence)
    shares = np.array(priors) / sum(priors)
    assert transition.min() >= 0.0
    np.testing.assert_allclose(transition.sum(axis=1), 1.0, rtol=1e-12)
    np.testing.assert_allclose(shares @ transition, shares, rtol=1e-12)
    assert shares @ np.diag(transition) == pytest.approx(persistence, abs=1e-12)
    joint = shares[:, None] * transition
    np.testing.assert_allclose(joint, joint.T, atol=1e-15)


@given(chains(margin=0.01))
def test_the_analysis_of_a_chain_finds_what_was_asked_for(chain):
    priors, persistence = chain
    transition = markov.transition_matrix(priors, persistence)
    shares = np.array(priors) / sum(priors)
    np.testing.assert_allclose(markov.stationary_distribution(transition), shares, atol=1e-9)
    assert markov.persistence(transition) == pytest.approx(persistence, abs=1e-9)


def test_the_analysis_of_a_chain_that_is_not_reversible():
    # A ring with holding: by hand, shares 1 / (1 - hold) normalised are 2 : 4 : 5 / 11 and
    # P(T) = (2 * 0 + 4 * 0.5 + 5 * 0.6) / 11.
    transition = np.array([[0.0, 1.0, 0.0], [0.0, 0.5, 0.5], [0.4, 0.0, 0.6]])
    np.testing.assert_allclose(markov.stationary_distribution(transition), np.array([2, 4, 5]) / 11)
    assert markov.persistence(transition) == pytest.approx(5 / 11)


@pytest.mark.parametrize("priors", [[3, 1], [1, 1, 1, 1], [5, 3, 2]])
def test_infeasible_persistence_is_refused(priors):
    for wrong in (lowest_persistence(priors), -0.1, 1.0, 1.5, math.nan):
        with pytest.raises(ConfigError, match="persistence must lie strictly between"):
            markov.transition_matrix(priors, wrong)


@pytest.mark.parametrize("priors", [[1.0], [0.5, 0.0, 0.5], [1, math.inf], [[1, 2]], [1, "a"]])
def test_wrong_priors_are_refused(priors):
    with pytest.raises(ConfigError, match="priors"):
        markov.transition_matrix(priors, 0.9)


def test_simulated_shares_and_persistence_are_the_analytic_ones():
    options = {"priors": [5, 3, 2], "persistence": 0.6, "attributes": 2}
    y = generate_instances("markov", 200_000, **options).y
    # Five standard errors of 200,000 independent labels, twice as large for labels that repeat.
    error = 10.0 * math.sqrt(0.25 / len(y))
    np.testing.assert_allclose(np.bincount(y) / len(y), [0.5, 0.3, 0.2], atol=error)
    assert np.mean(y[1:] == y[:-1]) == pytest.approx(0.6, abs=error)


def test_the_first_label_is_drawn_from_the_priors():
    options = {"priors": [1, 3], "persistence": 0.99, "attributes": 2}
    first = [generate_instances("markov", 1, seed=seed, **options).y[0] for seed in range(500)]
    # Five standard errors of a share of 0.75 among 500.
    assert np.mean(first) == pytest.approx(0.75, abs=5 * math.sqrt(0.75 * 0.25 / 500))


@given(chains(), st.lists(st.floats(0.0, 1.0, exclude_max=True), min_size=1, max_size=60))
def test_labels_agree_with_the_twin(chain, uniform):
    priors, persistence = chain
    transition = markov.transition_matrix(priors, persistence)
    shares = markov.class_proportions(priors)
    cumulative = np.cumsum(np.vstack([transition, shares]), axis=1)
    y = np.empty(len(uniform), dtype=np.int32)
    markov._draw_labels(np.array(uniform), cumulative, len(shares), y)
    assert y.tolist() == naive.draw_labels(uniform, transition.tolist(), shares.tolist())


@given(
    st.lists(st.integers(0, 80), min_size=1, max_size=80).map(sorted),
    st.integers(2, 7),
    st.integers(2, 4),
    st.floats(0.0, 0.2),
    SEEDS,
)
def test_turning_means_agree_with_the_twin(times, attributes, k, half_step, seed):
    n = len(times)
    random = np.random.default_rng(seed)
    X = random.standard_normal((n, attributes))
    y = random.integers(0, k, n).astype(np.int32)
    mean = random.standard_normal((k, attributes))
    expected = naive.add_turning_means(X, y, times, mean, half_step)
    markov._add_rotating_means(X, y, np.array(times), mean, half_step, np.array([1.0, 0.0]), 0)
    # The kernel multiplies rotations up, the twin calls sine and cosine.
    np.testing.assert_allclose(X, expected, rtol=0, atol=1e-11)


@given(st.integers(2, 6), st.integers(2, 9), st.floats(0.1, 10.0), SEEDS)
def test_means_are_as_far_apart_as_asked_for(k, attributes, separation, seed):
    mean = markov._means(k, attributes, separation, seed)
    gaps = [np.sum((mean[i] - mean[j]) ** 2) for i in range(k) for j in range(i)]
    assert math.sqrt(np.mean(gaps)) == pytest.approx(separation, rel=1e-12)
    np.testing.assert_allclose(mean.mean(axis=0), 0.0, atol=1e-13)


def test_means_turn_as_often_as_asked_for():
    options = {"priors": [1, 1], "persistence": 0.6, "attributes": 4, "separation": 200.0}
    stream = generate_instances("markov", 10_001, drift=0.5, **options)
    half_way = np.abs(np.arange(10_001) - 5000) <= 50
    start = np.arange(10_001) < 50
    for label in (0, 1):
        of_class = stream.y == label
        before = stream.X[of_class & start].mean(axis=0)
        middle = stream.X[of_class & half_way].mean(axis=0)
        cosine = before @ middle / (np.linalg.norm(before) * np.linalg.norm(middle))
        assert abs(cosine) < 0.03  # half of half a turn: a right angle
        # At the end it looks the other way. The rows of `start` are up to a hundredth of a
        # turn on, and one row of noise in four dimensions is hardly ever longer than six.
        after = stream.X[of_class][-1]
        assert np.linalg.norm(before + after) < 0.08 * np.linalg.norm(before)


def test_labels_do_not_change_with_the_attributes():
    options = {"priors": KDD99, "persistence": 0.97, "seed": 5}
    plain = generate_instances("markov", 500, attributes=2, **options)
    other = generate_instances("markov", 500, attributes=9, separation=5.0, drift=2.0, **options)
    np.testing.assert_array_equal(plain.y, other.y)


def test_nominal_attributes_are_the_numeric_ones_cut_at_normal_quantiles():
    options = {"priors": [1, 2, 1], "persistence": 0.6, "attributes": 5}
    numeric = generate_instances("markov", 3000, **options)
    mixed = generate_instances("markov", 3000, nominal=3, values=4, **options)
    assert mixed.schema.n_values.tolist() == [0, 0, 4, 4, 4]
    np.testing.assert_array_equal(mixed.X[:, :2], numeric.X[:, :2])
    cuts = [NormalDist().inv_cdf(q) for q in (0.25, 0.5, 0.75)]
    expected = sum((numeric.X[:, 2:] >= cut).astype(float) for cut in cuts)
    np.testing.assert_array_equal(mixed.X[:, 2:], expected)


@pytest.mark.parametrize("drift", [0.0, 2.0])
def test_attributes_are_independent_noise_around_means_on_a_sphere(drift):
    options = {"priors": [1, 1], "persistence": 0.5, "attributes": 4, "drift": drift}
    noise, stream = (generate_instances("markov", 50_000, separation=s, **options) for s in (0, 2))
    for label in (0, 1):
        of_class = stream.y == label
        # Five standard errors of a variance; covariances have smaller ones.
        error = 5.0 * math.sqrt(2.0 / of_class.sum())
        np.testing.assert_allclose(np.cov(noise.X[of_class].T), np.eye(4), atol=error)
        means = (stream.X - noise.X)[of_class]
        np.testing.assert_allclose(np.linalg.norm(means, axis=1), 1.0, rtol=1e-9)
        assert np.allclose(means, means[0]) == (drift == 0)
