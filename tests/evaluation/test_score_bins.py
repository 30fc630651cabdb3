"""Class scores by bin: the mean of the forecasts in force, and its measures."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import reevaluation as naive

import streameval as se
from streameval.base.errors import ConfigError, DataError
from streameval.evaluation import class_scores as module
from streameval.evaluation.class_scores import ALL_SCORE_MEASURES, binned_scores
from streameval.protocols.reevaluation import reevaluation


@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 20)), min_size=1, max_size=12),
    st.integers(1, 3),
    st.integers(0, 4),
    st.integers(0, 2**32 - 1),
)
def test_a_bin_has_the_mean_of_the_forecasts_in_force(instances, every, bins, seed):
    time = np.array(sorted(begin for begin, _ in instances))
    label_time = time + [wait for _, wait in instances]
    _, prediction_events = reevaluation(time, label_time, every)
    scores = np.random.default_rng(seed).random((len(prediction_events), 3)).astype(np.float32)
    scores[:1] = 0  # no forecast: the uniform one
    binned = binned_scores(prediction_events, scores, bins)
    shares = scores.astype(float)
    shares[:1] = 1
    shares /= shares.sum(axis=1, keepdims=True)
    assert binned.shape == (bins + 2, len(prediction_events.labelled_rows), 3)
    np.testing.assert_allclose(binned.sum(axis=2), 1, atol=1e-6)
    for place, row in enumerate(prediction_events.labelled_rows):
        events = np.flatnonzero(prediction_events.row == row)
        for c in range(3):
            history = [(int(prediction_events.time[p]), shares[p, c]) for p in events]
            expected = [value for value, _ in naive.paper_bins(history, bins, naive.mean)]
            np.testing.assert_allclose(binned[:, place, c], expected, atol=1e-6)


def test_forecasts_that_do_not_change_are_the_same_in_all_bins():
    clock = np.arange(200)
    _, prediction_events = reevaluation(clock, clock + 37, 3)
    # Those of a row are always the same, and must have the same place among others.
    forecast = np.array([0.1, 0.3, 0.7], np.float32)[prediction_events.row % 3]
    binned = binned_scores(prediction_events, np.stack([forecast, 1 - forecast], axis=1), 7)
    np.testing.assert_array_equal(binned, np.broadcast_to(binned[:1], binned.shape))


@pytest.fixture(scope="module")
def result():
    return se.evaluate(se.generate("sea", rows=600), "naive_bayes", delay=40, scores=True)


def test_ends_are_predictions_on_arrival_and_just_before_the_label(result):
    binned = result.score_bins(bins=2)
    assert binned.columns.tolist() == ["learner", "bin", *ALL_SCORE_MEASURES, "predictions"]
    assert binned["bin"].tolist() == [0, 1, 2, 3] * 5
    arrival = result.scores()
    first = binned[binned["bin"] == 0].set_index("learner")[[*ALL_SCORE_MEASURES]]
    pd.testing.assert_frame_equal(first, arrival, check_names=False, rtol=1e-5, atol=1e-6)
    # Just before its label each is predicted with all labels before it, as if there were no delay.
    plain = se.evaluate(se.generate("sea", rows=600), "naive_bayes", scores=True, pretrain=41)
    last = binned[binned["bin"] == 3].set_index("learner")
    assert last.loc["naive_bayes", "log_loss"] == pytest.approx(
        plain.scores("log_loss").loc["naive_bayes", "log_loss"], rel=1e-5
    )


def test_skills_compare_with_forecasts_in_the_same_bin(result):
    names = ("brier", "brier_skill_over_label_transitions")
    binned = result.score_bins(*names, bins=3).set_index(["learner", "bin"])
    for b in range(5):
        ratio = binned["brier"]["naive_bayes", b] / binned["brier"]["label_transitions", b]
        assert binned[names[1]]["naive_bayes", b] == pytest.approx(1 - ratio)
        assert binned[names[1]]["label_transitions", b] == 0


def test_bins_of_the_rest_alone(result):
    stream = se.generate("sea", rows=600)
    rest = se.evaluate(stream, "naive_bayes", delay=40, scores=True, pretrain=200)
    binned = rest.score_bins("brier", bins=1)
    assert set(binned["predictions"]) == {400}
    first = binned[binned["bin"] == 0].set_index("learner")["brier"]
    np.testing.assert_allclose(first, rest.scores("brier")["brier"], rtol=1e-5)


def test_refusals(result, monkeypatch):
    stream = se.generate("sea", rows=100)
    with pytest.raises(ConfigError, match="scores=True"):
        se.evaluate(stream, "naive_bayes", delay=5).score_bins()
    with pytest.raises(ConfigError, match=r"Bins: .* found prequential"):
        se.evaluate(stream, "naive_bayes", scores=True).score_bins()
    with pytest.raises(ConfigError, match="bins"):
        result.score_bins(bins=-1)
    with pytest.raises(ConfigError, match="measure of class scores"):
        result.score_bins("log_los")

    def full(size, what, advice):
        raise DataError(f"{what} {advice}")

    monkeypatch.setattr(module, "check_room", full)
    with pytest.raises(DataError, match=r"in 9 bins for each of 559 instances Use fewer bins\."):
        result.score_bins(bins=9)
