"""Figures of baselines by dependence: lines, names and marks."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from helpers.drawn import assert_no_text_collides, colored
from matplotlib.axes import Axes

from streameval.drawing import style
from streameval.items.propositions.baseline_accuracies import MEMORY_QUANTITIES, QUANTITIES
from streameval.items.propositions.error_dependence import CONDITIONS
from streameval.items.propositions.show import (
    baselines_by_persistence,
    majority_memory,
)

AT = [0.45, 0.58, 0.7, 0.9, 0.99]
SETTINGS = ["0.5/0.5", "0.7/0.3", "0.5/0.3/0.2"]
WINDOWS = [1, 3, 10, 100, 1000]


def sweep(temporal: float = -15.0) -> pd.DataFrame:
    """A sweep whose lines are straight; κ_t falls from 0.5 to `temporal`."""
    parts = []
    for shares in SETTINGS:
        for number, quantity in enumerate(QUANTITIES):
            mean = np.linspace(0.5, temporal, 5) if quantity == "kappa_temporal" else number / 10
            parts.append(
                pd.DataFrame(
                    {"shares": shares, "persistence": AT, "quantity": quantity, "mean": mean}
                )
            )
    frame = pd.concat(parts, ignore_index=True)
    return frame.assign(low=frame["mean"] - 0.01, high=frame["mean"] + 0.01, seeds=5)


def memory() -> pd.DataFrame:
    parts = [
        pd.DataFrame(
            {
                "shares": "0.7/0.3",
                "persistence": at,
                "window": WINDOWS,
                "quantity": quantity,
                "mean": at - 0.05 * number,
            }
        )
        for at in (0.9, 0.64)
        for number, quantity in enumerate(MEMORY_QUANTITIES)
    ]
    frame = pd.concat(parts, ignore_index=True)
    return frame.assign(low=frame["mean"] - 0.01, high=frame["mean"] + 0.01, seeds=5)


def errors(shares: str = "0.7/0.3") -> pd.DataFrame:
    parts = [
        pd.DataFrame(
            {
                "shares": shares,
                "persistence": AT,
                "condition": condition,
                "error_a": 0.1,
                "error_b": 0.4,
                "expected": 0.01 * number,
                "mean": 0.01 * number + 0.002,
            }
        )
        for number, condition in enumerate(CONDITIONS)
    ]
    frame = pd.concat(parts, ignore_index=True)
    return frame.assign(low=frame["mean"] - 0.01, high=frame["mean"] + 0.01, seeds=5)


def uprights(axes: Axes) -> list[float]:
    """Positions of vertical lines, from left to right."""
    diagonals = [line.get_xdata() for line in axes.lines if list(line.get_ydata()) == [0, 1]]
    return sorted(float(x[0]) for x in diagonals if x[0] == x[1])


def test_a_column_per_setting_with_accuracies_above_and_kappas_below() -> None:
    figure = baselines_by_persistence(sweep())
    assert len(figure.axes) == 6
    upper, lower = figure.axes[:3], figure.axes[3:]
    assert [axes.get_title(loc="left") for axes in upper] == [
        "balanced, 0.5/0.5",
        "imbalanced, 0.7/0.3",
        "imbalanced, 0.5/0.3/0.2",
    ]
    for axes in upper:
        # Place in QUANTITIES, over ten.
        for learner, value in (("majority", 0.1), ("no_change", 0.2), ("naive_bayes", 0.4)):
            (line,) = colored(axes, style.LEARNER_LOOKS[learner].color)
            assert line.tolist() == [value] * 5
    for axes in lower:
        (line,) = colored(axes, "#661100")
        assert line.tolist() == np.linspace(0.5, -15.0, 5).tolist()
        assert axes.get_xlabel() == "P(T), proportion of repeated labels"
    assert figure.axes[0].get_ylabel() == "accuracy"
    assert figure.axes[3].get_ylabel() == "kappas of Naive Bayes"
    assert figure.get_suptitle() == "Baselines and kappas by persistence, simulated"
    # The mark is for streams that stand for real ones; these labels stand for themselves.
    assert "simulated stream" not in [text.get_text() for text in figure.texts]
    assert_no_text_collides(figure)


def test_independence_and_the_majority_share_are_marked() -> None:
    figure = baselines_by_persistence(sweep())
    marks = [uprights(axes) for axes in figure.axes]
    # Sum of the squared shares, and the largest one.
    for place, expected in enumerate([(0.5, 0.5), (0.58, 0.7), (0.38, 0.5)]):
        assert marks[place] == marks[place + 3] == pytest.approx(expected)
    (legend,) = figure.legends
    names = [text.get_text() for text in legend.get_texts()]
    assert len(names) == len(set(names)) == 9
    assert {"independent labels", "P(T) = P(M)", "Majority", "Persistent"} <= set(names)


def test_bands_are_the_intervals() -> None:
    figure = baselines_by_persistence(sweep())
    (band, *_) = figure.axes[0].collections
    heights = band.get_paths()[0].vertices[:, 1]
    assert (heights.min(), heights.max()) == pytest.approx((0.09, 0.11))  # of p_majority


@pytest.mark.parametrize(("temporal", "scale"), [(-15.0, "symlog"), (-0.5, "linear")])
def test_kappas_bend_only_where_they_must(temporal: float, scale: str) -> None:
    figure = baselines_by_persistence(sweep(temporal))
    for axes in figure.axes[3:]:
        assert axes.get_yscale() == scale
        assert axes.get_ylim()[0] < temporal
    noted = figure.axes[3].get_title(loc="left").startswith("shaded: logarithmic")
    assert noted is (scale == "symlog")
    assert_no_text_collides(figure)


def test_memory_has_a_panel_per_chain_and_errors_one() -> None:
    figure = majority_memory(memory(), errors())
    strong, weak, dependence = figure.axes
    assert strong.get_title(loc="left") == "0.7/0.3, P(T) = 0.9"
    assert weak.get_title(loc="left") == "0.7/0.3, P(T) = 0.64"
    for axes, at in ((strong, 0.9), (weak, 0.64)):
        assert axes.get_xscale() == "log"
        assert axes.get_xlabel() == "labels remembered, n"
        # Place in MEMORY_QUANTITIES, times 0.05 below P(T).
        (line,) = colored(axes, style.LEARNER_LOOKS["moving_majority"].color)
        assert line == pytest.approx([at] * 5)
        (line,) = colored(axes, style.LEARNER_LOOKS["no_change"].color)
        assert line == pytest.approx([at - 0.05] * 5)
        (line,) = colored(axes, style.LEARNER_LOOKS["majority"].color)
        assert line == pytest.approx([at - 0.1] * 5)
    assert dependence.get_ylabel() == "autocorrelation of errors, lag 1"
    assert uprights(dependence) == pytest.approx([0.58])
    for look, number in zip(style.CLASS_LOOKS, range(4), strict=False):
        exact, points = colored(dependence, look.color)
        assert exact == pytest.approx([0.01 * number] * 5)
        assert points == pytest.approx([0.01 * number + 0.002] * 5)
    (legend,) = figure.legends
    names = [text.get_text() for text in legend.get_texts()]
    assert "condition 3 as printed: 0.1 and 0.4" in names
    assert len(names) == 9
    assert_no_text_collides(figure)


def test_a_condition_may_be_left_out() -> None:
    frame = errors()
    figure = majority_memory(memory(), frame[frame["condition"] == CONDITIONS[0]])
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    assert len(names) == 6
    assert not any("condition 3" in name for name in names)
