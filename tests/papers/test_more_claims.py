"""Claims of the papers of 2013 and 2015 on baselines and wrappers, with made-up results."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from helpers.scorecards import claim, gaps, judged, measures, table2

from streameval.papers.zliobaite2015.learners import ORDINARY, WRAPPED
from streameval.report.results import FRAME_COLUMNS, Results

HOLDS, FAILS, OPEN = "claim holds", "claim does not hold", "claim undecided"
LEARNERS = ("naive_bayes", "hoeffding_tree", "hoeffding_adaptive_tree", "leveraging_bagging")


def of_streams(streams, **values):
    """Return differences of several streams, give or take 0.001."""
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


def curves(kappa_m, learner="hoeffding_tree"):
    rows = [
        (at, learner, measure, value)
        for at, one in enumerate(kappa_m)
        for measure, value in (("kappa", 0.5), ("kappa_m", one))
    ]
    return {"bifet2015/fig2/elec2.curves": pd.DataFrame(rows, columns=FRAME_COLUMNS["curves"])}


@pytest.mark.parametrize(("kappa_m", "expected"), [([0.5, 0.54], HOLDS), ([0.3, 0.56], FAILS)])
def test_kappa_m_is_not_above_kappa(kappa_m, expected):
    key = "kappa_m_not_above_kappa"
    assert claim("bifet2015/fig2", key, curves(kappa_m))["verdict"] == expected
    other = curves(kappa_m, "naive_bayes")
    assert claim("bifet2015/fig2", key, other)["verdict"] == "not run"


@pytest.mark.parametrize(
    ("steps", "expected"), [((0.1, 0.05, 0.01), HOLDS), ((0.1, 0.01, 0.05), FAILS)]
)
def test_smoother_the_longer(steps, expected):
    rows = [
        ("hoeffding_tree", f"window_{length}", at, 0.5 + step * (at % 2))
        for length, step in zip((100, 1000, 10_000), steps, strict=True)
        for at in range(4)
    ]
    frame = pd.DataFrame(rows, columns=["learner", "estimator", "instance", "accuracy"])
    item, key = "bifet2015/fig3", "smoother_the_longer"
    assert claim(item, key, {f"{item}/elec2.following": frame})["verdict"] == expected
    short = frame[frame["estimator"] != "window_100"]
    assert claim(item, key, {f"{item}/elec2.following": short})["verdict"] == "not run"


STREAMS = ("elec2_mlj", "covtype", "kdd99", "ozone")


@pytest.mark.parametrize(
    ("best", "streams", "expected"),
    [(0.9, STREAMS, HOLDS), (0.9, STREAMS[:2], "not run"), (0.7, STREAMS[:1], FAILS)],
)
def test_bagging_is_the_best_ordinary_learner(best, streams, expected):
    values = {f"{name}__accuracy": 0.8 for name in ORDINARY}
    values["leveraging_bagging__accuracy"] = best
    ours = {"measures": pd.concat([measures(stream, **values) for stream in streams])}
    assert claim("zliobaite2015/fig3", "lbag_best_ordinary", ours)["verdict"] == expected


@pytest.mark.parametrize(
    ("gap", "streams", "expected"),
    [
        (0.02, STREAMS, HOLDS),
        (0.02, ("elec2_mlj",), "not run"),
        (-0.06, ("elec2_mlj",), FAILS),
        (0.05, STREAMS, OPEN),
    ],
)
def test_wrapped_learners_are_close_to_persistent(gap, streams, expected):
    values = {f"{name}{form}__no_change": 0.0 for name in ORDINARY for form in WRAPPED}
    ours = of_streams(streams, **values | {"ddm_nb_augmented__no_change": gap})
    assert claim("zliobaite2015/fig3", "wrapped_close_to_persistent", ours)["verdict"] == expected


@pytest.mark.parametrize(
    ("better", "rest", "expected"), [(6, 0.0, HOLDS), (5, 0.0, FAILS), (5, 0.02, OPEN)]
)
def test_generally_is_more_than_half(better, rest, expected):
    names = [f"{name}{form}__no_change" for name in ORDINARY for form in WRAPPED]
    values = {name: 0.1 if place < better else rest for place, name in enumerate(names)}
    key = "ozone_above_persistent"
    ours = of_streams(["ozone"], **values)
    assert claim("zliobaite2015/fig3", key, ours)["verdict"] == expected
    assert claim("zliobaite2015/fig3", key, {})["verdict"] == "not run"


@pytest.mark.parametrize(
    ("own", "seeds", "expected"),
    [(0.7, 10, HOLDS), (0.79, 10, FAILS), (0.7, 9, "not run: lower scale")],
)
def test_ddm_is_outperformed_by_random_alarms(own, seeds, expected):
    rows = [
        (variant, seed, learner, probability, accuracy)
        for variant in ("original", "temporal")
        for seed in range(seeds)
        for learner, probability, accuracy in (
            ("ddm_random", 0.01, 0.6), ("ddm_random", 1.0, 0.8), ("ddm_nb", np.nan, own)
        )
    ]  # fmt: skip
    columns = ["variant", "seed", "learner", "probability", "accuracy"]
    frame = pd.DataFrame(rows, columns=columns)
    ours = {f"zliobaite2015/fig7/{name}.false_alarms": frame for name in STREAMS[:2]}
    assert judged("zliobaite2015", "ddm_outperformed", Results(ours)).verdict == expected
