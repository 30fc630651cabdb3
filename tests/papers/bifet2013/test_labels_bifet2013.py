"""Claims of Bifet et al. (2013) about labels alone: what makes each hold, and what does not."""

from __future__ import annotations

import pandas as pd
import pytest
from helpers.scorecards import claim, judged

from streameval.papers.bifet2013.published import MIN_PRIOR_RANGE
from streameval.report.results import DIFFERENCE_COLUMNS, Results

TABLE = "bifet2013/table2"
PRIOR = "bifet2013/fig1/elec2.prior"


def table(**changed: float) -> pd.DataFrame:
    numbers = {
        **{f"{s}/P(c{c})": 0.3 for s in ("elec2", "airlines", "kdd99") for c in (1, 2, 3)},
        **{f"{s}/P(c{c}|c{c})": 0.8 for s in ("elec2", "airlines", "kdd99") for c in (1, 2, 3)},
        "kdd99/no_change_accuracy": 0.995,
        "ozone/P(c2)": 0.03,
        "ozone/P(c2|c2)": 0.11,
    } | changed
    rows = [(*key.split("/"), False, value) for key, value in numbers.items()]
    return pd.DataFrame(rows, columns=["stream", "measure", "simulated", "value"])


def ozone(low: float, high: float) -> pd.DataFrame:
    row = ("ozone", False, "majority", "no_change", (low + high) / 2, low, high, 2536)
    return pd.DataFrame([row], columns=list(DIFFERENCE_COLUMNS))


@pytest.mark.parametrize(
    ("key", "changed", "verdict"),
    [
        ("dependent_labels", {}, "claim holds"),
        ("dependent_labels", {"airlines/P(c2|c2)": 0.29}, "claim does not hold"),
        ("slightly_imbalanced", {"elec2/P(c1)": 0.4, "airlines/P(c1)": 0.4}, "claim holds"),
        ("slightly_imbalanced", {"elec2/P(c1)": 0.4}, "claim does not hold"),
        (
            "slightly_imbalanced",
            {"elec2/P(c1)": 0.4, "airlines/P(c1)": 0.6},
            "claim does not hold",
        ),
        ("kdd99_nearly_perfect", {}, "claim holds"),
        ("kdd99_nearly_perfect", {"kdd99/no_change_accuracy": 0.98}, "claim does not hold"),
    ],
)
def test_numbers_of_table_2(key: str, changed: dict[str, float], verdict: str) -> None:
    assert claim(TABLE, key, {TABLE: table(**changed)})["verdict"] == verdict


@pytest.mark.parametrize(("classes", "verdict"), [(23, "holds"), (20, "does not hold")])
def test_classes_of_kdd99(classes: int, verdict: str) -> None:
    row = {"stream": "kdd99", "simulated": False, "classes": classes}
    judgement = judged(
        "bifet2013", "kdd99_classes", Results({"zliobaite2015/table3": pd.DataFrame([row])})
    )
    assert judgement.verdict == f"claim {verdict}"


@pytest.mark.parametrize(
    ("ends", "minority", "verdict"),
    [
        ((0.01, 0.03), 0.11, "claim holds"),
        ((-0.01, 0.03), 0.11, "claim undecided"),
        ((-0.03, -0.01), 0.11, "claim does not hold"),
        ((0.01, 0.03), 0.02, "claim does not hold"),
    ],
)
def test_no_advantage_on_ozone(ends: tuple[float, float], minority: float, verdict: str) -> None:
    ours = {TABLE: table(**{"ozone/P(c2|c2)": minority}), "differences": ozone(*ends)}
    assert claim(TABLE, "ozone_no_advantage", ours)["verdict"] == verdict


@pytest.mark.parametrize(
    ("high", "verdict"),
    [(0.41 + MIN_PRIOR_RANGE, "claim holds"), (0.39 + MIN_PRIOR_RANGE, "claim does not hold")],
)
def test_a_prior_evolves_if_it_moves(high: float, verdict: str) -> None:
    rows = [(1000 + i, c, share) for i, share in enumerate((0.4, high)) for c in ("UP", "DOWN")]
    frame = pd.DataFrame(rows, columns=["instance", "class", "proportion"])
    assert claim("bifet2013/fig1", "prior_evolves", {PRIOR: frame})["verdict"] == verdict
