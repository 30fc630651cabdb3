"""Verdicts about two learners in each bin of the time to the label."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import streameval as se
from streameval.base.errors import ConfigError
from streameval.evaluation.verdict_words import UNDECIDED

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


def test_instances_are_in_the_order_of_arrival_also_where_labels_are_not():
    clock = np.arange(1500)
    wait = np.random.default_rng(1).integers(1, 400, 1500)
    comparison = se.compare(replace(STREAM, time=clock, label_time=clock + wait), PAIR, bins=0)
    first, overall = comparison.by_bin[tuple(PAIR)][0], comparison.pairs[0]
    assert (first.difference, first.effective_size) == (overall.difference, overall.effective_size)


def test_learners_that_draw_are_compared_over_their_runs():
    forests = ["random_forest:members=3", "random_forest:members=3"]
    comparison = se.compare(STREAM, forests, delay=100, bins=1, runs=3, seed=5)
    assert (comparison.bins["difference"].abs() < 0.02).all()
    assert comparison.runs == 3
    assert comparison.pairs[0].difference == pytest.approx(
        comparison.bins["difference"][0], abs=1e-12
    )


def test_many_bins_are_shown_in_part_and_drawn(tmp_path):
    comparison = se.compare(STREAM, PAIR, delay=100, bins=60)
    words = " ".join(" ".join(comparison.lines()).split())
    assert "By bin of the time to the label, naive_bayes beats no_change in 62 of 62." in words
    assert "12 of 62 bins are shown. --json gives all of them." in words
    assert len(comparison.to_dict()["bins"]) == 62
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


def test_equal_predictions_are_no_evidence_of_equal_learners():
    comparison = se.compare(STREAM, ["no_change", "no_change"], delay=100, bins=1)
    (verdicts,) = comparison.by_bin.values()
    for verdict in verdicts:
        assert (verdict.difference, verdict.verdict) == (0.0, UNDECIDED)
        assert verdict.reason
