"""The results of a run: tidy frames, and look-ups for the scorecard."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from streameval.base.errors import DataError
from streameval.base.table_files import read_csv_table

#: The columns of accuracies that the literature reports.
LITERATURE = (
    *("algorithm", "accuracy_percent", "reference", "tested_on_subset"),
    *("measured", "above_no_change"),
)
#: Columns of ``results/measures.csv`` and of ``results/differences.csv``.
MEASURE_COLUMNS = ("stream", "simulated", "learner", "measure", "value", "reason")
DIFFERENCE_COLUMNS = (
    *("stream", "simulated", "learner", "other"),
    *("difference", "low", "high", "instances"),
)
#: The columns that claims read, by the frame's name or, for the data of a figure, by the part:
#: the end of the file's name.
FRAME_COLUMNS: Mapping[str, Sequence[str]] = {
    "measures": MEASURE_COLUMNS,
    "differences": DIFFERENCE_COLUMNS,
    "autocorrelation": ("lag", "autocorrelation"),
    "curves": ("instance", "learner", "measure", "value"),
    "dependence": ("class", "order", "cases", "share", "delta"),
    "estimates": ("variant", "learner", "estimator", "measure", "value"),
    "lags": ("learner", "kind", "lags", "measure", "value"),
    "rates": ("instances", "simulated"),
    "closer": ("learner", "estimator", "other", "instances", "difference", "low", "high"),
    "contrasts": (
        *("learner", "reference", "other", "bin"),
        *("difference", "band_low", "band_high"),
    ),
    "pairs": ("learner", "bin", "other", "other_bin", "difference", "low", "high"),
    "repredictions": ("labels", "every", "per_label"),
    "bin_numbers": ("learner", "bins", "bin", "accuracy", "predictions"),
    "false_alarms": ("variant", "seed", "learner", "probability", "accuracy"),
}
#: Two ratios of counts up to this one differ by more than twice what rounding moves a float.
_MOST = 2**24


class Finding(NamedTuple):
    """A number of this run; NaN with a reason where there is none.

    `scale` is how the run is smaller than the paper's; `runs` of how many the published one is the
    proportion, 0 if none; `exact` the number without rounding, if it is a ratio of counts.
    """

    value: float
    reason: str = ""
    interval: tuple[float, float] | None = None
    scale: str = ""
    runs: int = 0
    exact: Fraction | None = None

    def of_counts(self, scale: int = 1) -> Finding:
        """The same finding with the exact ratio of counts, times `scale`, of its float."""
        if self.reason:
            return self
        ratio = Fraction(self.value) / scale
        exact_ratio = ratio.limit_denominator(_MOST)
        if abs(exact_ratio - ratio) > 4 * Fraction(np.spacing(abs(self.value))) / scale:
            raise DataError(
                f"Scorecard: expected a ratio of counts up to {_MOST:,}, found {self.value!r}."
            )
        return self._replace(exact=exact_ratio * scale)


@dataclass(frozen=True, eq=False)
class Results:
    """The results of a run. A file is read when something in it is looked up.

    Sources are "measures", "differences", tables as ``study/item``, and the data of figures as
    ``study/item/stream.part``; those that the run did not make are missing. `not_available` says
    why streams could not be had, and `failures` why studies failed, by ``study/item/stream``.
    """

    sources: Mapping[str, pd.DataFrame | Path | str]
    not_available: Mapping[str, str] = field(default_factory=dict)
    failures: Mapping[str, str] = field(default_factory=dict)
    _frames: dict[str, pd.DataFrame] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        for name in self.sources:
            if name not in FRAME_COLUMNS and not 1 <= name.count("/") <= 2:
                raise DataError(
                    f"Scorecard: no results are called {name!r}. Expected measures, differences, a "
                    "table such as bifet2013/table2, or the data of a figure such as "
                    "bifet2013/fig5/elec2.curves."
                )

    def frame(self, name: str, columns: Iterable[str] = ()) -> pd.DataFrame | None:
        """A frame without the rows of simulated streams; None if it is missing or has no rows.

        A study that fails leaves frames without rows.
        """
        if name not in self.sources:
            return None
        source = self.sources[name]
        is_frame = isinstance(source, pd.DataFrame)
        what = name if is_frame else str(source)
        if name not in self._frames:
            frame = source if isinstance(source, pd.DataFrame) else read_csv_table(source)
            known = FRAME_COLUMNS.get(name) or FRAME_COLUMNS.get(name.rpartition(".")[2], ())
            require_columns(frame, known, what)
            if "simulated" in frame.columns:
                frame = frame[~frame["simulated"].astype(bool)]
            self._frames[name] = frame
        require_columns(self._frames[name], columns, what)
        return None if self._frames[name].empty else self._frames[name]

    def trace(self, item: str, stream: str, part: str) -> tuple[pd.DataFrame | None, str]:
        """The data behind a figure, or why it is missing."""
        frame = self.frame(f"{item}/{stream}.{part}")
        return frame, "" if frame is not None else self.absence(item, stream)

    def find(self, name: str, stream: str, column: str = "value", **where: str) -> Finding:
        """Look a number up, where other columns hold this; simulated streams are never found."""
        frame = self.frame(name, ("stream", "simulated", column, *where))
        if frame is None:
            return Finding(np.nan, self.absence(name, stream))
        fits = frame["stream"] == stream
        if not fits.any():
            return Finding(np.nan, self.absence(name, stream))
        for key, wanted in where.items():
            fits &= frame[key] == wanted
        rows = frame[fits]
        what = " ".join([stream, *where.values()])
        if len(rows) > 1:
            raise DataError(f"{name}: expected one row for {what}, found {len(rows)}.")
        if rows.empty:
            return Finding(np.nan, f"{name} of this run does not have {what}")
        value = float(rows[column].iloc[0])
        return Finding(value, f"undefined in this run: {what}" if np.isnan(value) else "")

    def absence(self, name: str, stream: str) -> str:
        """The reason why results of a stream are missing."""
        if stream in self.not_available:
            return f"stream {stream} could not be had: {self.not_available[stream]}"
        for study in (f"{name}/{stream}", name):
            if study in self.failures:
                return f"{study} failed: {self.failures[study]}"
        return f"this run has no {name} for the stream {stream}"


def above_no_change(table: pd.DataFrame) -> tuple[int, int]:
    """Count the reported accuracies above No-Change, and all that are reported."""
    baseline = table["algorithm"].astype(str).str.contains("No-Change", regex=False)
    above = table.loc[~baseline, "above_no_change"]
    return int(above.sum()), len(above)


def require_columns(frame: pd.DataFrame, columns: Iterable[str], what: str) -> None:
    """Raise a `DataError` if a frame, called `what`, lacks a column."""
    lacking = [column for column in columns if column not in frame.columns]
    if lacking:
        raise DataError(
            f"{what}: expected the column {lacking[0]!r}, found "
            f"{', '.join(map(str, frame.columns)) or 'none'}. Run the study again."
        )


class NotRunError(Exception):
    """Why the conditions of a claim cannot be checked in this run."""


def number(finding: Finding) -> float:
    """A number of this run; `NotRunError` if there is none."""
    if finding.reason:
        raise NotRunError(finding.reason)
    return finding.value


def data_of(results: Results, figure: str, stream: str, part: str) -> pd.DataFrame:
    """The data behind a figure; `NotRunError` if the run has none."""
    frame, reason = results.trace(figure, stream, part)
    if frame is None:
        raise NotRunError(reason)
    return frame


def reported_accuracies(results: Results, item: str) -> pd.DataFrame:
    """A survey of accuracies on elec2; `NotRunError` without that of our own No-Change."""
    table = results.frame(item, LITERATURE)
    if table is None:
        raise NotRunError(results.absence(item, "elec2"))
    if not table["measured"].any():
        raise NotRunError(results.absence("No-Change", "elec2"))
    return table


def of_learners(
    results: Results, stream: str, measure: str, learners: Sequence[str]
) -> dict[str, float]:
    """A measure by learner; `NotRunError` if a value is missing."""
    return {
        name: number(results.find("measures", stream, learner=name, measure=measure))
        for name in learners
    }
