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

#: The vertical axis fits bands after this fraction of the stream: at first they are as wide as the
#: range of all possible differences.
SHOWN_FROM = 0.05


def sample_sequence(
    sequence: ConfidenceSequence, instances: Timeline, points: int
) -> tuple[Timeline, ConfidenceSequence]:
    """At most `points` evenly spaced points of a sequence, with their instances."""
    n = len(sequence.mean)
    indices = np.unique(np.linspace(0, n - 1, min(points, n)).round().astype(np.int64))
    return instances.take(indices), ConfidenceSequence(*(part[indices] for part in sequence))


def draw_sequence(axes: Axes, positions: Floats, sequence: ConfidenceSequence, look: Look) -> None:
    """Draw the mean so far, with its band."""
    style.band(axes, positions, sequence.low, sequence.high, look)
    axes.plot(positions, sequence.mean, **look.line)


def fit_late(axes: Axes, sequences: Iterable[ConfidenceSequence], reach: float = 0.0) -> None:
    """Fit the axis to 0, to ±`reach`, and to the values after the first part of a stream."""
    ends = [np.array([-reach, 0.0, reach])]
    for sequence in sequences:
        late = slice(int(SHOWN_FROM * len(sequence.mean)), None)
        ends += [part[late] for part in sequence]
    values = np.concatenate(ends)
    values = values[np.isfinite(values)]
    room = 0.05 * max(float(np.ptp(values)), 1e-9)
    axes.set_ylim(float(values.min()) - room, float(values.max()) + room)
