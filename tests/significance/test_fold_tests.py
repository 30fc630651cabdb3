"""Tests over folds against scipy and literal twins, by hand, and their properties."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy
from hypothesis import example, given
from hypothesis import strategies as st
from naive import significance as naive

from streameval.base.settings import ROOT
from streameval.significance import sign_test, wilcoxon
from streameval.significance.registry import TESTS
from streameval.significance.significance_test import LEVEL

OVER_FOLDS = {
    "sign_test": (),
    "wilcoxon": (),
    "paired_t": (),
    "corrected_t": (1 / 9,),
}
#: Whole numbers, so that there are ties, zeros, and sums without rounding.
tied = st.lists(st.integers(-6, 6), min_size=2, max_size=9)
whole = st.lists(st.integers(-1000, 1000), min_size=2, max_size=12)
#: Folds whose differences have no ties and no zeros.
untied = st.lists(
    st.integers(1, 10**6).map(lambda n: n / 64), min_size=2, max_size=25, unique=True
).flatmap(
    lambda sizes: st.lists(st.sampled_from((-1, 1)), min_size=len(sizes), max_size=len(sizes)).map(
        lambda signs: np.multiply(sizes, signs).tolist()
    )
)


def run(name, differences):
    return TESTS[name](differences, *OVER_FOLDS[name])


@pytest.fixture(scope="module")
def table1():
    """Differences of Bifet et al. (2015), Table 1."""
    path = ROOT / "resources/published/bifet2015/table1.csv"
    return np.genfromtxt(path, delimiter=",", names=True)["difference"]


def test_the_sign_test_of_table_1(table1):
    result = run("sign_test", table1)
    assert result.p_value == pytest.approx(112 / 1024)  # 0.109: not significant at 5 %
    assert (result.details["wins"], result.details["losses"]) == (8, 2)
    assert result.details["critical_wins"] == 8
    assert result.details["critical_wins_5_percent"] == 9
    assert result.details["size_of_critical_wins"] == pytest.approx(112 / 1024)
    assert result.details["rejected_by_critical_wins"]


def test_wilcoxon_s_test_of_table_1(table1):
    result = run("wilcoxon", table1)
    assert result.p_value == pytest.approx(10 / 1024)  # 5 sets of ranks have a sum of at most 3
    assert result.details["positive"] == 52  # the paper prints 53; all ranks together are 55
    assert result.details["negative"] == 3
    assert result.details["critical_value"] == 8
    assert result.details["rejected_by_critical_value"]
    assert result.details["rejected_below_critical_value"]


def test_critical_values():
    # Bifet et al. (2015) take 8 of 10 for 5 %; it is two-sided 112/1024, and 9 is 22/1024.
    assert sign_test.critical_wins(10) == 8
    assert sign_test.critical_wins(10, 0.05) == sign_test.exact_critical_wins(10) == 9
    assert sign_test.exact_critical_wins(6) == 6  # 2/64
    assert sign_test.exact_critical_wins(5) == 6  # 5 of 5 is 2/32: nothing is rejected
    assert sign_test.true_size(10, 8) == pytest.approx(112 / 1024)
    assert sign_test.true_size(10, 9) == pytest.approx(22 / 1024)
    assert sign_test.true_size(10, 5) == sign_test.true_size(10, 0) == 1
    # The usual two-sided 5 % table of Wilcoxon's test for 5 to 25 pairs.
    known = [-1, 0, 2, 3, 5, 8, 10, 13, 17, 21, 25, 29, 34, 40, 46, 52, 58, 65, 73, 81, 89]
    assert [wilcoxon.critical_value(n) for n in range(5, 26)] == known
    # scipy has no such table; beyond the exact ones the normal value is nearly the same.
    exact = 2 * wilcoxon.rank_sum_tail(2 * np.arange(1, 61))[::2]
    assert wilcoxon.critical_value(60) == pytest.approx(np.sum(exact <= LEVEL) - 1, abs=3)


@given(tied)
@example([0, 0, 0])
def test_the_sign_test_is_scipy_s(differences):
    result = run("sign_test", differences)
    wins, losses = sum(d > 0 for d in differences), sum(d < 0 for d in differences)
    expected = scipy.stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1
    assert float(result.p_value) == pytest.approx(expected)
    assert result.statistic == wins - losses
    most = max(wins, losses)
    critical = sign_test.critical_wins(len(differences))
    assert result.details["rejected_by_critical_wins"] == (most >= critical)


@given(tied)
@example([0, 0, 0])
def test_wilcoxon_s_test_is_its_twin(differences):
    result = run("wilcoxon", differences)
    positive, negative, p_value = naive.signed_ranks(differences)
    assert result.details["positive"] == positive
    assert result.details["negative"] == negative
    assert result.statistic == positive - negative
    assert float(result.p_value) == pytest.approx(p_value)
    critical = wilcoxon.critical_value(len(differences) - differences.count(0))
    assert result.details["rejected_by_critical_value"] == (min(positive, negative) <= critical)


@given(untied)
def test_wilcoxon_s_test_is_scipy_s_without_ties(differences):
    expected = scipy.stats.wilcoxon(differences, method="exact")
    result = run("wilcoxon", differences)
    assert float(result.p_value) == pytest.approx(expected.pvalue, rel=1e-9)
    assert min(result.details["positive"], result.details["negative"]) == expected.statistic


@pytest.mark.parametrize(("folds", "steps"), [(30, 5), (60, 5), (70, 10**9)])
def test_wilcoxon_s_test_of_many_is_scipy_s_approximation(folds, steps):
    draws = np.random.default_rng(4).integers(-steps, steps, (20, folds)) + steps // 5
    result = run("wilcoxon", draws)
    for row, p_value in zip(draws, result.p_value, strict=True):
        kept = row[row != 0]
        expected = scipy.stats.wilcoxon(kept, method="asymptotic").pvalue
        assert p_value == pytest.approx(expected, rel=1e-9)


@given(whole)
def test_the_paired_t_test_is_scipy_s(differences):
    result = run("paired_t", differences)
    if len(set(differences)) > 1:
        expected = scipy.stats.ttest_1samp(differences, 0)
        interval = expected.confidence_interval(0.95)
        assert float(result.statistic) == pytest.approx(expected.statistic, rel=1e-9, abs=1e-12)
        assert float(result.p_value) == pytest.approx(expected.pvalue, rel=1e-9)
        ends = [float(result.details[end]) for end in ("low", "high")]
        assert ends == pytest.approx([interval.low, interval.high], rel=1e-9, abs=1e-9)
    # The corrected variance is (1/k + n2/n1) of that of a difference, instead of 1/k.
    corrected = TESTS["corrected_t"](differences, 1 / 9)
    ratio = np.sqrt(1 + len(differences) / 9)
    if np.isfinite(result.statistic):
        assert float(result.statistic) == pytest.approx(float(corrected.statistic * ratio))
    assert TESTS["corrected_t"](differences, 0).p_value == pytest.approx(result.p_value)
    assert corrected.p_value >= result.p_value


@pytest.mark.parametrize("name", ["paired_t", "corrected_t"])
def test_differences_without_variance(name):
    # 0.1 cannot be written in binary: the mean of six is rounded.
    result = run(name, [[0.1] * 6, [-0.1] * 6, [0.0] * 6])
    assert result.statistic.tolist() == [np.inf, -np.inf, 0]
    assert result.p_value.tolist() == [0, 0, 1]
    assert result.details["low"].tolist() == result.details["high"].tolist() == [0.1, -0.1, 0]


@pytest.mark.parametrize("name", OVER_FOLDS)
@given(differences=whole)
def test_swapping_the_learners_negates_the_statistic(name, differences):
    first, second = run(name, differences), run(name, np.negative(differences))
    assert first.statistic == pytest.approx(-second.statistic)
    assert first.p_value == pytest.approx(second.p_value)
    assert 0 <= first.p_value <= 1


@pytest.mark.parametrize("name", OVER_FOLDS)
@given(differences=whole, order=st.randoms())
def test_the_order_of_folds_does_not_matter(name, differences, order):
    mixed = list(differences)
    order.shuffle(mixed)
    first, second = run(name, differences), run(name, mixed)
    assert first.statistic == pytest.approx(second.statistic)
    assert first.p_value == pytest.approx(second.p_value)


@pytest.mark.parametrize("name", ["sign_test", "wilcoxon"])
@given(differences=untied, shift=st.integers(1, 10**5))
def test_a_gain_of_a_in_each_fold_never_lowers_the_statistic(name, differences, shift):
    gained = np.add(differences, shift + 1 / 256)  # no zeros
    assert run(name, gained).statistic >= run(name, differences).statistic


def test_the_sizes_of_the_printed_rules_at_ten_folds():
    signs = np.array(list(itertools.product((-1, 1), repeat=10)))
    differences = signs * np.arange(1, 11)
    details = run("wilcoxon", differences).details
    # Smaller rank sums of at most 8 and of at most 7, of 1,024 sets: 2 × 25 and 2 × 19.
    assert np.sum(details["rejected_by_critical_value"]) == 50
    assert np.sum(details["rejected_below_critical_value"]) == 38
    assert np.sum(run("sign_test", differences).details["rejected_by_critical_wins"]) == 112


@pytest.mark.parametrize("name", OVER_FOLDS)
@pytest.mark.parametrize("steps", [2, 10**6])
def test_it_takes_many_at_once(name, steps):
    draws = np.random.default_rng(2).integers(-steps, steps + 1, (4, 5, 10))
    result = run(name, draws)
    assert result.p_value.shape == result.statistic.shape == (4, 5)
    for place in np.ndindex(4, 5):
        alone = run(name, draws[place])
        assert result.p_value[place] == pytest.approx(alone.p_value)
        assert result.statistic[place] == pytest.approx(alone.statistic)
        for detail, values in result.details.items():
            if np.ndim(values):
                assert values[place] == pytest.approx(alone.details[detail])
    assert run(name, np.zeros((0, 10))).p_value.shape == (0,)


@pytest.mark.parametrize("name", OVER_FOLDS)
def test_an_unknown_fold_makes_the_result_unknown(name):
    result = run(name, [[1, 2, np.nan, 4], [1, 2, 3, 4.5]])
    assert np.isnan([result.statistic[0], result.p_value[0]]).all()
    assert not np.isnan([result.statistic[1], result.p_value[1]]).any()
    alone = run(name, [1, 2, 3, 4.5])
    assert result.p_value[1] == pytest.approx(alone.p_value)


def test_each_vector_can_have_its_own_ratio():
    result = TESTS["corrected_t"]([[1, 2, 4], [1, 2, 4]], [0.1, 0.5])
    alone = [TESTS["corrected_t"]([1, 2, 4], ratio).p_value for ratio in (0.1, 0.5)]
    assert result.p_value.tolist() == pytest.approx(alone)
