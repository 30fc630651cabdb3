"""Scorecards of runs that tests make up."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pandas as pd

from streameval.report.layouts.class_characteristics import TABLE2
from streameval.report.results import DIFFERENCES, MEASURES, TRACES
from streameval.report.scorecard import scorecard
from streameval.studies.literature import literature

FOLDER = Path(__file__).parents[2] / "resources" / "published"
PEAKS = "bifet2013/fig1/elec2.autocorrelation"
NO_CHANGE = 0.8532838983050848  # 38,664 of the 45,312 labels of elecNormNew.arff repeat the last


def table2(stream: str = "elec2", simulated: bool = False, **values: float) -> pd.DataFrame:
    rows = [(stream, simulated, measure, value) for measure, value in values.items()]
    return pd.DataFrame(rows, columns=list(TABLE2))


def measures(stream: str, simulated: bool = False, **values: float) -> pd.DataFrame:
    """Return measures; a name is learner__measure."""
    rows = [(stream, simulated, *name.split("__"), value, "") for name, value in values.items()]
    return pd.DataFrame(rows, columns=list(MEASURES))


def gaps(stream: str, simulated: bool = False, **values: float) -> pd.DataFrame:
    """Return differences in accuracy, give or take 0.001; a name is learner__other."""
    rows = [
        (stream, simulated, *name.split("__"), value, value - 0.001, value + 0.001, 99)
        for name, value in values.items()
        if not math.isnan(value)
    ]
    return pd.DataFrame(rows, columns=list(DIFFERENCES))


def peaks(period: int = 48, lags: int = 350) -> pd.DataFrame:
    lag = np.arange(1, lags + 1)
    rows = {"lag": lag, "autocorrelation": np.cos(2 * np.pi * lag / period)}
    return pd.DataFrame(rows, columns=list(TRACES["autocorrelation"]))


def papers_table1(no_change: float | None = NO_CHANGE) -> pd.DataFrame:
    published = pd.read_csv(FOLDER / "elec2_literature.csv")
    return literature(published, "in_bifet2013_table1", no_change)


def row_of(card: pd.DataFrame, item: str, key: str) -> pd.Series:
    paper, name = item.split("/")
    rows = card[(card["paper"] == paper) & (card["item"] == name) & (card["key"] == key)]
    assert len(rows) == 1
    return rows.iloc[0]


def judge_cell(published_key: str, value: float) -> pd.Series:
    """Judge one number of Table 2 of bifet2013."""
    stream, measure = published_key.split("/")
    card = scorecard(FOLDER, {"bifet2013/table2": table2(stream, **{measure: value})})
    return row_of(card, "bifet2013/table2", published_key)


def claim(item: str, key: str, ours: dict[str, pd.DataFrame | Path | str]) -> pd.Series:
    return row_of(scorecard(FOLDER, ours), item, key)
