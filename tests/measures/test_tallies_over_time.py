"""Tallies along a stream equal a recount of each stretch."""

from __future__ import annotations

import tracemalloc
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import measures as naive
from naive.detectors import uniforms
from test_measures import labels

from streameval.base.errors import ConfigError, DataError
from streameval.measures.counting import tally
from streameval.measures.registry import MEASURES
from streameval.measures.tallies_over_time import NEGLIGIBLE, fading_tallies, window_tallies
from streameval.measures.tally import Tally


def assert_recount(counted, true, predicted, no_change, majority, k, weights=None):
    least = NEGLIGIBLE * (len(true) if weights is None else sum(weights))

    def kept(weight):
        return weight if weight >= least else 0.0

    table = [[kept(w) for w in row] for row in naive.confusion(true, predicted, k, weights)]
    for counts, expected in (
        (counted.true_counts, [sum(row) for row in table]),
        (counted.predicted_counts, naive.column_sums(table)),
        (counted.class_correct, [table[c][c] for c in range(k)]),
    ):
        np.testing.assert_allclose(counts, expected, rtol=1e-11)
    for result, answers in (
        (counted.wrong, predicted),
        (counted.no_change_wrong, no_change),
        (counted.majority_wrong, majority),
    ):
        assert float(result) == pytest.approx(kept(naive.wrong(true, answers, weights)), rel=1e-11)


@settings(max_examples=60)
@given(labels(), st.integers(1, 50))
def test_windows_equal_a_recount(case, window):
    k, *columns = case
    true, predicted, no_change, majority = columns
    n = len(true)
    at = np.arange(1, n + 1)
    counted = window_tallies(
        true, predicted, k, window=window, positions=at, no_change=no_change, majority=majority
    )
    total = window_tallies(
        true, predicted, k, window=n, positions=at, no_change=no_change, majority=majority
    )
    for t in range(1, n + 1):
        assert_recount(counted[t - 1], *(c[max(0, t - window) : t] for c in columns), k)
        assert_recount(total[t - 1], *(c[:t] for c in columns), k)


@settings(max_examples=60)
# Of 0.001 the fourth power is what is negligible, so that rounding would decide.
@given(labels(), st.sampled_from([1.0, 0.999, 0.9, 0.5, 2e-3]))
def test_faded_counts_equal_a_recount(case, fading):
    k, *columns = case
    true, predicted, no_change, majority = columns
    at = np.arange(1, len(true) + 1)
    counted = fading_tallies(
        true, predicted, k, fading=fading, positions=at, no_change=no_change, majority=majority
    )
    for t in at:
        weights = naive.fading_weights(int(t), fading)
        assert_recount(counted[t - 1], *(c[:t] for c in columns), k, weights)


def drifting(seed, n=4000, k=3):
    """Sticky labels, and answers that are right in 90 %, then 50 %, then 80 % of the cases."""
    u = uniforms(seed)
    true, predicted, last = [], [], 0
    for t in range(n):
        if next(u) < 0.3:
            last = int(next(u) * k)
        right = (0.9, 0.5, 0.8)[min(2, 3 * t // n)]
        true.append(last)
        predicted.append(last if next(u) < right else int(next(u) * (k + 1)) - 1)
    return true, predicted


def all_kinds(true, predicted, k, at, **baselines):
    baselines = baselines or naive.at_once(true, k)
    for window in (1, 7, 250, len(true)):
        yield window_tallies(true, predicted, k, window=window, positions=at, **baselines)
    for fading in (0.9, 0.995):
        yield fading_tallies(true, predicted, k, fading=fading, positions=at, **baselines)


def test_values_do_not_depend_on_the_sampling():
    true, predicted = drifting(5, n=1000)
    every, some = np.arange(1, 1001), np.array([1, 2, 500, 777, 1000])
    kinds = zip(
        all_kinds(true, predicted, 3, every), all_kinds(true, predicted, 3, some), strict=True
    )
    for full, sampled in kinds:
        for field in fields(Tally):
            np.testing.assert_array_equal(
                getattr(full[some - 1], field.name), getattr(sampled, field.name)
            )


def test_baselines_against_themselves_are_exactly_zero_in_every_window():
    # MOA's majority learner against MOA's majority comparator: -0.5 % cumulative, 2.5 % over
    # a window, 37 % with ADWIN on a sticky binary stream.
    true, _ = drifting(1, n=3000)
    at = np.arange(1, 3001)
    # Baselines of a delayed tape: what No-Change and majority knew five labels ago.
    no_change = [-1] * 5 + naive.no_change(true)[:-5]
    majority = [-1] * 5 + naive.majority(true, 3)[:-5]
    baselines = {"no_change": no_change, "majority": majority}
    for name, answers, given_answers in (
        ("kappa_temporal", naive.no_change(true), {}),
        ("kappa_m", naive.majority(true, 3), {}),
        ("kappa_temporal", no_change, baselines),
        ("kappa_m", majority, baselines),
    ):
        for counted in all_kinds(true, answers, 3, at, **given_answers):
            values, reasons = MEASURES[name].value(counted), MEASURES[name].reason(counted)
            assert (values[reasons == ""] == 0).all()
            assert np.isnan(values[reasons != ""]).all()
            assert (reasons == "").any()


def test_undefined_has_a_reason_in_every_window():
    true, predicted = drifting(4, n=2000)
    true[500:1200] = [1] * 700  # a long run of one class
    predicted[600:1100] = [1] * 500
    for counted in all_kinds(true, predicted, 3, np.arange(1, 2001)):
        for measure in MEASURES.values():
            values, reasons = measure.value(counted), measure.reason(counted)
            np.testing.assert_array_equal(np.isnan(values), reasons != "")
            assert not np.isinf(values).any()


def test_what_has_faded_away_defines_nothing():
    # After 3,000 predictions of class 1 the first ten weigh 0.99^3000 = 8e-14: forgotten.
    true = [0] * 10 + [1] * 3000
    counted = fading_tallies(
        true, true, 2, fading=0.99, positions=[1000, 3010], **naive.at_once(true, 2)
    )
    assert list(MEASURES["kappa"].reason(counted)) == [
        "",
        "all labels and all predictions are one and the same class, so chance is always right",
    ]
    assert MEASURES["kappa_temporal"].reason(counted)[1] == "No-Change is always right"
    assert counted.class_correct[0, 0] > NEGLIGIBLE
    for counts in (counted.true_counts, counted.predicted_counts, counted.class_correct):
        assert counts[1, 0] == 0
    np.testing.assert_array_equal(MEASURES["accuracy"].value(counted), 1)


def test_the_scale_of_faded_counts_is_brought_back_in_time():
    # 0.5^-3000 = 1e903 would overflow; what is older than 60 predictions is forgotten
    true, predicted = drifting(6, n=3000)
    counted = fading_tallies(
        true, predicted, 3, fading=0.5, positions=[3000], **naive.at_once(true, 3)
    )
    columns = true, predicted, naive.no_change(true), naive.majority(true, 3)
    assert_recount(
        counted[0], *(column[-60:] for column in columns), 3, naive.fading_weights(60, 0.5)
    )


def test_the_tally_of_a_window_of_all_is_the_tally():
    true, predicted = drifting(8, n=1000)
    last = window_tallies(
        true, predicted, 3, window=1000, positions=[1000], **naive.at_once(true, 3)
    )[0]
    whole = tally(true, predicted, 3, **naive.at_once(true, 3))
    for field in fields(Tally):
        np.testing.assert_array_equal(getattr(last, field.name), getattr(whole, field.name))


def test_no_positions_give_no_tallies():
    for counted in all_kinds([0, 1], [0, 1], 2, []):
        assert counted.shape == (0,)


@pytest.mark.parametrize("at", [[0, 1], [1, 1], [3], [1.5], [[1]]])
def test_bad_positions_are_named(at):
    with pytest.raises(DataError, match="Sample positions: expected"):
        window_tallies([0, 1], [0, 1], 2, window=2, positions=at, **naive.at_once([0, 1], 2))


def test_bad_parameters_are_named():
    with pytest.raises(ConfigError, match="Window: expected at least 1"):
        window_tallies([0], [0], 1, window=0, positions=[1], **naive.at_once([0], 1))
    with pytest.raises(ConfigError, match=r"Fading factor: .*found 1\.1"):
        fading_tallies([0], [0], 1, fading=1.1, positions=[1], **naive.at_once([0], 1))


def test_many_classes_are_counted_in_little_memory():
    # A k x k table of them would take 8 GiB; here 40 positions of 3 k + 4 counts are 32 MB.
    k, n = 32_767, 8_000
    random = np.random.default_rng(1)
    true = random.permutation(n)
    predicted = np.where(random.random(n) < 0.5, true, random.integers(-1, n, n))
    at = np.arange(1, 41) * 200
    tracemalloc.start()
    for counted in (
        tally(true, predicted, k, **naive.at_once(true, k)),
        *all_kinds(true, predicted, k, at),
    ):
        for measure in MEASURES.values():
            measure.value(counted)
            measure.reason(counted)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 400e6


@given(labels(), st.sampled_from([0.99, 0.5]))
def test_classes_that_do_not_occur_change_no_faded_count(case, fading):
    # With k (k + 1) above the number of predictions, only pairs that occur are counted.
    k, true, predicted, *_ = case
    at = np.arange(1, len(true) + 1)
    few = fading_tallies(true, predicted, k, fading=fading, positions=at, **naive.at_once(true, k))
    many = fading_tallies(
        true, predicted, k + 40, fading=fading, positions=at, **naive.at_once(true, k + 40)
    )
    columns = np.r_[:k, -1]
    np.testing.assert_allclose(many.true_counts[:, :k], few.true_counts, rtol=1e-14)
    np.testing.assert_allclose(many.predicted_counts[:, columns], few.predicted_counts, rtol=1e-14)
    np.testing.assert_array_equal(many.class_correct[:, :k], few.class_correct)
    assert many.true_counts[:, k:].sum() == many.predicted_counts[:, k:-1].sum() == 0
