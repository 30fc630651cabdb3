"""The results of a run: its data frames, and functions that find numbers for the scorecard."""

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

#: Columns of tables with the accuracies on elec2 that the literature reports.
SURVEY_COLUMNS = (
    *("algorithm", "accuracy_percent", "reference", "tested_on_subset"),
    *("measured", "above_no_change"),
)
#: Columns of ``results/measures.csv``.
MEASURE_COLUMNS = ("stream", "simulated", "learner", "measure", "value", "reason")
#: Columns of ``results/differences.csv``.
DIFFERENCE_COLUMNS = (
    *("stream", "simulated", "learner", "other"),
    *("difference", "low", "high", "instances"),
)
#: Columns that claims read, by name of the data frame. For the data of a figure the name is its
#: part, which is the end of the file's name: "curves" in ``elec2.curves.csv``. Kinds of items
#: declare their parts, see `streameval.items`.
FRAME_COLUMNS: Mapping[str, Sequence[str]] = {
    "measures": MEASURE_COLUMNS,
    "differences": DIFFERENCE_COLUMNS,
    "autocorrelation": ("lag", "autocorrelation"),
    "curves": ("instance", "learner", "measure", "value"),
    "dependence": ("class", "order", "cases", "proportion", "delta"),
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
#: Up to this count, a ratio of counts can be recovered exactly from its float: two such ratios
#: differ by at least 2**-48, which is more than twice the rounding error of a float.
_MAX_COUNT = 2**24


class Finding(NamedTuple):
    """A number of this run; NaN with a reason if the run has none.

    `lower_scale` is a text on how the run is smaller than the paper's, or "". If the published
    number is a proportion of runs, `n_runs` is their number, otherwise 0. `exact` is the number
    without rounding, if it is a ratio of counts.
    """

    value: float
    reason: str = ""
    interval: tuple[float, float] | None = None
    lower_scale: str = ""
    n_runs: int = 0
    exact: Fraction | None = None

    def with_exact_ratio(self, scale: int = 1) -> Finding:
        """Copy with the exact number, for a value that is `scale` times a ratio of counts."""
        if self.reason:
            return self
        ratio = Fraction(self.value) / scale
        exact_ratio = ratio.limit_denominator(_MAX_COUNT)
        # A rounded ratio is off by less than 4 units in the last place.
        if abs(exact_ratio - ratio) > 4 * Fraction(np.spacing(abs(self.value))) / scale:
            raise DataError(
                f"Scorecard: expected a ratio of counts up to {_MAX_COUNT:,}, found {self.value!r}."
            )
        return self._replace(exact=exact_ratio * scale)


@dataclass(frozen=True, eq=False)
class Results:
    """The results of a run; each file is read at its first use.

    The keys of `sources` are "measures", "differences", ``study/item`` for tables, and
    ``study/item/stream.part`` for the data of figures; results that the run did not make are
    missing. `not_available` has the reason why a stream was not available, by stream. `failures`
    has the reason why an item failed, by ``study/item`` or ``study/item/stream``.
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
        """Data frame without the rows of simulated streams; None if it is missing or empty.

        A study that fails writes data frames without rows.
        """
        if name not in self.sources:
            return None
        source = self.sources[name]
        title = name if isinstance(source, pd.DataFrame) else str(source)
        if name not in self._frames:
            frame = source if isinstance(source, pd.DataFrame) else read_csv_table(source)
            part = name.rpartition(".")[2]
            require_columns(frame, FRAME_COLUMNS.get(name) or FRAME_COLUMNS.get(part, ()), title)
            if "simulated" in frame.columns:
                frame = frame[~frame["simulated"].astype(bool)]
            self._frames[name] = frame
        require_columns(self._frames[name], columns, title)
        return None if self._frames[name].empty else self._frames[name]

    def find_figure_data(
        self, item: str, stream: str, part: str
    ) -> tuple[pd.DataFrame | None, str]:
        """A part of the data of a figure, or None with the reason why it is missing."""
        frame = self.frame(f"{item}/{stream}.{part}")
        return frame, "" if frame is not None else self.missing_reason(item, stream)

    def find(self, name: str, stream: str, column: str = "value", **where: str) -> Finding:
        """Number in `column` of the stream's row that has the values `where` in other columns."""
        frame = self.frame(name, ("stream", "simulated", column, *where))
        if frame is None:
            return Finding(np.nan, self.missing_reason(name, stream))
        is_match = frame["stream"] == stream
        if not is_match.any():
            return Finding(np.nan, self.missing_reason(name, stream))
        for key, value in where.items():
            is_match &= frame[key] == value
        rows = frame[is_match]
        key_text = " ".join([stream, *where.values()])
        if len(rows) > 1:
            raise DataError(f"{name}: expected one row for {key_text}, found {len(rows)}.")
        if rows.empty:
            return Finding(np.nan, f"{name} of this run does not have {key_text}")
        number = float(rows[column].iloc[0])
        return Finding(number, f"undefined in this run: {key_text}" if np.isnan(number) else "")

    def missing_reason(self, name: str, stream: str) -> str:
        """Reason why results of a stream are missing."""
        if stream in self.not_available:
            return f"stream {stream} was not available: {self.not_available[stream]}"
        for failed in (f"{name}/{stream}", name):
            if failed in self.failures:
                return f"{failed} failed: {self.failures[failed]}"
        return f"this run has no {name} for the stream {stream}"


def above_no_change(table: pd.DataFrame) -> tuple[int, int]:
    """Number of reported accuracies above No-Change, and number of all reported accuracies."""
    baseline = table["algorithm"].astype(str).str.contains("No-Change", regex=False)
    above = table.loc[~baseline, "above_no_change"]
    return int(above.sum()), len(above)


def require_columns(frame: pd.DataFrame, columns: Iterable[str], title: str) -> None:
    """Raise DataError if a data frame lacks a column; `title` names it in the message."""
    missing = [column for column in columns if column not in frame.columns]
    if missing:
        raise DataError(
            f"{title}: expected the column {missing[0]!r}, found "
            f"{', '.join(map(str, frame.columns)) or 'none'}. Run the study again."
        )


class NotRunError(Exception):
    """The conditions of a claim cannot be checked in this run; the message has the reason."""


def require_number(finding: Finding) -> float:
    """Number of a finding; raises NotRunError if it has none."""
    if finding.reason:
        raise NotRunError(finding.reason)
    return finding.value


def figure_data(results: Results, figure: str, stream: str, part: str) -> pd.DataFrame:
    """Data of a figure; raises NotRunError if the run has none."""
    frame, reason = results.find_figure_data(figure, stream, part)
    if frame is None:
        raise NotRunError(reason)
    return frame


def reported_accuracies(results: Results, item: str) -> pd.DataFrame:
    """Survey of accuracies on elec2; raises NotRunError without our own accuracy of No-Change."""
    table = results.frame(item, SURVEY_COLUMNS)
    if table is None:
        raise NotRunError(results.missing_reason(item, "elec2"))
    if not table["measured"].any():
        raise NotRunError(results.missing_reason("No-Change", "elec2"))
    return table


def measure_by_learner(
    results: Results, stream: str, measure: str, learners: Sequence[str]
) -> dict[str, float]:
    """Measure by learner; raises NotRunError if a value is missing."""
    return {
        name: require_number(results.find("measures", stream, learner=name, measure=measure))
        for name in learners
    }
