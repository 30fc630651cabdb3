"""Measures of drift detection: detected drifts, delays and false alarms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import detection as naive

from drift_detection.measures import (
    DETECTION_MEASURES,
    find_drifts,
    mean_over_streams,
    normalised_delay,
)
from streameval.base.errors import DataError
from streameval.streams.drifts import Drift


def values_of(*arguments):
    detection = find_drifts(*arguments)
    return {name: measure.function(detection) for name, measure in DETECTION_MEASURES.items()}


@st.composite
def streams(draw, least=0):
    """Alarms, drifts, the number of instances, and a tolerance."""
    n = draw(st.integers(least + 1, 60))
    place = st.integers(0, n - 1)
    starts = sorted(draw(st.sets(place, min_size=least, max_size=5)))
    drifts = [Drift(start, draw(st.integers(0, 20))) for start in starts]
    return draw(st.sets(place, max_size=12)), drifts, n, draw(st.integers(1, 20))


@given(streams())
def test_each_equals_its_naive_twin(case):
    alarms, drifts, n, tolerance = case
    values, expected = values_of([*alarms], drifts, n, tolerance), naive.measures(*case)
    assert values.keys() == expected.keys()
    for name, value in expected.items():
        assert values[name] == pytest.approx(value, rel=1e-12, nan_ok=True), name


@given(streams())
def test_there_is_a_reason_exactly_where_a_measure_is_undefined(case):
    alarms, *rest = case
    detection = find_drifts([*alarms], *rest)
    for name, measure in DETECTION_MEASURES.items():
        value = measure.function(detection)
        assert math.isnan(value) == bool(measure.reason(detection)), name
        assert math.isnan(value) or measure.lower <= value <= measure.upper, name


@given(streams(), st.data())
def test_one_more_false_alarm_never_raises_precision(case, data):
    alarms, drifts, n, tolerance = case
    inside = {t for part in naive.episodes(drifts, n, tolerance) for t in part}
    outside = [t for t in range(n) if t not in inside | alarms]
    if not outside:
        return
    more = alarms | {data.draw(st.sampled_from(outside))}
    before = values_of([*alarms], drifts, n, tolerance)
    after = values_of([*more], drifts, n, tolerance)
    assert not after["episode_precision"] > before["episode_precision"]
    assert not after["episode_f1"] > before["episode_f1"]
    assert after["false_alarm_rate"] > before["false_alarm_rate"]
    for name in ("episode_recall", "mean_delay", "normalised_delay"):
        assert after[name] == pytest.approx(before[name], nan_ok=True)


@given(streams(), st.data())
def test_one_more_alarm_in_an_episode_finds_as_much_or_more_and_is_not_false(case, data):
    alarms, drifts, n, tolerance = case
    inside = [t for part in naive.episodes(drifts, n, tolerance) for t in part]
    if not inside:
        return
    more = alarms | {data.draw(st.sampled_from(inside))}
    before = find_drifts([*alarms], drifts, n, tolerance)
    after = find_drifts([*more], drifts, n, tolerance)
    assert after.false_alarms.tolist() == before.false_alarms.tolist()
    assert after.n_detected >= before.n_detected
    assert normalised_delay(after) <= normalised_delay(before)


def test_a_case_by_hand():
    # Episodes [100, 150), [300, 320) and [320, 420), [900, 1000); 270 instances are inside.
    drifts = [Drift(100), Drift(300, 100), Drift(320, 50), Drift(900, 80)]
    alarms = [50, 120, 130, 149, 150, 310, 420, 899]
    detection = find_drifts(alarms, drifts, 1000, 50)
    assert detection.end.tolist() == [150, 320, 420, 1000]
    np.testing.assert_array_equal(detection.delay, [20, 10, np.nan, np.nan])
    assert detection.false_alarms.tolist() == [50, 150, 420, 899]
    assert (detection.n_detected, detection.n_outside) == (2, 730)
    assert {name: measure.function(detection) for name, measure in DETECTION_MEASURES.items()} == {
        "episode_recall": 0.5,
        "episode_precision": 2 / 6,
        "episode_f1": 4 / 10,
        "mean_delay": 15.0,
        "normalised_delay": (20 / 50 + 10 / 20 + 1 + 1) / 4,
        "false_alarm_rate": 4000 / 730,
        "time_between_false_alarms": 730 / 4,
    }


def test_reasons_say_what_is_missing():
    def reasons(*arguments):
        detection = find_drifts(*arguments)
        return {name: measure.reason(detection) for name, measure in DETECTION_MEASURES.items()}

    none = reasons([], [], 4000, 10)
    assert none["episode_recall"] == none["mean_delay"] == "there is no known drift"
    assert none["episode_precision"] == "there is no alarm"
    assert none["time_between_false_alarms"] == (
        "there is no false alarm among 4,000 instances outside of episodes"
    )
    missed = reasons([5], [(100, 0)], 200, 10)
    assert missed["mean_delay"] == "no drift is found"
    inside = reasons([5], [(0, 0)], 20, 30)
    assert inside["false_alarm_rate"] == inside["time_between_false_alarms"]
    assert inside["false_alarm_rate"] == "every instance is in the episode of a drift"


@pytest.mark.parametrize(
    ("case", "message"),
    [
        (([7], [], 7, 1), "expected alarms that are whole numbers from 0 to 6, .*found 7"),
        (([0.5], [], 7, 1), "found 0.5"),
        (([True, False], [], 7, 1), "found an array of bool"),
        (([[1]], [], 7, 1), r"of shape \(1, 1\)"),
        (([], [(7, 1)], 7, 1), "expected starts of drifts that"),
        (([], [(5, 1), (5, 1)], 7, 1), r"expected starts that increase, found \[5, 5\]"),
        (([], [(5, -1)], 7, 5), r"found widths \[-1\] and tolerance 5"),
        (([], [(5, 0)], 7, 0), "with a sum of at least 1"),
        (([], [(5, 3)], 7, -1), "tolerance -1"),
    ],
)
def test_what_is_no_position_is_refused(case, message):
    with pytest.raises(DataError, match=message):
        find_drifts(*case)


def test_the_mean_over_streams_has_students_interval():
    detections = [find_drifts([t], [(20, 0)], 100, 50) for t in (20, 30, 40, 50)]
    mean, low, high, reason = mean_over_streams(detections, "mean_delay")
    assert (mean, reason) == (15, "")
    half = 3.182446305284263 * math.sqrt(500 / 3 / 4)  # t(0.975, 3) of tables
    assert low == 0  # 15 - half is below any delay
    assert high == pytest.approx(15 + half)


def test_equal_values_between_bounds_have_an_interval():
    interval = mean_over_streams([find_drifts([20], [(20, 0)], 100, 50)] * 10, "episode_recall")
    assert (interval.mean, interval.high, interval.reason) == (1, 1, "")
    assert interval.low == pytest.approx(0.025**0.1, abs=0.02)  # ten of ten: Clopper and Pearson


@pytest.mark.parametrize(
    ("alarms", "measure", "mean", "reason"),
    [
        ([[20], [20]], "mean_delay", 0, "no interval: all streams have the same value"),
        ([[1], [2]], "time_between_false_alarms", 50, "no interval: none is calibrated"),
        ([[20]], "episode_recall", 1, "no interval: there is only one stream"),
        ([[20], [], []], "mean_delay", None, "undefined on 2 of 3 streams: no drift is found"),
        ([], "episode_recall", None, "there is no stream"),
    ],
)
def test_without_an_interval_there_is_a_reason(alarms, measure, mean, reason):
    interval = mean_over_streams(
        [find_drifts(each, [(20, 0)], 100, 50) for each in alarms], measure
    )
    assert interval.reason == reason
    assert math.isnan(interval.low)
    assert math.isnan(interval.high)
    assert math.isnan(interval.mean) if mean is None else interval.mean == mean
