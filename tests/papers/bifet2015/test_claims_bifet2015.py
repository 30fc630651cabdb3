"""Claims of Bifet et al. (2015) about Figures 2 and 3: what makes each hold, and what does not."""

from __future__ import annotations

import pandas as pd
import pytest
from helpers.scorecards import judged, verdict_on

from streameval.papers.bifet2015.published import MAX_SIMILAR_EXCESS
from streameval.report.results import Results

HOLDS, FAILS = "claim holds", "claim does not hold"
AT = range(1000, 46_000, 100)
LEARNERS = ("hoeffding_tree", "moving_majority")


def curves(**values: list[float]) -> pd.DataFrame:
    """Return Figure 2; a curve is learner__measure, others are 0.5 and, of the majority, 0."""
    rows = []
    for learner in LEARNERS:
        for measure in ("kappa", "harmonic_mean", "kappa_m"):
            usual = [0.5 if learner == LEARNERS[0] else 0.0] * len(AT)
            curve = values.get(f"{learner}__{measure}", usual)
            rows += [(at, learner, measure, v) for at, v in zip(AT, curve, strict=True)]
    return pd.DataFrame(rows, columns=["instance", "learner", "measure", "value"])


def dip(length: int, depth: float = -0.1, start: int = 100, usual: float = 0.5) -> list[float]:
    curve = [usual] * len(AT)
    curve[start : start + length] = [depth] * length
    return curve


def broken() -> list[float]:
    return [min(first, second) for first, second in zip(dip(6), dip(6, start=110), strict=True)]


#: A tree that is beaten for 2 % of the stream, and a majority that seems to be good for as long.
BOTH = {
    "hoeffding_tree__kappa_m": dip(11),
    "moving_majority__kappa": dip(12, 0.1, usual=0.0),
    "moving_majority__harmonic_mean": dip(12, 0.4, usual=0.0),
}


@pytest.mark.parametrize(
    ("key", "changed", "holds"),
    [
        # Twelve windows with a break in the middle: neither half is long enough.
        ("kappa_m_negative", {"hoeffding_tree__kappa_m": broken()}, 2),
        ("kappa_m_negative", {"hoeffding_tree__kappa": dip(11, -0.01)}, 2),
        ("kappa_m_negative", {"hoeffding_tree__harmonic_mean": dip(1, 0.0)}, 2),
        # Where kappa_m is not negative, the others may be.
        ("kappa_m_negative", {"hoeffding_tree__kappa": dip(1, -0.01, start=0)}, 3),
        ("majority_kappa_positive", {"moving_majority__kappa_m": dip(1, 1e-6, usual=0.0)}, 2),
        ("majority_kappa_positive", {"moving_majority__kappa": dip(3, 0.1, usual=0.0)}, 2),
        ("majority_kappa_positive", {"moving_majority__harmonic_mean": dip(0, usual=0.0)}, 2),
        ("majority_kappa_positive", {"hoeffding_tree__kappa": dip(11, -0.01)}, 3),
    ],
)
def test_kappa_m_sees_what_others_do_not(key, changed, holds):
    ours = {"bifet2015/fig2/elec2.curves": curves(**BOTH)}
    assert verdict_on("bifet2015", key, ours) == HOLDS
    ours = {"bifet2015/fig2/elec2.curves": curves(**{**BOTH, **changed})}
    judgement = judged("bifet2015", key, Results(ours))
    assert judgement.proportion == pytest.approx(holds / 3)
    assert judgement.verdict == (HOLDS if holds == 3 else FAILS)


@pytest.mark.parametrize(
    ("key", "learner"),
    [("kappa_m_negative", "hoeffding_tree"), ("majority_kappa_positive", "moving_majority")],
)
def test_a_figure_without_a_measure_is_not_judged(key, learner):
    frame = curves(**BOTH)
    ours = {"bifet2015/fig2/elec2.curves": frame[frame["measure"] != "harmonic_mean"]}
    judgement = judged("bifet2015", key, Results(ours))
    assert judgement.verdict == "not run"
    assert f"lacks harmonic_mean of {learner}" in judgement.reason


@pytest.mark.parametrize(("last", "verdict"), [(45_312, HOLDS), (45_311, FAILS)])
def test_the_length_of_the_stream(last, verdict):
    frame = curves(**BOTH)
    frame["instance"] += last - frame["instance"].max()
    ours = {"bifet2015/fig2/elec2.curves": frame}
    assert verdict_on("bifet2015", "electricity_length", ours) == verdict


@pytest.mark.parametrize(
    ("excess", "learner", "expected"),
    [
        (-0.01, "hoeffding_tree", HOLDS),
        (0.01, "hoeffding_tree", FAILS),
        (0.01, "naive_bayes", "not run"),
    ],
)
def test_kappa_m_is_not_above_kappa(excess, learner, expected):
    kappa_m = [0.5] * (len(AT) - 1) + [0.5 + MAX_SIMILAR_EXCESS + excess]
    frame = curves(hoeffding_tree__kappa_m=kappa_m)
    ours = {"bifet2015/fig2/elec2.curves": frame.replace("hoeffding_tree", learner)}
    assert verdict_on("bifet2015", "kappa_m_not_above_kappa", ours) == expected


@pytest.mark.parametrize(
    ("steps", "expected"),
    [((0.1, 0.05, 0.01), HOLDS), ((0.1, 0.01, 0.05), FAILS), ((0.1, 0.05), "not run")],
)
def test_smoother_the_longer(steps, expected):
    rows = [
        ("hoeffding_tree", f"window_{length}", at, 0.5 + step * (at % 2))
        for length, step in zip((100, 1000, 10_000), steps, strict=False)
        for at in range(4)
    ]
    frame = pd.DataFrame(rows, columns=["learner", "estimator", "instance", "accuracy"])
    ours = {"bifet2015/fig3/elec2.following": frame}
    assert verdict_on("bifet2015", "smoother_the_longer", ours) == expected
