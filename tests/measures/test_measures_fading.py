"""Algorithm 1 of Žliobaitė et al. (2015)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import measures as naive
from test_measures import labels

from streameval.base.errors import ConfigError
from streameval.measures.fading import smoothed_kappas
from streameval.measures.tallies_over_time import fading_tallies


@settings(max_examples=60)
@given(labels(), st.sampled_from([0.5, 0.1, 0.01]))
def test_equals_its_naive_twin(case, smoothing):
    k, true, predicted, _, _ = case
    result = smoothed_kappas(
        true, predicted, k, smoothing=smoothing, positions=np.arange(1, len(true) + 1)
    )
    for t, (p, prior, predicted_prior, persistence) in enumerate(
        naive.algorithm_1(true, predicted, k, smoothing)
    ):
        assert result.p[t] == pytest.approx(p, rel=1e-13)
        np.testing.assert_allclose(result.prior[t], prior, rtol=1e-13)
        np.testing.assert_allclose(result.predicted_prior[t], predicted_prior, rtol=1e-13)
        np.testing.assert_allclose(result.persistence[t], persistence, rtol=1e-13)


def test_two_instances_by_hand():
    # k = 2, smoothing = 1/2; start p = 0, all others 1/2, y_prev = first class.
    # (y, answer) = (0, 0): p = 1/2; P = 3/4, 1/4; P_h = 3/4, 1/4; P(0|0) = 3/4.
    # (1, 0): p = 1/4; P = 3/8, 5/8; P_h = 7/8, 1/8; y_prev = 0, so P(1|1) = 1/4.
    result = smoothed_kappas([0, 1], [0, 0], 2, smoothing=0.5, positions=[1, 2])
    # Eq. 9 and 7, then 10, 13 and 14
    p_random = 3 / 8 * 7 / 8 + 5 / 8 * 1 / 8
    p_persistent = 3 / 8 * 3 / 4 + 5 / 8 * 1 / 4
    assert result.p_random[1] == p_random
    assert result.p_persistent[1] == p_persistent
    assert result.kappa[1] == (1 / 4 - p_random) / (1 - p_random)
    assert result.kappa_temporal[1] == (1 / 4 - p_persistent) / (1 - p_persistent)
    assert result.kappa_combined[1] == 0
    assert result.kappa_temporal[0] == (0.5 - (9 / 16 + 1 / 8)) / (1 - (9 / 16 + 1 / 8))


def test_a_stream_of_one_class_ends_undefined():
    result = smoothed_kappas([0] * 200, [0] * 200, 1, smoothing=0.5, positions=[200])
    assert np.isnan(result.kappa[0])
    assert np.isnan(result.kappa_temporal[0])
    assert np.isnan(result.kappa_combined[0])


def test_what_smoothing_gives_to_the_newest_fading_takes_from_the_others():
    rng = np.random.default_rng(5)
    true, predicted = rng.integers(2, size=(2, 400))
    smoothed = smoothed_kappas(true, predicted, 2, smoothing=0.01, positions=[400]).p[0]
    faded = fading_tallies(
        true, predicted, 2, fading=0.99, positions=[400], **naive.at_once(true, 2)
    )
    assert smoothed == pytest.approx(0.01 * faded.correct[0], rel=1e-12)


@pytest.mark.parametrize("smoothing", [0, 1])
def test_a_wrong_smoothing_weight_is_named(smoothing):
    with pytest.raises(ConfigError, match=r"Algorithm 1: .*smoothing weight between 0 .*1"):
        smoothed_kappas([0], [0], 1, smoothing=smoothing, positions=[1])
