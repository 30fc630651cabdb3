"""The figure of learners with delayed labels: lines, names and marks."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from helpers.drawn import assert_no_text_collides, drawing
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pending_labels.delays import MEASURED, OPTIONS
from pending_labels.show import OPTION_LOOKS, draw_delays
from streameval.drawing import style

DELAYS = [0, 1, 3, 7, 15, 23, 47, 95, 167, 335]
LEARNERS = ["naive_bayes", "hoeffding_tree", "hoeffding_adaptive_tree", "leveraging_bagging"]
TITLES = {"naive_bayes": "Naive Bayes", "no_change": "No-Change", "majority": "Majority class"}


def curve(learner: str, option: str, at: list[int] = DELAYS) -> np.ndarray:
    """Values that differ from line to line."""
    lines = [("no_change", "ordinary"), ("majority", "ordinary")]
    lines += [(name, option) for name in LEARNERS for option in OPTIONS]
    return 0.5 + 0.02 * lines.index((learner, option)) + 0.1 / (np.array(at) + 1)


def study(learners: list[str] = LEARNERS, at: list[int] = DELAYS) -> pd.DataFrame:
    lines = [("no_change", "ordinary"), ("majority", "ordinary")]
    lines += [(name, option) for name in learners for option in OPTIONS]
    parts = [
        pd.DataFrame(
            {
                "delay": at,
                "learner": learner,
                "option": option,
                "measure": measure,
                "value": curve(learner, option, at) - (measure != "accuracy"),
                "reason": "",
                "low": np.nan,
                "high": np.nan,
            }
        )
        for learner, option in lines
        for measure in MEASURED
    ]
    return pd.concat(parts[::-1], ignore_index=True)


def draw(frame: pd.DataFrame, learners: list[str] = LEARNERS, **options: object) -> Figure:
    settings = {"titles": TITLES, "title": "A stream", "simulated": False} | options
    return drawing(draw_delays, "delays")(frame, learners=learners, **settings)


def line(axes: Axes, color: str, marker: str) -> np.ndarray:
    (match,) = [x for x in axes.lines if (x.get_color(), x.get_marker()) == (color, marker)]
    return np.asarray(match.get_ydata())


def pairs(figure: Figure, learners: list[str] = LEARNERS) -> dict[str, tuple[Axes, Axes]]:
    """The upper and the lower panel of each learner."""
    upper = {axes.get_title(loc="left"): axes for axes in figure.axes if axes.get_title(loc="left")}
    assert list(upper) == [TITLES.get(name, name) for name in learners]
    panels = {}
    for name, axes in zip(learners, upper.values(), strict=True):
        box = axes.get_subplotspec()
        (below,) = [
            other
            for other in figure.axes
            if other.get_subplotspec().rowspan.start == box.rowspan.start + 1
            and other.get_subplotspec().colspan == box.colspan
        ]
        panels[name] = axes, below
    return panels


@pytest.mark.parametrize("count", [1, 3, 4])
def test_each_option_has_a_line_in_its_colour(count: int) -> None:
    figure = draw(study(), LEARNERS[:count])
    assert len(figure.axes) == 2 * count
    for name, (upper, lower) in pairs(figure, LEARNERS[:count]).items():
        for option, (look, _) in OPTION_LOOKS.items():
            color, marker = look.color, look.marker
            values = curve(name, option)
            np.testing.assert_array_equal(line(upper, color, marker), values)
            gain = values - curve(name, "ordinary")
            np.testing.assert_array_equal(line(lower, color, marker), gain)
        for baseline in ("no_change", "majority"):
            accuracies = line(upper, style.learner_look(baseline).color, ".")
            np.testing.assert_array_equal(accuracies, curve(baseline, "ordinary"))
        assert len(upper.lines) == 6
        assert len(lower.lines) == 4
    assert_no_text_collides(figure)


def test_delays_that_lie_close_together_do_not_collide() -> None:
    at = [1, 2, 100, 101, 102, 103, 110, 200, 1000]
    figure = draw(study(at=at), simulated=True)
    _, lower = pairs(figure)["naive_bayes"]
    texts = [text.get_text() for text in lower.get_xticklabels()]
    assert texts == ["1", "2", "100", "", "", "", "", "200", "1000"]
    assert "simulated stream" in [text.get_text() for text in figure.texts]
    assert_no_text_collides(figure)


def test_a_single_delay_is_drawn_as_points() -> None:
    figure = draw(study(["naive_bayes"], [7]), ["naive_bayes"])
    upper, lower = pairs(figure, ["naive_bayes"])["naive_bayes"]
    assert upper.get_xticks().tolist() == [8]
    assert [text.get_text() for text in lower.get_xticklabels()] == ["7"]
    assert all(x.get_marker() not in ("", "None") for x in upper.lines)
    assert_no_text_collides(figure)


def test_gains_have_their_intervals() -> None:
    frame = study(["naive_bayes"])
    gained = (frame["measure"] == "accuracy") & ~frame["option"].isin(["ordinary"])
    gained &= frame["learner"] == "naive_bayes"
    frame["low"] = np.where(gained, 0.01 * frame["value"], np.nan)
    frame["high"] = np.where(gained, 0.05 * frame["value"], np.nan)
    upper, lower = pairs(draw(frame, ["naive_bayes"]), ["naive_bayes"])["naive_bayes"]
    assert not upper.collections
    segments = [part.get_segments() for part in lower.collections if part.get_segments()]
    ends = sorted((part[0][1], part[1][1]) for option in segments for part in option)
    expected = frame.loc[gained, ["low", "high"]].sort_values(["low", "high"]).to_numpy()
    assert np.array(ends) == pytest.approx(expected)
    assert len(ends) == 3 * len(DELAYS)
