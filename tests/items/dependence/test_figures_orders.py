"""A stream in several orders: Figure 7 of Žliobaitė et al. (2015)."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from helpers.drawn import (
    NAN,
    TITLES,
    assert_no_text_collides,
    drawing,
    legend_names,
    line_of,
    steady,
)
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure

from streameval.drawing import style
from streameval.items.dependence.show import draw_false_alarms as _draw_false_alarms

false_alarms = drawing(_draw_false_alarms, "false_alarms")

PROBABILITIES = [0.0001, 0.001, 0.01, 0.1, 1.0]
STEADY = {"no_change": 0.85, "naive_bayes": 0.73, "ddm_nb": 0.80}


def alarm_frame(seeds: int = 3) -> pd.DataFrame:
    """Accuracies that are 0.01 apart from seed to seed, but for the original order."""
    rows = []
    for (v, variant), seed in itertools.product(
        enumerate(["shuffled", "original", "temporal"]), range(seeds)
    ):
        shift = 0.01 * seed
        for name, accuracy in STEADY.items():
            apart = 0 if variant == "original" else shift
            rows.append((variant, seed, name, NAN, accuracy - v / 10 + apart))
        for i, probability in enumerate(PROBABILITIES):
            rows.append((variant, seed, "ddm_random", probability, 0.7 - v / 10 + i / 50 + shift))
    return pd.DataFrame(rows, columns=["variant", "seed", "learner", "probability", "accuracy"])


def draw_alarms(frame: pd.DataFrame, simulated: bool = False) -> Figure:
    return false_alarms(frame, titles=TITLES, title="A stream", simulated=simulated)


def test_false_alarms_draw_means_and_extremes_over_seeds() -> None:
    figure = draw_alarms(alarm_frame(3))
    look = style.learner_look("ddm_random")
    # Shifts of the seeds: 0, 0.01, 0.02. The panels' order is not that of the frame.
    for axes, v in zip(figure.axes, (1, 2, 0), strict=True):
        line = line_of(axes, look.color)
        least = 0.7 - v / 10 + np.arange(5) / 50
        assert list(line.get_xdata()) == PROBABILITIES
        assert line.get_ydata() == pytest.approx(least + 0.01)
        (band,) = [part for part in axes.collections if isinstance(part, PolyCollection)]
        assert tuple(band.get_facecolor()[0]) == pytest.approx(
            to_rgba(look.color, style.BAND_OPACITY)
        )
        corners = band.get_paths()[0].vertices
        for x, low in zip(PROBABILITIES, least, strict=True):
            heights = corners[corners[:, 0] == x, 1]
            assert [heights.min(), heights.max()] == pytest.approx([low, low + 0.02])
        mean = 0 if v == 1 else 0.01
        for name, accuracy in STEADY.items():
            height = steady(axes)[style.learner_look(name).color]
            assert height == pytest.approx(accuracy - v / 10 + mean)
        assert len(axes.patches) == (0 if v == 1 else 3)  # bands of what varies


def test_one_seed_has_no_bands() -> None:
    figure = draw_alarms(alarm_frame(1))
    assert legend_names(figure) == ["DDM-random", "No-Change", "Naive Bayes", "DDM"]
    assert [len(axes.patches) for axes in figure.axes] == [0, 0, 0]
    assert_no_text_collides(figure)


def test_fewer_seeds_of_one_order_are_said() -> None:
    frame = alarm_frame(5)
    figure = draw_alarms(frame[(frame["variant"] != "original") | (frame["seed"] < 2)])
    assert legend_names(figure)[-1].startswith("2 to 5 seeds: ")
