"""Claims of Žliobaitė et al. (2015) about labels and gains: what makes each hold, and what not."""

from __future__ import annotations

import pandas as pd
import pytest
from helpers.scorecards import claim, measures, table2

from streameval.evaluation.roles import AUGMENTED, CORRECTED
from streameval.papers.zliobaite2015.published import ORDINARY_LEARNERS, WRAPPED_SUFFIXES

TABLE, FIG2, FIG3 = (f"zliobaite2015/{name}" for name in ("table3", "fig2", "fig3"))
STREAMS = ("elec2_mlj", "covtype", "kdd99", "ozone")


@pytest.mark.parametrize(
    ("changed", "verdict"),
    [
        ({}, "claim holds"),
        ({"covtype": (0.5, 0.4)}, "claim does not hold"),
        ({"ozone": (0.97, 0.98)}, "claim does not hold"),
        ({"kdd99": (0.6, 0.6)}, "claim does not hold"),
    ],
)
def test_persistence(changed: dict[str, tuple[float, float]], verdict: str) -> None:
    numbers = {**dict.fromkeys(STREAMS, (0.5, 0.9)), "ozone": (0.97, 0.95)} | changed
    rows = [(name, False, 9, 1, 2, *pair) for name, pair in numbers.items()]
    columns = ["stream", "simulated", "instances", "attributes", "classes", "P(M)", "P(T)"]
    ours = {TABLE: pd.DataFrame(rows, columns=columns)}
    assert claim(TABLE, "persistence_above_majority", ours)["verdict"] == verdict


@pytest.mark.parametrize(("repeated", "verdict"), [(0.96, "holds"), (0.98, "does not hold")])
def test_negative_dependence(repeated: float, verdict: str) -> None:
    ours = {"bifet2013/table2": table2("ozone", **{"P(c1)": 0.97, "P(c1|c1)": repeated})}
    assert claim(TABLE, "ozone_negative_dependence", ours)["verdict"] == f"claim {verdict}"


@pytest.mark.parametrize(("best", "verdict"), [(0.974, "holds"), (0.98, "does not hold")])
def test_hardly_above_majority(best: float, verdict: str) -> None:
    rows = [
        ("shuffled:1", name, "cumulative", "accuracy", value, "")
        for name, value in {**dict.fromkeys(ORDINARY_LEARNERS, 0.9), "majority": 0.97}.items()
    ]
    rows[1] = (*rows[1][:4], best, "")
    # The figure has them too, and other claims read them.
    rows += [
        (*row[:3], name, 0.1, "")
        for row in list(rows)
        for name in ("kappa_temporal", "kappa", "kappa_combined")
    ]
    columns = ["variant", "learner", "estimator", "measure", "value", "reason"]
    ours = {f"{FIG2}/ozone.estimates": pd.DataFrame(rows, columns=columns)}
    row = claim(FIG2, "ozone_shuffled_hardly_above_majority", ours)
    assert row["verdict"] == f"claim {verdict}"


def accuracies(stream: str, gain: float, **more: float) -> pd.DataFrame:
    values = {f"{name}__accuracy": 0.8 for name in ORDINARY_LEARNERS}
    values |= {
        f"{name}{form}__accuracy": 0.8 + gain
        for name in ORDINARY_LEARNERS
        for form in WRAPPED_SUFFIXES
    }
    return measures(stream, **(values | more))


@pytest.mark.parametrize(("on_kdd99", "verdict"), [(0.01, "holds"), (0.1, "does not hold")])
def test_gains_are_smaller_on_kdd99(on_kdd99: float, verdict: str) -> None:
    gains = {"elec2_mlj": 0.1, "covtype": 0.2, "kdd99": on_kdd99}
    ours = {"measures": pd.concat([accuracies(name, gain) for name, gain in gains.items()])}
    assert claim(FIG3, "smaller_gain_on_kdd99", ours)["verdict"] == f"claim {verdict}"


@pytest.mark.parametrize(("better", "verdict"), [(3, "holds"), (2, "does not hold")])
def test_augmented_bayes(better: int, verdict: str) -> None:
    frames = []
    for number, stream in enumerate(STREAMS):
        gap = 0.01 if number < better else -0.01
        values = {
            f"{name}{form}__accuracy": 0.8 + gap * (form == AUGMENTED)
            for name in ("naive_bayes", "ddm_nb")
            for form in (AUGMENTED, CORRECTED)
        }
        frames.append(measures(stream, **values))
    row = claim(FIG3, "augmented_bayes_beats_correction", {"measures": pd.concat(frames)})
    assert row["verdict"] == f"claim {verdict}"
