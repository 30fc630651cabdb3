"""The Bayesian signed-rank test against its twin and the authors' package, and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import significance as naive
from test_friedman import DEMSAR

from streameval.significance.bayesian_signed_rank import DRAWS, region_probabilities
from streameval.significance.registry import TESTS

TEST = TESTS["bayesian_signed_rank"]
some = st.lists(st.integers(-9, 9), min_size=1, max_size=6)

#: baycomp 1.0.3 (Benavoli et al.), SignedRankTest with a prior of 0.5 and 400,000 draws: C4.5+m+cf
#: against each other learner of Demšar (2006), Table 6; by rope that it is better, practically
#: equal, worse. No mean of two differences lies on the end of a rope.
BAYCOMP = {
    (0, 0.00512): (0.9979, 0.0007, 0.0014),
    (0, 0.01012): (0.9613, 0.0384, 0.0003),
    (0, 0.02012): (0.4423, 0.5577, 0.0000),
    (1, 0.00512): (0.5559, 0.4195, 0.0246),
    (1, 0.01012): (0.2108, 0.7875, 0.0017),
    (1, 0.02012): (0.0025, 0.9975, 0.0000),
    (2, 0.00512): (0.9630, 0.0340, 0.0030),
    (2, 0.01012): (0.7807, 0.2185, 0.0008),
    (2, 0.02012): (0.2390, 0.7610, 0.0000),
}


@given(some, st.integers(0, 4), st.randoms())
def test_regions_are_their_twin(values, rope, random):
    weights = np.array([random.randint(1, 99) for _ in values], float)
    weights /= weights.sum()
    result = region_probabilities([weights], values, rope)[0]
    assert result.tolist() == pytest.approx(naive.regions(weights, values, rope), abs=1e-12)


@pytest.mark.parametrize(("learner", "rope"), BAYCOMP)
def test_the_authors_package(learner, rope):
    scores = np.array(DEMSAR)
    result = TEST(scores[:, 3] - scores[:, learner], rope).details
    for name, expected in zip(("right", "rope", "left"), BAYCOMP[learner, rope], strict=True):
        # Four standard errors of our draws, and the digits that are printed.
        error = np.sqrt(max(expected * (1 - expected), 1e-4) / DRAWS)
        assert result[name] == pytest.approx(expected, abs=4 * error + 5e-4)


@given(some, st.integers(0, 4), st.integers(1, 9))
def test_neither_order_nor_unit_matters(values, rope, factor):
    result, other = TEST(values, rope), TEST(np.negative(values) / factor, rope / factor)
    assert sum(result.details[name] for name in ("left", "rope", "right")) == pytest.approx(1)
    assert np.isnan(result.p_value)
    mirrored = [other.details[name] for name in ("right", "rope", "left")]
    assert mirrored == pytest.approx([result.details[n] for n in ("left", "rope", "right")])


def test_rounding_moves_no_sum_over_the_end_of_the_rope():
    # Sums of 0.83 - 0.82 and the like are on the end of the rope, though rounded they are above.
    assert TEST(np.full(8, 0.83 - 0.82), 0.01).details["rope"] == 1
