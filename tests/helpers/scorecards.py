"""Made-up results of runs, and their scorecards."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from helpers.study_inputs import table_of
from streameval import papers
from streameval.items import kinds
from streameval.items.examples.show import literature
from streameval.report.claims import Judgement, judge
from streameval.report.results import DIFFERENCE_COLUMNS, FRAME_COLUMNS, MEASURE_COLUMNS, Results
from streameval.report.scorecard import scorecard

FOLDER = Path(__file__).parents[2] / "resources" / "published"
PEAKS = "bifet2013/fig1/elec2.autocorrelation"
NO_CHANGE = 0.8532838983050848  # 38,664 of the 45,312 labels of elecNormNew.arff repeat the last


def table2(stream: str = "elec2", simulated: bool = False, **values: float) -> pd.DataFrame:
    rows = [(stream, simulated, measure, value) for measure, value in values.items()]
    return pd.DataFrame(rows, columns=list(kinds()["class_characteristics"].columns))


def measures(stream: str, simulated: bool = False, **values: float) -> pd.DataFrame:
    """Measures; a name is learner__measure."""
    rows = [(stream, simulated, *name.split("__"), value, "") for name, value in values.items()]
    return pd.DataFrame(rows, columns=list(MEASURE_COLUMNS))


def gaps(stream: str, simulated: bool = False, **values: float) -> pd.DataFrame:
    """Differences in accuracy, give or take 0.001; a name is learner__other."""
    rows = [
        (stream, simulated, *name.split("__"), value, value - 0.001, value + 0.001, 99)
        for name, value in values.items()
        if not math.isnan(value)
    ]
    return pd.DataFrame(rows, columns=list(DIFFERENCE_COLUMNS))


def peaks(period: int = 48, lags: int = 350) -> pd.DataFrame:
    lag = np.arange(1, lags + 1)
    rows = {"lag": lag, "autocorrelation": np.cos(2 * np.pi * lag / period)}
    return pd.DataFrame(rows, columns=list(FRAME_COLUMNS["autocorrelation"]))


def papers_table1(no_change: float | None = NO_CHANGE) -> pd.DataFrame:
    published = pd.read_csv(FOLDER / "zliobaite2015" / "elec2_literature.csv")
    return literature(published, "in_bifet2013_table1", no_change)


def bifet2015_examples() -> dict[str, pd.DataFrame | Path | str]:
    """The tables that follow from numbers which Bifet et al. (2015) print."""
    accuracies = str(FOLDER / "bifet2015" / "table1.csv")
    tests = ("sign_test", "wilcoxon")
    matrix = {"confusion": [[40, 30], [5, 25]], "classes": ("plus", "minus")}
    return {
        "bifet2015/table1": table_of("paired_example", published=accuracies, tests=tests),
        "bifet2015/table5": table_of("confusion_example", **matrix),
    }


def card_of(
    ours: Mapping[str, pd.DataFrame | Path | str],
    not_available: Mapping[str, str] | None = None,
    folder: Path | str = FOLDER,
    paper: str = "",
) -> pd.DataFrame:
    """The scorecard of one paper, or by default of all papers."""
    chosen = papers.select_papers([paper]) if paper else papers.all_papers().values()
    return scorecard(chosen, folder, Results(ours, not_available or {}))


def results(**frames: pd.DataFrame) -> Results:
    """Results; a name has __ for / and for the dot before the trace."""
    named: dict[str, pd.DataFrame | Path | str] = {}
    for key, frame in frames.items():
        *path, trace = key.split("__")
        named["/".join(path) + f".{trace}" if path else trace] = frame
    return Results(named, {"covtype": "no copy"})


def judged(paper: str, key: str, results: Results) -> Judgement:
    """Judge a claim by its rule."""
    return judge(papers.all_papers()[paper].claims[key], results)


def verdict_on(paper: str, key: str, ours: Mapping[str, pd.DataFrame | Path | str]) -> str:
    """Verdict on a claim by these results."""
    return judged(paper, key, Results(ours)).verdict


def row_of(card: pd.DataFrame, item: str, key: str) -> pd.Series:
    paper, name = item.split("/")
    rows = card[(card["paper"] == paper) & (card["item"] == name) & (card["key"] == key)]
    assert len(rows) == 1
    return rows.iloc[0]


def judge_cell(published_key: str, value: float) -> pd.Series:
    """Judge one number of Table 2 of bifet2013."""
    stream, measure = published_key.split("/")
    card = card_of({"bifet2013/table2": table2(stream, **{measure: value})}, paper="bifet2013")
    return row_of(card, "bifet2013/table2", published_key)
