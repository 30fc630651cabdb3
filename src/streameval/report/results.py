"""A run's results as the scorecard sees them: what was measured on real streams, and what not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from streameval.errors import DataError
from streameval.report.frames import as_flags, require_columns
from streameval.report.layouts.class_characteristics import TABLE2
from streameval.report.layouts.literature import LITERATURE
from streameval.report.layouts.stream_characteristics import TABLE3

MEASURES = ("stream", "simulated", "learner", "measure", "value", "reason")
DIFFERENCES = ("stream", "simulated", "learner", "other", "difference", "low", "high", "instances")

#: The tables that the scorecard knows, with their columns.
TABLES: dict[str, tuple[str, ...]] = {
    "bifet2013/table1": LITERATURE,
    "bifet2013/table2": TABLE2,
    "zliobaite2015/table3": TABLE3,
    "zliobaite2015/table5": LITERATURE,
    "measures": MEASURES,
    "differences": DIFFERENCES,
}
#: The data behind figures that it knows, by the names of their files.
TRACES: dict[str, tuple[str, ...]] = {
    "autocorrelation": ("lag", "autocorrelation"),
    "curves": ("instance", "learner", "measure", "value"),
    "dependence": ("class", "order", "cases", "share", "delta"),
    "estimates": ("variant", "learner", "estimator", "measure", "value"),
    "lags": ("learner", "kind", "lags", "measure", "value"),
    "false_alarms": ("variant", "seed", "learner", "probability", "accuracy"),
}


def columns_of(name: str) -> tuple[str, ...] | None:
    """Return the columns of results, or None where the scorecard does not know such.

    Parameters
    ----------
    name : str
        A key of `TABLES`, or ``paper/item/stream.trace`` with a key of `TRACES`.
    """
    return TABLES.get(name) or TRACES.get(name.rpartition(".")[2])


class Finding(NamedTuple):
    """A number of this run; NaN with a reason where there is none."""

    value: float
    reason: str = ""


@dataclass(frozen=True)
class Results:
    """What a run found out.

    Parameters
    ----------
    frames : mapping of str to pandas.DataFrame
        By their names, see `columns_of`; those that the run did not make may be missing.
    not_available : mapping of str to str
        Why, for each stream that could not be had.
    """

    frames: Mapping[str, pd.DataFrame]
    not_available: Mapping[str, str]

    @classmethod
    def read(
        cls, ours: Mapping[str, pd.DataFrame | Path | str], not_available: Mapping[str, str]
    ) -> Results:
        """Read and check results; see `streameval.report.scorecard.scorecard`."""
        frames = {}
        for name, source in ours.items():
            columns = columns_of(name)
            if columns is None:
                raise DataError(
                    f"Scorecard: no results are called {name!r}. There are {', '.join(TABLES)}, "
                    f"and paper/item/stream.trace with one of {', '.join(TRACES)}."
                )
            if isinstance(source, pd.DataFrame):
                what, frame = name, source
            else:
                what, frame = str(source), pd.read_csv(source)
            require_columns(frame, columns, what)
            if "simulated" in frame.columns:
                frame = frame[~as_flags(frame["simulated"], what)]
            frames[name] = frame
        return cls(frames, dict(not_available))

    def trace(self, item: str, stream: str, part: str) -> tuple[pd.DataFrame | None, str]:
        """Return the data behind a figure, or why it is missing."""
        frame = self.frames.get(f"{item}/{stream}.{part}")
        return frame, "" if frame is not None else self.absence(item, stream)

    def find(self, name: str, stream: str, column: str = "value", **where: str) -> Finding:
        """Look a number up; rows of simulated streams are never found.

        Parameters
        ----------
        name : str
            The results, a key of `TABLES`.
        stream, column : str
            The number's stream and column.
        **where : str
            What other columns must hold.

        Raises
        ------
        DataError
            If several rows fit.
        """
        if name not in self.frames:
            return Finding(np.nan, self.absence(name, stream))
        frame = self.frames[name]
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
        """Return why results of a stream are missing."""
        if stream in self.not_available:
            return f"stream {stream} could not be had: {self.not_available[stream]}"
        return f"this run has no {name} for the stream {stream}"
