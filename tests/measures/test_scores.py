"""Measures of class scores equal their twins: over all predictions, windows, and with fading."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import scores as naive

from streameval.base.errors import ConfigError, DataError
from streameval.measures import ranking, scores
from streameval.measures.calibration import N_BINS
from streameval.measures.forecasts import FLOOR, checked_forecasts
from streameval.measures.ranking import count_pairs
from streameval.measures.scores import (
    SCORE_MEASURES,
    faded_scores,
    overall_scores,
    skill,
    window_scores,
)
from streameval.measures.sliding_windows import checked_windows

MEANS = [name for name, measure in SCORE_MEASURES.items() if measure.losses is not None]


#: A score for each byte, which hypothesis draws fast: half are eighths, for many ties and zeros.
SCORES = np.concatenate([
    np.arange(128) % 5 / 8,
    [1.0, 2.0**-149, 2.0**-126, 1e-7, 2.0**-24, 1.0 - 2.0**-24],
    np.random.default_rng(1).random(122, dtype=np.float32),
])  # fmt: skip


def drawn_bytes(n):
    return st.binary(min_size=n, max_size=n)


@st.composite
def cases(draw, classes=(1, 4), rows=(1, 30)):
    """True labels (n,) and scores (n, k): many ties, zeros, and rows without a forecast."""
    k, n = draw(st.integers(*classes)), draw(st.integers(*rows))
    true = [byte % k for byte in draw(drawn_bytes(n))]
    places = np.frombuffer(draw(drawn_bytes(n * k)), np.uint8)
    array = SCORES[places].reshape(n, k).astype(draw(st.sampled_from([np.float32, np.float64])))
    array[[byte % 10 == 9 for byte in draw(drawn_bytes(n))], 0] = np.nan
    return true, array


def assert_equal_to_twin(values, true, table):
    """Compare the values of all measures at one position."""
    expected = naive.measures(true, table, FLOOR, N_BINS)
    assert {*expected} == {*SCORE_MEASURES}
    for name, value in values.items():
        # The twin rounds once; here up to 30 numbers are added.
        assert value == pytest.approx(expected[name], rel=1e-12, abs=1e-12, nan_ok=True), name


@settings(max_examples=150)
@given(cases())
def test_all_measures_equal_their_twins(case):
    true, table = case
    result = overall_scores(checked_forecasts(true, table))
    assert_equal_to_twin({name: each.value[0] for name, each in result.items()}, true, table)


@settings(max_examples=40)
@given(cases(), st.integers(1, 12), st.integers(1, 8))
def test_windows_equal_a_recount(case, window, portion):
    true, table = case
    at = np.arange(1, len(true) + 1)
    with pytest.MonkeyPatch.context() as patch:
        # Batches and portions of a few windows.
        patch.setattr(ranking, "_MIN_BATCH_LENGTH", 3)
        patch.setattr(scores, "_MAX_COUNTS", portion * table.shape[1] ** 2)
        result = window_scores(checked_forecasts(true, table), window=window, positions=at)
    for t in at:
        now = slice(max(0, t - window), t)
        values = {name: each.value[t - 1] for name, each in result.items()}
        assert_equal_to_twin(values, true[now], table[now])


@settings(max_examples=60)
@given(cases(), st.integers(1, 40), st.sampled_from([1, 3, 50]), st.data())
def test_pairs_are_counted_exactly(case, window, batch, data):
    true, table = case
    n, k = table.shape
    at = sorted(data.draw(st.sets(st.integers(1, n), min_size=1)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranking, "_MIN_BATCH_LENGTH", batch)
        pairs = count_pairs(checked_forecasts(true, table), checked_windows(window, at, n))
    for s, t in enumerate(at):
        now = slice(max(0, t - window), t)
        labels, rows = true[now], table[now]
        assert pairs.counts[s].tolist() == [labels.count(c) for c in range(k)]
        for i in range(k):
            for j in range(k):
                won, _ = naive.pairs_won(labels, rows, i, j) if i != j else (0, 0)
                assert pairs.twice_concordant[s, i, j] == 2 * won


@settings(max_examples=40)
@given(cases(), st.sampled_from([1.0, 0.999, 0.9, 0.5, 1e-3]))
def test_faded_means_equal_their_twins(case, fading):
    true, table = case
    at = np.arange(1, len(true) + 1)
    result = faded_scores(checked_forecasts(true, table), fading=fading, positions=at)
    assert [*result] == MEANS
    losses = {
        "log_loss": naive.log_losses(true, table, FLOOR),
        "brier": [float(loss) for loss in naive.brier_losses(true, table)],
        "top_2_accuracy": [float(credit) for credit in naive.top_accuracies(true, table, 2)],
    }
    for name, values in losses.items():
        for t in at:
            expected = naive.faded_mean(values[:t], fading)
            if result[name].reason[t - 1]:
                expected = math.nan
            assert result[name].value[t - 1] == pytest.approx(expected, rel=1e-9, nan_ok=True)


@settings(max_examples=60)
@given(cases(rows=(0, 30)), st.integers(1, 12))
def test_undefined_has_a_reason(case, window):
    true, table = case
    forecasts = checked_forecasts(true, table)
    at = np.arange(1, len(true) + 1)
    for result in (
        overall_scores(forecasts),
        window_scores(forecasts, window=window, positions=at),
    ):
        for name, (values, reasons) in result.items():
            measure = SCORE_MEASURES[name]
            np.testing.assert_array_equal(np.isnan(values), reasons != "")
            inside = values[reasons == ""]
            assert ((measure.lower - 1e-12 <= inside) & (inside <= measure.upper + 1e-12)).all()


def test_reasons():
    empty = overall_scores(checked_forecasts([], np.zeros((0, 2))))
    assert {each.reason[0] for each in empty.values()} == {
        "there are no predictions",
        "there are no more than 2 classes",
        "there are no more than 3 classes",
        "there are no more than 5 classes",
    }
    table = np.full((3, 3), 1 / 3)
    result = overall_scores(checked_forecasts([1, 1, 1], table))
    several = "it is defined for two classes only: auc_one_vs_one and auc_one_vs_rest are for more"
    assert result["auc"].reason[0] == several
    assert result["auc_one_vs_one"].reason[0] == "there is only one true class"
    assert result["top_3_accuracy"].reason[0] == "there are no more than 3 classes"
    assert result["log_loss"].reason[0] == ""


def test_votes_are_divided_by_their_sum():
    true, votes = [0, 1, 1], np.array([[3, 1], [0, 8], [5, 5]])
    first = overall_scores(checked_forecasts(true, votes), ["brier", "log_loss"])
    second = overall_scores(checked_forecasts(true, votes / votes.sum(axis=1, keepdims=True)))
    for name, values in first.items():
        assert values.value[0] == pytest.approx(second[name].value[0])


@pytest.mark.parametrize("wrong", [-0.1, np.inf])
def test_scores_that_are_no_probabilities_are_refused(wrong):
    table = np.full((4, 2), 0.5)
    table[2, 1] = wrong
    with pytest.raises(DataError, match=r"not negative.*found .* in row 2\. Give votes"):
        checked_forecasts([0, 1, 0, 1], table)


@pytest.mark.parametrize(
    ("true", "table", "message"),
    [
        ([0, 1], [0.5, 0.5], r"shape \(n, k\), found float64 of shape \(2,\)"),
        ([0], [["a", "b"]], r"expected numbers of shape \(n, k\), found <U1"),
        ([0, 1], [[0.5, 0.5]], r"expected shape \(1,\), found \(2,\)"),
        ([-1], [[0.5, 0.5]], r"expected codes 0\.\.1, found -1 at position 0"),
    ],
)
def test_what_does_not_fit_is_named(true, table, message):
    with pytest.raises(DataError, match=message):
        checked_forecasts(true, table)


def test_bad_parameters_are_named():
    forecasts = checked_forecasts([0, 1], [[0.5, 0.5]] * 2)
    with pytest.raises(ConfigError, match=r"expected some of auc, .*, found 'kappa'"):
        overall_scores(forecasts, ["kappa"])
    with pytest.raises(ConfigError, match="Window: expected at least 1 prediction, found 0"):
        window_scores(forecasts, window=0, positions=[1])
    with pytest.raises(ConfigError, match=r"Fading factor: .*found 1\.5"):
        faded_scores(forecasts, fading=1.5, positions=[1])
    with pytest.raises(ConfigError, match=r"auc is not a mean over.*one of log_loss, "):
        faded_scores(forecasts, ["brier", "auc"], fading=0.9, positions=[1])
    with pytest.raises(DataError, match="Sample positions: expected increasing"):
        window_scores(forecasts, window=1, positions=[3])


def test_skill():
    assert skill(0.2, 0.4) == 0.5
    assert np.isnan(skill([0.0, 0.3], 0.0)).all()
    losses = np.random.default_rng(1).random(100)
    assert (skill(losses, losses) == 0).all()


def test_windows_after_large_losses_are_exactly_zero():
    true = [1, 0] * 500 + [1] * 1000
    table = np.tile([0.0, 1.0], (2000, 1))
    result = window_scores(checked_forecasts(true, table), window=300, positions=np.arange(1, 2001))
    for name in ("brier", "log_loss", "log_loss_clipped"):
        assert (result[name].value[1299:] == 0).all()
        assert (result[name].value[:1299] > 0).sum() >= 1298


def test_pairs_that_do_not_fit_are_refused(monkeypatch):
    monkeypatch.setattr("streameval.base.memory.free_bytes", lambda: 2**27)
    forecasts = checked_forecasts([0, 1], np.ones((2, 4000)))
    with pytest.raises(DataError, match=r"4,000 classes in 1 window.* would need"):
        overall_scores(forecasts, ["auc_one_vs_one"])
