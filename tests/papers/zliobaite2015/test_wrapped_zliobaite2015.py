"""Claims of Žliobaitė et al. (2015) on wrappers, with made-up results."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from helpers.scorecards import claim, gaps, judged, measures

from streameval.papers.zliobaite2015.published import ORDINARY_LEARNERS, WRAPPED_SUFFIXES
from streameval.report.results import Results

HOLDS, FAILS, OPEN = "claim holds", "claim does not hold", "claim undecided"


def of_streams(streams, **values):
    """Differences of several streams, give or take 0.001."""
    return {"differences": pd.concat([gaps(stream, **values) for stream in streams])}


STREAMS = ("elec2_mlj", "covtype", "kdd99", "ozone")


@pytest.mark.parametrize(
    ("best", "streams", "expected"),
    [(0.9, STREAMS, HOLDS), (0.9, STREAMS[:2], "not run"), (0.7, STREAMS[:1], FAILS)],
)
def test_bagging_is_the_best_ordinary_learner(best, streams, expected):
    values = {f"{name}__accuracy": 0.8 for name in ORDINARY_LEARNERS}
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
    values = {
        f"{name}{form}__no_change": 0.0 for name in ORDINARY_LEARNERS for form in WRAPPED_SUFFIXES
    }
    ours = of_streams(streams, **values | {"ddm_nb_augmented__no_change": gap})
    assert claim("zliobaite2015/fig3", "wrapped_close_to_persistent", ours)["verdict"] == expected


@pytest.mark.parametrize(
    ("better", "rest", "expected"), [(6, 0.0, HOLDS), (5, 0.0, FAILS), (5, 0.02, OPEN)]
)
def test_generally_is_more_than_half(better, rest, expected):
    names = [f"{name}{form}__no_change" for name in ORDINARY_LEARNERS for form in WRAPPED_SUFFIXES]
    values = {name: 0.1 if place < better else rest for place, name in enumerate(names)}
    ours = of_streams(["ozone"], **values)
    assert claim("zliobaite2015/fig3", "ozone_above_persistent", ours)["verdict"] == expected


@pytest.mark.parametrize(
    ("of_ddm", "seeds", "expected"),
    [(0.7, 10, HOLDS), (0.79, 10, FAILS), (0.7, 9, "not run: lower scale")],
)
def test_ddm_is_outperformed_by_random_alarms(of_ddm, seeds, expected):
    rows = [
        (variant, seed, learner, probability, accuracy)
        for variant in ("original", "temporal")
        for seed in range(seeds)
        for learner, probability, accuracy in (
            ("ddm_random", 0.01, 0.6), ("ddm_random", 1.0, 0.8), ("ddm_nb", np.nan, of_ddm)
        )
    ]  # fmt: skip
    columns = ["variant", "seed", "learner", "probability", "accuracy"]
    frame = pd.DataFrame(rows, columns=columns)
    ours = {f"zliobaite2015/fig7/{name}.false_alarms": frame for name in STREAMS[:2]}
    assert judged("zliobaite2015", "ddm_outperformed", Results(ours)).verdict == expected
