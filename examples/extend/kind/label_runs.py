"""Lengths of runs of equal labels, and those of independent labels with the same proportions."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import pandas as pd
from msgspec import Meta
from numpy.typing import NDArray

from streameval.items.inputs import ItemInput, StreamInput, StreamInputs
from streameval.items.kind import ItemKind
from streameval.items.settings import ItemName, Settings, StreamItemSettings


class LabelRunsSettings(StreamItemSettings, frozen=True, kw_only=True):
    """Numbers of runs of equal labels by length, and those of independent labels."""

    longest: Annotated[
        int, Meta(description="Largest length; longer runs count as this one.", ge=2, le=10_000)
    ] = 50


class LabelRunTableSettings(Settings, frozen=True, kw_only=True):
    """Number of runs of equal labels on each stream, and that of independent labels."""

    of: ItemName


RUNS = ("length", "count", "independent")
TOTALS = ("stream", "runs", "independent", "ratio")

KINDS = (
    ItemKind(
        name="label_runs",
        settings=LabelRunsSettings,
        reads="stream",
        frames={"runs": RUNS},
    ),
    ItemKind(
        name="label_run_table",
        settings=LabelRunTableSettings,
        reads="label_runs",
        columns=TOTALS,
    ),
)


def study_label_runs(stream_input: StreamInput[LabelRunsSettings]) -> dict[str, pd.DataFrame]:
    """Numbers of runs by length: of the labels of a stream, and of independent labels."""
    labels = stream_input.labelled_stream.y
    longest = min(stream_input.settings.longest, len(labels))
    counts = np.bincount(labels, minlength=len(stream_input.classes))
    rows = {
        "length": np.arange(1, longest + 1),
        "count": runs_by_length(labels, longest),
        "independent": expected_runs(counts / len(labels), len(labels), longest),
    }
    return {"runs": pd.DataFrame(rows)}


def study_label_run_table(
    streams: StreamInputs, item: ItemInput[LabelRunTableSettings]
) -> pd.DataFrame:
    """Number of runs on each stream, that of independent labels, and the ratio of both."""
    rows = []
    for stream, runs in item.frames_of_streams("runs").items():
        n_runs, expected = int(runs["count"].sum()), float(runs["independent"].sum())
        rows.append((stream, n_runs, expected, n_runs / expected))
    return pd.DataFrame(rows, columns=list(TOTALS))


def runs_by_length(labels: NDArray[np.int32], longest: int) -> NDArray[np.int64]:
    """Number of runs of each length from 1; the last one counts longer runs too."""
    ends = np.flatnonzero(np.diff(labels, append=-1))
    lengths = np.minimum(np.diff(ends, prepend=-1), longest)
    return np.bincount(lengths, minlength=longest + 1)[1:]


def expected_runs(proportions: NDArray[np.float64], n: int, longest: int) -> NDArray[np.float64]:
    """Expected number of runs of each length among n independent labels.

    A run of a class with proportion p has the length k with another label, or an end of the
    stream, on either side: there are n - k - 1 places inside and two at the ends. Runs of `longest`
    or more labels need another label, or an end, on their left only.
    """
    p, k = proportions[:, np.newaxis], np.arange(1, longest)
    exact = (n - k - 1) * (1 - p) ** 2 * p**k + 2 * (1 - p) * p**k
    longer = (n - longest) * (1 - p) * p**longest + p**longest
    return np.concatenate([exact.sum(axis=0), longer.sum(axis=0)])
