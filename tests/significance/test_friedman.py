"""Friedman's test, Nemenyi's and Holm's corrections."""

from __future__ import annotations

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from naive import significance as naive

from streameval.significance.friedman import nemenyi_critical_difference
from streameval.significance.registry import TESTS

TEST = TESTS["friedman"]
scores = arrays(int, st.tuples(st.integers(2, 8), st.integers(3, 6)), elements=st.integers(0, 9))

#: AUC of four classifiers on 14 data sets: Demšar (2006), Table 6.
DEMSAR = [
    (0.763, 0.768, 0.771, 0.798),
    (0.599, 0.591, 0.590, 0.569),
    (0.954, 0.971, 0.968, 0.967),
    (0.628, 0.661, 0.654, 0.657),
    (0.882, 0.888, 0.886, 0.898),
    (0.936, 0.931, 0.916, 0.931),
    (0.661, 0.668, 0.609, 0.685),
    (0.583, 0.583, 0.563, 0.625),
    (0.775, 0.838, 0.866, 0.875),
    (1.000, 1.000, 1.000, 1.000),
    (0.940, 0.962, 0.965, 0.962),
    (0.619, 0.666, 0.614, 0.669),
    (0.972, 0.981, 0.9751, 0.975),
    (0.957, 0.978, 0.946, 0.970),
]


@given(scores)
def test_it_is_scipy_s(values):
    result = TEST(values)
    ranks = naive.mean_ranks(values.tolist())
    assert result.details["mean_ranks"].tolist() == pytest.approx(ranks)
    if (values == values[:, :1]).all():
        assert (result.statistic, result.p_value) == (0, 1)
        return
    expected = scipy.stats.friedmanchisquare(*values.T)
    assert result.statistic == pytest.approx(expected.statistic, abs=1e-9)
    assert result.p_value == pytest.approx(expected.pvalue)


@given(scores, st.randoms())
def test_the_order_of_learners_and_streams_does_not_matter(values, order):
    learners, streams = (list(range(size)) for size in values.shape[::-1])
    order.shuffle(learners)
    order.shuffle(streams)
    first, second = TEST(values), TEST(values[streams][:, learners])
    assert first.statistic == pytest.approx(second.statistic, abs=1e-9)
    mixed = first.details["mean_ranks"][learners].tolist()
    assert second.details["mean_ranks"].tolist() == pytest.approx(mixed)


def test_demsar_s_example():
    result = TEST(DEMSAR)
    # Demšar (2006), Section 3.2.3: mean ranks, χ² = 9.28, F = 3.69, and CD = 1.25 at 5 %.
    ranks = result.details["mean_ranks"].tolist()
    assert ranks == pytest.approx([3.143, 2.000, 2.893, 1.964], abs=5e-4)
    n, k = 14, 4
    plain = 12 * n / (k * (k + 1)) * (np.square(ranks).sum() - k * (k + 1) ** 2 / 4)
    assert plain == pytest.approx(9.28, abs=5e-3)
    assert (n - 1) * plain / (n * (k - 1) - plain) == pytest.approx(3.69, abs=5e-3)
    # His are not corrected for ties; all four tie on one data set, which leaves less spread.
    chi2 = result.statistic
    assert chi2 == pytest.approx(scipy.stats.friedmanchisquare(*np.transpose(DEMSAR)).statistic)
    assert nemenyi_critical_difference(k, n) == pytest.approx(1.25, abs=0.005)
    # autorank 1.3.0: Friedman's p-value, and Nemenyi's critical difference by a quantile that is
    # approximated there.
    assert result.p_value == pytest.approx(0.016721580328441323)
    assert nemenyi_critical_difference(k, n) == pytest.approx(1.2535512603486423, abs=1e-5)


def test_critical_differences_are_those_of_demsar():
    # Demšar (2006), Table 5a: q at 5 % and at 10 % for 2 to 10 learners.
    for level, printed in (
        (0.05, [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]),
        (0.10, [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]),
    ):
        for k, q in enumerate(printed, start=2):
            result = nemenyi_critical_difference(k, 6, level) / np.sqrt(k * (k + 1) / 36)
            assert result == pytest.approx(q, abs=1.1e-3)  # some of his last digits are cut off
