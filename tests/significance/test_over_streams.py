"""Two learners over several streams: tests, effect size, and centre."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import significance as naive
from test_friedman import DEMSAR

from streameval.significance.hodges_lehmann import hodges_lehmann
from streameval.significance.over_streams import rank_biserial, smallest_n_streams, smallest_p_value
from streameval.significance.registry import TESTS
from streameval.significance.significance_test import LEVEL

tied = st.lists(st.integers(-6, 6), min_size=1, max_size=9)
untied = st.lists(st.integers(-1000, 1000), min_size=6, max_size=9, unique_by=abs)


def test_demsar_s_data():
    # C4.5+m+cf against the three others of Demšar (2006), Table 6. Of scipy 1.17.1: wilcoxon of
    # all that is not 0, over all signs (PermutationMethod), and binomtest.
    scores = np.array(DEMSAR)
    differences = np.round(scores[:, 3:] - scores[:, :3], 12).T
    exact = TESTS["streams_wilcoxon"](differences).p_value.tolist()
    assert exact == pytest.approx([0.012451171875, 0.353515625, 0.02783203125], abs=1e-12)
    signs = TESTS["streams_sign"](differences).p_value.tolist()
    assert signs == pytest.approx([0.0224609375, 1.0, 0.266845703125])


@given(tied, st.integers(1, 50))
def test_the_effect_size_is_of_ranks(values, factor):
    positive, negative, _ = naive.signed_ranks(values)
    result = float(rank_biserial(values))
    expected = (positive - negative) / (positive + negative) if positive + negative else 0.0
    assert result == pytest.approx(expected)
    assert float(rank_biserial(np.multiply(values, -factor))) == pytest.approx(-result)


def test_few_streams_cannot_reject():
    assert smallest_n_streams(LEVEL) == 6  # 2 / 64 = 0.031; five leave 0.0625
    assert smallest_n_streams(LEVEL, 7) == 9
    for streams in range(1, 10):
        result = TESTS["streams_wilcoxon"](np.arange(1, streams + 1)).p_value
        assert float(result) == pytest.approx(smallest_p_value(streams))
        assert (result <= LEVEL) == (streams >= smallest_n_streams(LEVEL))
        assert np.isnan(hodges_lehmann(np.arange(streams)).low) == (streams < 6)


@given(untied)
@settings(max_examples=30)
def test_the_interval_holds_the_centres_that_are_not_rejected(values):
    result, means = hodges_lehmann(values), naive.pair_means(values)
    assert result.center == pytest.approx(np.median(means))
    # Between two neighbouring means of pairs the test does not change.
    places = [means[0] - 1, *(np.add(means[1:], means[:-1]) / 2), means[-1] + 1]
    for place in places:
        if place in means:
            continue
        p_value = naive.signed_ranks([d - place for d in values])[2]
        assert (result.low < place < result.high) == (p_value > LEVEL)


def test_ends_of_an_interval_by_hand():
    # Of six differences V = 0 is rejected only (2 / 64 = 0.031): all means of pairs are within.
    result = hodges_lehmann([[1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, np.nan]])
    assert (result.center[0], result.low[0], result.high[0]) == (3.5, 1, 6)
    assert np.isnan([result.center[1], result.low[1], result.high[1]]).all()
