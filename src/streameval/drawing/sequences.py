"""Confidence sequences over time, and the axis that fits them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from matplotlib.axes import Axes

from streameval.base.arrays import Floats
from streameval.drawing import style
from streameval.drawing.looks import Look
from streameval.significance.confidence_sequence import ConfidenceSequence
from streameval.streams.timeline import Timeline

#: The vertical axis shows bands from this fraction of the stream on: at first they are as wide as
#: all possible differences.
SHOWN_FROM = 0.05


def sampled(
    sequence: ConfidenceSequence, instances: Timeline, points: int
) -> tuple[Timeline, ConfidenceSequence]:
    """Instances and values of at most `points` evenly spaced points of a sequence."""
    n = len(sequence.mean)
    at = np.unique(np.linspace(0, n - 1, min(points, n)).round().astype(np.int64))
    return instances.take(at), ConfidenceSequence(*(part[at] for part in sequence))


def draw_sequence(axes: Axes, at: Floats, sequence: ConfidenceSequence, look: Look) -> None:
    """Draw the mean so far, with its band."""
    style.band(axes, at, sequence.low, sequence.high, look)
    axes.plot(at, sequence.mean, **look.line)


def fit_late(axes: Axes, sequences: Iterable[ConfidenceSequence], reach: float = 0.0) -> None:
    """Fit the axis to 0, to ±`reach`, and to the values after the first part of a stream."""
    ends = [np.array([-reach, 0.0, reach])]
    for sequence in sequences:
        late = slice(int(SHOWN_FROM * len(sequence.mean)), None)
        ends += [part[late] for part in sequence]
    known = np.concatenate(ends)
    known = known[np.isfinite(known)]
    room = 0.05 * max(float(np.ptp(known)), 1e-9)
    axes.set_ylim(float(known.min()) - room, float(known.max()) + room)
