"""The classes of a stream over time (Bifet et al. 2013, Figure 1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from streameval.base.arrays import Codes, Flags, Floats
from streameval.base.errors import DataError
from streameval.evaluation.measurements import window_ends
from streameval.items.dependence import ClassDistributionSettings
from streameval.items.inputs import StreamInput
from streameval.streams.groups import Groups


def study(stream_input: StreamInput[ClassDistributionSettings]) -> dict[str, pd.DataFrame]:
    """The frames of the figure: ``prior`` and ``autocorrelation``."""
    stream, settings = stream_input.labelled_stream, stream_input.settings
    labels = stream.y
    return {
        "prior": prior_over_time(labels, stream_input.classes, settings.window, settings.points),
        "autocorrelation": label_autocorrelation(labels, settings.lags, stream.groups),
    }


def prior_over_time(
    labels: Codes, classes: tuple[str, ...], window: int, points: int
) -> pd.DataFrame:
    """The proportion of each class in at most `points` positions of a sliding window.

    This is Figure 1, left. Columns instance (number of the window's last instance, from 1), class,
    proportion.
    """
    ends = window_ends(len(labels), window, points)
    parts = []
    for code, name in enumerate(classes):
        # counts[i]: how many of the first i labels are of the class
        counts = np.concatenate(([0], np.cumsum(labels == code)))
        starts = np.maximum(ends - window, 0)
        proportion = (counts[ends] - counts[starts]) / (ends - starts)
        parts.append(pd.DataFrame({"instance": ends, "class": name, "proportion": proportion}))
    return pd.concat(parts, ignore_index=True)


def label_autocorrelation(labels: Codes, lags: int, groups: Groups | None = None) -> pd.DataFrame:
    """The autocorrelation of labels, given as class codes in stream order (Figure 1, right).

    Each class has an indicator, 1 where the label is that class. The result is the mean of the
    indicators' autocorrelations, weighted by variance, and does not depend on the codes. For
    `groups` see `autocorrelation`.
    """
    present = np.unique(labels)
    if len(present) < 2:
        raise DataError(
            "Autocorrelation of labels: expected at least two classes, found one. It is undefined "
            "for equal labels."
        )
    return autocorrelation([labels == code for code in present], lags, groups)


def autocorrelation(
    series: Sequence[Flags | Floats], lags: int, groups: Groups | None = None
) -> pd.DataFrame:
    """The mean autocorrelation of series of equal length, weighted by their variances.

    Columns lag (1 to `lags`, or fewer in short series) and autocorrelation (NaN if all series are
    constant). With groups, each entity's part is a series of its own, with its own mean.
    """
    rows: list[Any] = (
        [slice(None)] if groups is None else [part for _, part in groups.rows_by_entity()]
    )
    parts = [values[part] for values in series for part in rows]
    lags = min(lags, max(map(len, parts)) - 1)
    total, variance = np.zeros(lags + 1), 0.0
    for values in parts:
        # A power of two that leaves room for zeros, so that lagged products do not wrap around.
        size = 1 << (2 * len(values) - 1).bit_length()
        centred = values - np.mean(values)
        spectrum = np.fft.rfft(centred, size)
        products = np.fft.irfft(spectrum * spectrum.conj(), size)[: min(lags + 1, len(values))]
        total[: len(products)] += products
        variance += float(np.sum(centred**2))
    # The last digits of Fourier transforms differ by processor.
    rounded = (total[1:] / variance).round(12)
    return pd.DataFrame({"lag": np.arange(1, lags + 1), "autocorrelation": rounded})
