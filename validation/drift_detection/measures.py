"""Measures of drift detection: they compare alarms with known drifts.

The episode of a drift is the range of instances in which an alarm detects it. A drift that starts
at s with width w has the episode [s, s + w + tolerance), which ends earlier at the next drift or at
the end of the stream. The first alarm in an episode is a hit, and its delay is the distance to s.
Further alarms there are ignored: they are neither hits nor false, since a detector may need several
alarms to drop an old concept. Alarms outside of episodes are false. Warnings are no alarms.

A detector that always signals detects every drift at once. So recall and delay are meaningless
without the number of false alarms. They should be compared with a detector that signals equally
often at random.

References
----------
Cerqueira, Gomes, Heyden, Pfahringer, Bifet (2026), A framework for evaluating and benchmarking
concept drift detection methods, arXiv:2606.07789: F1 of detections, and delays that are comparable
across streams. Definitions here differ, see above.
Bifet, Read, Pfahringer, Holmes, Žliobaitė (2013), CD-MOA: change detection framework for massive
online analysis: fast detection against false alarms.
Bifet (2017), Classifier concept drift detection and the illusion of progress: detectors that ignore
their inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from streameval.base.arrays import Floats, Integers
from streameval.base.errors import DataError
from streameval.significance.bounded_mean import bounded_mean_interval
from streameval.significance.intervals import CONFIDENCE, mean_interval


class DetectedDrifts(NamedTuple):
    """The drifts that alarms detect, on a stream of n instances with k drifts."""

    n: int
    start: Integers  # (k,) first instance of each episode
    end: Integers  # (k,) instance after the last instance of each episode
    delay: Floats  # (k,) instances from the start to the first alarm; NaN if the drift is missed
    false_alarms: Integers  # (f,) positions of alarms outside of episodes

    @property
    def n_detected(self) -> int:
        """Number of drifts with an alarm in their episode."""
        return int(np.count_nonzero(~np.isnan(self.delay)))

    @property
    def n_outside(self) -> int:
        """Number of instances outside of episodes."""
        return self.n - int((self.end - self.start).sum())


def find_drifts(
    alarms: ArrayLike, drifts: Iterable[tuple[int, int]], n: int, tolerance: int
) -> DetectedDrifts:
    """Find the drifts that alarms detect, their delays, and the false alarms.

    Parameters
    ----------
    alarms : array-like of int, shape (a,)
        Positions of alarms, 0 to n - 1, in any order: `Alarms.changes` of a detector.
    drifts : iterable of (int, int)
        The known drifts in order: the first instance that a drift affects, 0 to n - 1, and the
        number of instances that it takes. May be empty.
    n : int
        Number of instances of the stream.
    tolerance : int
        Number of instances after a drift in which an alarm still detects it. It must be at least 1
        if a drift has no width, as an empty episode cannot have an alarm.

    Raises
    ------
    DataError
        If a position is not a whole number from 0 to n - 1, drifts are not in order, or an episode
        is empty.
    """
    positions = np.unique(_positions("alarms", alarms, n))
    starts_and_widths = np.array([*drifts], dtype=np.int64).reshape(-1, 2)
    start, width = (
        _positions("starts of drifts", starts_and_widths[:, 0], n),
        starts_and_widths[:, 1],
    )
    if (np.diff(start) <= 0).any():
        raise DataError(f"Drifts: expected starts that increase, found {start.tolist()}.")
    if (width < 0).any() or tolerance < 0 or (width + tolerance < 1).any():
        raise DataError(
            "Drifts: expected widths and a tolerance of at least 0, with a sum of at least 1, "
            f"found widths {width.tolist()} and tolerance {tolerance}."
        )
    # An episode ends at the next drift; the last episode ends with the stream.
    end = np.minimum(start + width + tolerance, np.append(start[1:], n)[: len(start)])
    # n stands for no alarm: it is not before the end of any episode.
    next_alarm = np.append(positions, n)[np.searchsorted(positions, start)]
    delay = np.where(next_alarm < end, next_alarm - start, np.nan)
    last_drift = np.searchsorted(start, positions, side="right") - 1
    # Before the first drift the index is -1, which selects the appended 0.
    is_inside = (last_drift >= 0) & (positions < np.append(end, 0)[last_drift])
    return DetectedDrifts(n, start, end, delay, positions[~is_inside])


def _positions(name: str, values: ArrayLike, n: int) -> Integers:
    """Check positions of instances, called `name` in messages."""
    array = np.asarray(values)
    if array.size == 0:
        return np.empty(0, dtype=np.int64)
    description = f"an array of {array.dtype} of shape {array.shape}"
    if array.ndim == 1 and array.dtype.kind in "iuf":
        wrong = ~((array >= 0) & (array < n) & (array % 1 == 0))
        if not wrong.any():
            return array.astype(np.int64)
        description = str(array[wrong][0])
    raise DataError(
        f"Drift detection: expected {name} that are whole numbers from 0 to {n - 1:,}, positions "
        f"of {n:,} instances, found {description}."
    )


def episode_recall(detection: DetectedDrifts) -> float:
    """Proportion of drifts that are detected. Undefined without drifts."""
    return _ratio(detection.n_detected, len(detection.start))


def episode_precision(detection: DetectedDrifts) -> float:
    """Proportion of hits among hits and false alarms. Undefined without any of these."""
    return _ratio(detection.n_detected, detection.n_detected + len(detection.false_alarms))


def episode_f1(detection: DetectedDrifts) -> float:
    """F1 of hits, 2 h / (2 h + false alarms + missed drifts). Undefined without drifts."""
    drifts = len(detection.start)
    if drifts == 0:
        return np.nan
    return _ratio(
        2 * detection.n_detected, detection.n_detected + drifts + len(detection.false_alarms)
    )


def mean_delay(detection: DetectedDrifts) -> float:
    """Mean delay of the detected drifts, in instances. Undefined if no drift is detected.

    A detector that misses the difficult drifts has small delays.
    """
    delays = detection.delay[~np.isnan(detection.delay)]
    return _ratio(delays.sum(), len(delays))


def normalised_delay(detection: DetectedDrifts) -> float:
    """Mean delay relative to the length of the episode, 1 if missed. Undefined without drifts."""
    length = detection.end - detection.start
    return _ratio(np.nan_to_num(detection.delay / length, nan=1.0).sum(), len(length))


def false_alarm_rate(detection: DetectedDrifts) -> float:
    """False alarms per 1,000 instances outside of episodes. Undefined without such instances."""
    return _ratio(1000 * len(detection.false_alarms), detection.n_outside)


def time_between_false_alarms(detection: DetectedDrifts) -> float:
    """Instances outside of episodes per false alarm. Undefined without false alarms."""
    return _ratio(detection.n_outside, len(detection.false_alarms))


def _ratio(numerator: float, denominator: float) -> float:
    return float(numerator / denominator) if denominator else np.nan


def _no_drift(detection: DetectedDrifts) -> str:
    return "" if len(detection.start) else "there is no known drift"


def _no_alarm(detection: DetectedDrifts) -> str:
    alarms = detection.n_detected + len(detection.false_alarms)
    return "" if alarms else "there is no alarm"


def _no_detection(detection: DetectedDrifts) -> str:
    return _no_drift(detection) or ("" if detection.n_detected else "no drift is found")


def _no_instance_outside(detection: DetectedDrifts) -> str:
    return "" if detection.n_outside else "every instance is in the episode of a drift"


def _no_false_alarm(detection: DetectedDrifts) -> str:
    if len(detection.false_alarms):
        return ""
    instances = f"{detection.n_outside:,} instances outside of episodes"
    return _no_instance_outside(detection) or f"there is no false alarm among {instances}"


@dataclass(frozen=True)
class DetectionMeasure:
    """A measure of drift detection.

    Parameters
    ----------
    function : callable
        Maps a `DetectedDrifts` to a value; NaN if it is undefined.
    title : str
        Name in tables.
    lower, upper : float
        Smallest and largest possible value.
    reason : callable
        Maps a `DetectedDrifts` to the reason why the value is undefined; "" if it is defined.
    """

    function: Callable[[DetectedDrifts], float]
    title: str
    lower: float
    upper: float
    reason: Callable[[DetectedDrifts], str]


_INF = float("inf")
#: All measures of drift detection, by name.
DETECTION_MEASURES: dict[str, DetectionMeasure] = {
    "episode_recall": DetectionMeasure(episode_recall, "Drifts found", 0, 1, _no_drift),
    "episode_precision": DetectionMeasure(
        episode_precision, "Precision of alarms", 0, 1, _no_alarm
    ),
    "episode_f1": DetectionMeasure(episode_f1, "F1 of detection", 0, 1, _no_drift),
    "mean_delay": DetectionMeasure(
        mean_delay, "Mean delay of drifts found", 0, _INF, _no_detection
    ),
    "normalised_delay": DetectionMeasure(normalised_delay, "Normalised delay", 0, 1, _no_drift),
    "false_alarm_rate": DetectionMeasure(
        false_alarm_rate, "False alarms per 1,000 instances", 0, 1000, _no_instance_outside
    ),
    "time_between_false_alarms": DetectionMeasure(
        time_between_false_alarms, "Time between false alarms", 1, _INF, _no_false_alarm
    ),
}


class MeanOverStreams(NamedTuple):
    """A mean over independent streams, and its interval.

    `reason` says why the mean or the interval is undefined; "" if both are defined.
    """

    mean: float
    low: float
    high: float
    reason: str


def mean_over_streams(
    detections: Sequence[DetectedDrifts], measure: str, confidence: float = CONFIDENCE
) -> MeanOverStreams:
    """The mean of a measure over independent streams, such as seeds of a generator.

    Parameters
    ----------
    detections : sequence of DetectedDrifts
        The detected drifts of each stream.
    measure : str
        A key of `DETECTION_MEASURES`.
    confidence : float
        Between 0 and 1.

    Returns
    -------
    MeanOverStreams
        The mean, with an interval for the expectation. For measures between 0 and 1 it is
        `bounded_mean_interval`, as their values are skewed if misses are rare. For delays and
        rates of false alarms it is Student's t interval, not below 0. There is no mean if the
        measure is undefined on a stream, since the other streams are no random sample. There is no
        interval for fewer than two streams. There is no Student's t interval if all values are
        equal. The time between false alarms has no interval, as no method is calibrated for it.
    """
    definition = DETECTION_MEASURES[measure]
    reasons = [reason for reason in map(definition.reason, detections) if reason]
    nan = float("nan")
    if not detections:
        return MeanOverStreams(nan, nan, nan, "there is no stream")
    if reasons:
        text = f"undefined on {len(reasons)} of {len(detections)} streams: {reasons[0]}"
        return MeanOverStreams(nan, nan, nan, text)
    values = [definition.function(detection) for detection in detections]
    if len(values) < 2:
        return MeanOverStreams(values[0], nan, nan, "no interval: there is only one stream")
    if definition.upper == 1:  # the measure is between 0 and 1
        return MeanOverStreams(*bounded_mean_interval(values, confidence=confidence)[:3], "")
    interval = mean_interval(values, confidence)
    if definition.function is time_between_false_alarms:
        return MeanOverStreams(interval.mean, nan, nan, "no interval: none is calibrated")
    if interval.low == interval.high:
        return MeanOverStreams(
            interval.mean, nan, nan, "no interval: all streams have the same value"
        )
    return MeanOverStreams(interval.mean, max(interval.low, definition.lower), interval.high, "")
