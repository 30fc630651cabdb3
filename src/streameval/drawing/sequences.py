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

#: Fraction of the stream whose bands the vertical axis need not fit: early bands are as wide as the
#: range of all possible differences.
SKIPPED_START = 0.05
#: Margin above and below the values, relative to their range.
_MARGIN = 0.05


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


def fit_y_axis(axes: Axes, sequences: Iterable[ConfidenceSequence], least: float = 0.0) -> None:
    """Fit the vertical axis to 0, to ±`least`, and to the values after `SKIPPED_START`."""
    ends = [np.array([-least, 0.0, least])]
    for sequence in sequences:
        late = slice(int(SKIPPED_START * len(sequence.mean)), None)
        ends += [part[late] for part in sequence]
    values = np.concatenate(ends)
    values = values[np.isfinite(values)]
    # An axis needs a positive length, even if all values are 0.
    margin = _MARGIN * max(float(np.ptp(values)), 1e-9)
    axes.set_ylim(float(values.min()) - margin, float(values.max()) + margin)
