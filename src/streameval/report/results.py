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
from streameval.report.layouts import LITERATURE, TABLE2, TABLE3

MEASURES = ("stream", "simulated", "learner", "measure", "value", "reason")
AUTOCORRELATION = ("lag", "autocorrelation")
CURVES = ("instance", "learner", "measure", "value")
DEPENDENCE = ("class", "order", "cases", "share", "delta")

#: The results that the scorecard knows, with their columns. What is behind figures is that of a
#: real stream.
COLUMNS: dict[str, tuple[str, ...]] = {
    "bifet2013/table1": LITERATURE,
    "bifet2013/table2": TABLE2,
    "bifet2013/fig1/elec2": AUTOCORRELATION,
    "bifet2013/fig5/elec2": CURVES,
    "zliobaite2015/fig5/elec2": DEPENDENCE,
    "zliobaite2015/fig5/covtype": DEPENDENCE,
    "zliobaite2015/table3": TABLE3,
    "zliobaite2015/table5": LITERATURE,
    "measures": MEASURES,
}


#: Of those behind figures, which of the figure's files it is.
TRACES = {
    "bifet2013/fig1/elec2": "autocorrelation",
    "bifet2013/fig5/elec2": "curves",
    "zliobaite2015/fig5/elec2": "dependence",
    "zliobaite2015/fig5/covtype": "dependence",
}


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
        By their names in `COLUMNS`; those that the run did not make may be missing.
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
            if name not in COLUMNS:
                raise DataError(
                    f"Scorecard: no results are called {name!r}. There are {', '.join(COLUMNS)}."
                )
            if isinstance(source, pd.DataFrame):
                what, frame = name, source
            else:
                what, frame = str(source), pd.read_csv(source)
            require_columns(frame, COLUMNS[name], what)
            if "simulated" in frame.columns:
                frame = frame[~as_flags(frame["simulated"], what)]
            frames[name] = frame
        return cls(frames, dict(not_available))

    def find(self, name: str, stream: str, column: str = "value", **where: str) -> Finding:
        """Look a number up; rows of simulated streams are never found.

        Parameters
        ----------
        name : str
            The results, a key of `COLUMNS`.
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
