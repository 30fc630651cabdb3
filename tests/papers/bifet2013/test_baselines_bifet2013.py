"""Claims of Bifet et al. (2013) on baselines, with made-up results."""

from __future__ import annotations

import pandas as pd
import pytest
from helpers.scorecards import claim, gaps, judged, measures, table2

from streameval.report.results import Results

HOLDS, FAILS, OPEN = "claim holds", "claim does not hold", "claim undecided"
LEARNERS = ("naive_bayes", "hoeffding_tree", "hoeffding_adaptive_tree", "leveraging_bagging")


def of_streams(streams, **values):
    """Differences of several streams, give or take 0.001."""
    return {"differences": pd.concat([gaps(stream, **values) for stream in streams])}


@pytest.mark.parametrize(("second", "expected"), [(0.83, HOLDS), (0.41, FAILS)])
def test_repeats_by_more_than_chance(second, expected):
    cells = {"P(c1)": 0.58, "P(c2)": 0.42, "P(c1|c1)": 0.87, "P(c2|c2)": second}
    ours = {"bifet2013/table2": table2(**cells)}
    key = "repeats_by_more_than_chance"
    assert claim("bifet2013/table2", key, ours)["verdict"] == expected
    del cells["P(c1)"]
    ours = {"bifet2013/table2": table2(**cells)}
    assert claim("bifet2013/table2", key, ours)["verdict"] == "not run"


@pytest.mark.parametrize(
    ("gap", "streams", "expected"),
    [
        (-0.1, ("elec2", "airlines"), HOLDS),
        (-0.1, ("elec2",), "not run"),
        (0.1, ("elec2",), FAILS),
        (0.0, ("elec2", "airlines"), OPEN),
    ],
)
def test_no_change_beats_majority(gap, streams, expected):
    ours = of_streams(streams, majority__no_change=gap)
    assert claim("bifet2013/table2", "no_change_beats_majority", ours)["verdict"] == expected


@pytest.mark.parametrize(("tree", "expected"), [(0.8, HOLDS), (0.69, FAILS)])
def test_learners_beat_majority(tree, expected):
    values = {"naive_bayes__accuracy": 0.75, "hoeffding_tree__accuracy": tree}
    ours = {"measures": measures("elec2", moving_majority__accuracy=0.6, **values)}
    assert claim("bifet2013/fig2", "learners_beat_majority", ours)["verdict"] == expected
    ours = {"measures": measures("elec2", **values)}
    assert claim("bifet2013/fig2", "learners_beat_majority", ours)["verdict"] == "not run"


@pytest.mark.parametrize(
    ("gain", "streams", "expected"),
    [
        (0.05, ("elec2", "covtype"), HOLDS),
        (0.05, ("elec2",), "not run"),
        (0.01, ("elec2",), FAILS),
        (0.02, ("elec2", "covtype"), OPEN),
    ],
)
def test_augmented_improves(gain, streams, expected):
    values = {f"{name}_augmented__{name}": 0.05 for name in LEARNERS}
    ours = of_streams(streams, **values | {"naive_bayes_augmented__naive_bayes": gain})
    assert claim("bifet2013/fig6-8", "augmented_improves", ours)["verdict"] == expected


# --- What arithmetic decides


@pytest.mark.parametrize(
    ("key", "numbers"),
    [
        ("random_accuracy", "5 classes, differently frequent: 1/5"),
        # Majority is correct in 13 of 20 cases, No-Change in 7, more than a third.
        ("repeats_above_1_of_k", "3 classes: not if P(c|c) is 7/20 and P(M|c) 13/20"),
        # 6 labels of 2 and of 3 classes: 2**6 and 3**6 ways to predict them.
        ("balanced_kappas_agree", "equal for 64 of 64; labels (0, 0, 1, 1, 2, 2)"),
        # All of the larger class: 3 right of 4, by chance 3/4 and 9/16 + 1/16.
        ("independent_kappas_agree", "such as 0 and 1/3"),
    ],
)
def test_reasons_of_what_arithmetic_decides_have_its_numbers(key, numbers):
    assert numbers in judged("bifet2013", key, Results({})).reason
