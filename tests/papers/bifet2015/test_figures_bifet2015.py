"""Claims of Bifet et al. (2015) on Figures 2 and 3, with made-up results."""

from __future__ import annotations

import pandas as pd
import pytest
from helpers.scorecards import claim

from streameval.papers.bifet2015.published import MAX_SIMILAR_EXCESS
from streameval.report.results import FRAME_COLUMNS

HOLDS, FAILS, OPEN = "claim holds", "claim does not hold", "claim undecided"


def curves(kappa_m, learner="hoeffding_tree"):
    rows = [
        (at, learner, measure, value)
        for at, kappa in enumerate(kappa_m)
        for measure, value in (("kappa", 0.5), ("kappa_m", kappa))
    ]
    return {"bifet2015/fig2/elec2.curves": pd.DataFrame(rows, columns=FRAME_COLUMNS["curves"])}


@pytest.mark.parametrize(
    ("kappa_m", "expected"),
    [([0.5, 0.49 + MAX_SIMILAR_EXCESS], HOLDS), ([0.3, 0.51 + MAX_SIMILAR_EXCESS], FAILS)],
)
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
