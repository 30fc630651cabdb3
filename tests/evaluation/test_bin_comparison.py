"""Verdicts about two learners in each bin of the time to the label."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

import streameval as se
from streameval.base.errors import ConfigError
from streameval.evaluation.bin_comparison import _verdicts_of_pair
from streameval.evaluation.verdict_words import EQUAL, Region
from streameval.evaluation.verdicts import ComparisonPlan, uncovered_seeds_reason
from streameval.protocols.reevaluation import Reevaluation
from streameval.significance.stream_mean import stream_mean

STREAM = se.generate("sea", rows=1500)
PAIR = ["naive_bayes", "no_change"]
PLANES = se.generate("planes", rows=1500)


@pytest.mark.parametrize(
    ("stream", "pair"),
    [(STREAM, PAIR), (PLANES, ["previous_target", "target_mean"])],
    ids=["classes", "numbers"],
)
def test_each_bin_is_compared_by_what_counts_in_it(stream, pair):
    comparison = se.compare(stream, pair, delay=100, bins=3)
    result = se.evaluate(stream, pair, delay=100)
    by_learner = result.bins(3).set_index(["learner", "bin"])[result.task.measure]
    assert comparison.bins["bin"].tolist() == [0, 1, 2, 3, 4]
    sign = 1 if stream is STREAM else -1  # of errors less is better
    for b, difference in enumerate(comparison.bins["difference"]):
        expected = by_learner[pair[0], b] - by_learner[pair[1], b]
        assert difference == pytest.approx(sign * expected, abs=1e-12)
    # On arrival it is the verdict without bins, but for the number of intervals.
    assert comparison.pairs == se.compare(stream, pair, delay=100).pairs
    first, overall = comparison.by_bin[tuple(pair)][0], comparison.pairs[0]
    assert (first.difference, first.effective_size) == (overall.difference, overall.effective_size)
    assert first.low < overall.low
    assert first.high > overall.high
    assert first.p_value == pytest.approx(min(1.0, 5 * overall.p_value))
    gaps = result.table.losses(pair[1]).astype(float) - result.table.losses(pair[0])
    known = gaps[~np.isnan(gaps)]  # the first 101 know no target
    assert len(known) == len(gaps) == 1399
    assert first.difference == pytest.approx(known.mean(), abs=1e-9)


def test_learners_that_draw_are_compared_over_their_runs():
    forests = ["random_forest", "random_forest"]
    comparison = se.compare(STREAM, forests, delay=100, bins=1, runs=3, seed=5)
    assert (comparison.bins["difference"].abs() < 0.02).all()
    assert comparison.runs == 3
    assert comparison.pairs[0].difference == pytest.approx(
        comparison.bins["difference"][0], abs=1e-12
    )


def test_it_is_said_and_kept_and_drawn(tmp_path):
    comparison = se.compare(STREAM, [*PAIR, "majority"], delay=100, bins=60)
    lines = comparison.lines()
    words = " ".join(" ".join(lines).split())
    assert "By bin of the time to the label, naive_bayes beats no_change in 62 of 62." in words
    assert "95 % intervals hold for all bins of all pairs at once" in words
    assert "12 of 62 bins are shown. --json gives all of them." in words
    assert max(map(len, "\n".join(lines).splitlines())) <= 100
    pairs = comparison.to_dict()["pairs"]
    assert [len(pair["bins"]) for pair in pairs] == [62, 62, 62]
    assert pairs[1]["bins"][61]["verdict"] == comparison.bins["verdict"][123]
    comparison.plot_bins().figure.savefig(tmp_path / "bins.svg")
    assert (tmp_path / "bins.svg").stat().st_size > 1000


def test_bins_need_delays():
    with pytest.raises(ConfigError, match="expected delayed labels"):
        se.compare(STREAM, PAIR, bins=5)
    with pytest.raises(ConfigError, match=r"bins: .*found -1"):
        se.compare(STREAM, PAIR, delay=5, bins=-1)
    plain = se.compare(STREAM, PAIR, delay=5)
    assert plain.bins.empty
    with pytest.raises(ConfigError, match="by bins"):
        plain.plot_bins()


class _OneRun:
    """Runs without a randomised learner, as `uncovered_seeds_reason` reads them."""

    random_learners = frozenset[str]()
    tested = np.ones((1, 1))


def _chain(rng: np.random.Generator, n: int, dependence: float) -> np.ndarray:
    """States that repeat; each of two is as frequent."""
    stays = rng.random(n) < dependence
    states = rng.random(n) < 0.5
    last = np.maximum.accumulate(np.where(stays & (np.arange(n) > 0), 0, np.arange(n)))
    return states[last]


def simulated(rng: np.random.Generator, n: int, dependence: float, bins: int) -> np.ndarray:
    """Whether a learner is correct, shape (1, n, bins): in each bin a part is drawn anew."""
    columns = [_chain(rng, n, dependence)]
    for _ in range(bins - 1):
        columns.append(np.where(rng.random(n) < 0.3, _chain(rng, n, dependence), columns[-1]))
    return np.stack(columns, axis=1)[None]


@pytest.mark.parametrize(("n", "dependence"), [(600, 0.0), (2000, 0.5), (3000, 0.9)])
def test_equal_learners_are_rarely_told_apart_in_any_bin(n, dependence):
    """Of 300 streams, the intervals of all 6 bins are to contain 0 in 95 %."""
    rng, bins, wrong, streams = np.random.default_rng([n, 7]), 6, 0, 300
    plan = ComparisonPlan(Reevaluation(), Region(0.0))
    assert not uncovered_seeds_reason(_OneRun(), ("a", "b"), plan)
    for _ in range(streams):
        gains = {name: simulated(rng, n, dependence, bins) for name in "ab"}
        verdicts = _verdicts_of_pair(("a", "b"), gains, _OneRun(), plan, n_intervals=bins)
        wrong += any(verdict.low > 0 or verdict.high < 0 for verdict in verdicts)
    assert binomtest(wrong, streams).proportion_ci().low <= 0.05
    assert wrong <= 24  # 8 % of the streams


def test_a_bin_that_is_as_the_one_before_has_its_verdict():
    rng = np.random.default_rng(3)
    gains = {name: simulated(rng, 500, 0.0, 2).repeat(2, axis=2) for name in "ab"}
    verdicts = _verdicts_of_pair(
        ("a", "b"), gains, _OneRun(), ComparisonPlan(Reevaluation(), Region(0.01)), n_intervals=4
    )
    assert verdicts[0] is verdicts[1]
    assert verdicts[2] is verdicts[3]
    series = gains["a"][0, :, 0].astype(float) - gains["b"][0, :, 0]
    assert verdicts[0].low == stream_mean(series, 1 - 0.05 / 4).low
    same = {"a": gains["a"], "b": gains["a"]}
    alike = _verdicts_of_pair(
        ("a", "b"), same, _OneRun(), ComparisonPlan(Reevaluation(), Region(0.01)), n_intervals=4
    )
    assert all(
        verdict.verdict != EQUAL and verdict.reason for verdict in alike
    )  # no variance, no evidence
