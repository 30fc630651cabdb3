"""How far to look back: Figures 9 to 11 of Bifet et al. (2013), 6 of Žliobaitė et al. (2015)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest
from helpers.drawn import (
    INSIDE,
    NAN,
    TITLES,
    TREE,
    assert_no_text_collides,
    cells,
    drawing,
    legend_names,
    line_of,
)
from matplotlib.figure import Figure

from streameval.items.dependence.show import draw_lags as _draw

lags = drawing(_draw, "lags", "costs")

TWO = ["labels", "labels_and_inputs"]
THREE = ["accuracy", "kappa", "kappa_temporal"]


def lag_frames(
    learners: Sequence[str], kinds: Sequence[str], at: Sequence[int], measures: Sequence[str]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    rows, costs = [], []
    for measure in measures:
        rows.append(("no_change", "", 0, measure, 0.6))
        for i, name in enumerate(learners):
            rows.append((name, "", 0, measure, 0.5 + i / 100))
            for (j, kind), lag in itertools.product(enumerate(kinds), at):
                rows.append((name, kind, lag, measure, 0.7 + i / 100 + j / 1000 + lag / 1e5))
    for name in learners:
        costs.append((name, "", 0, 2_000_000, 4.0, 30_000))
        for (j, kind), lag in itertools.product(enumerate(kinds), at):
            costs.append((name, kind, lag, 2_000_000, 4.0 + 2 * lag, (30 + 10 * j) * 1000 + lag))
    return (
        pd.DataFrame(rows, columns=["learner", "kind", "lags", "measure", "value"]),
        pd.DataFrame(
            costs, columns=["learner", "kind", "lags", "instances", "seconds", "model_bytes"]
        ),
    )


def draw_lags(
    frame: pd.DataFrame, costs: pd.DataFrame | None, measures: Sequence[str] = THREE
) -> Figure:
    about = {"titles": TITLES, "title": "A stream", "simulated": False}
    return lags(frame, costs, measures=measures, times=costs is not None, **about)


def test_lags_draw_the_numbers_from_the_learner_alone_on_with_times() -> None:
    frame, costs = lag_frames(["hoeffding_tree"], TWO, [8, 1, 2, 4], THREE)
    figure = draw_lags(frame, costs)
    assert [axes.get_ylabel() for axes in figure.axes[3:]] == [
        *("CPU time, µs per instance", "model size, kB")
    ]
    axis_label = "previous instances that the learner knows, ℓ (0:\u00a0none)"
    below = [axes.get_xlabel().replace("\n", " ") for axes in figure.axes]
    assert below == ["", "", "", axis_label, axis_label]
    names = ["with previous labels", "with previous labels and inputs"]
    assert legend_names(figure) == [*(f"Hoeffding tree {name}" for name in names), "No-Change"]
    at = np.array([1, 2, 4, 8])
    for j, dash in enumerate(["-", "--"]):
        expected = {
            0: [0.5, *(0.7 + j / 1000 + at / 1e5)],
            3: [2.0, *(2.0 + at)],  # 4 s for 2,000,000 instances are 2 µs each
            4: [30, *(30 + 10 * j + at / 1000)],
        }
        for panel, values in expected.items():
            line = line_of(figure.axes[panel], TREE, dash)
            assert list(line.get_xdata()) == [0, *at]
            assert line.get_ydata() == pytest.approx(values)
    assert_no_text_collides(figure)


def test_the_learner_alone_may_be_told_for_each_kind_or_for_one() -> None:
    frame, _ = lag_frames(["hoeffding_tree"], TWO, [1, 2], ["accuracy"])
    expected = [
        list(line.get_ydata()) for line in draw_lags(frame, None, ["accuracy"]).axes[0].lines
    ]
    alone = cells(frame, learner="hoeffding_tree", kind="")
    shared = frame.assign(kind=frame["kind"].mask(alone, "labels"))
    each = pd.concat([shared, frame[alone].assign(kind="labels_and_inputs")])
    for variant in (shared, each):
        (axes,) = draw_lags(variant, None, ["accuracy"]).axes
        assert [list(line.get_ydata()) for line in axes.lines] == expected


def test_lags_of_five_learners_fit_into_one_panel() -> None:
    at = [1, 2, 3, 4, 5, 6, 8, 10, 20, 30, 40, 48, 60]
    frame, _ = lag_frames(INSIDE, ["labels"], at, ["accuracy"])
    figure = draw_lags(frame, None, ["accuracy"])
    (axes,) = figure.axes
    assert axes.get_xlabel() == "previous labels that the learner knows, ℓ (0:\u00a0none)"
    assert legend_names(figure) == [*(TITLES[name] for name in INSIDE), "No-Change"]
    ticks = axes.get_xticks()
    assert {0, 1, 60} <= set(ticks) <= {0, *at}
    places = axes.transData.transform([(lag, 0.7) for lag in (0, 1, 2, 60)])[:, 0]
    assert (places[1] - places[0]) / (places[3] - places[0]) > 0.1, "short lags have room"
    assert_no_text_collides(figure)


def test_costs_that_differ_much_have_a_logarithmic_axis() -> None:
    frame, costs = lag_frames(["hoeffding_tree"], TWO, [1, 2, 4], ["accuracy"])
    time, size = draw_lags(frame, costs, ["accuracy"]).axes[1:]
    assert time.get_yscale() == size.get_yscale() == "linear"
    assert time.get_ylim()[0] == size.get_ylim()[0] == 0
    costs["seconds"] *= np.where(costs["lags"] == 4, 30.0, 1.0)
    costs["model_bytes"] *= 1000
    time, size = draw_lags(frame, costs, ["accuracy"]).axes[1:]
    assert time.get_yscale() == "log"
    assert time.get_ylim()[0] > 0
    assert size.get_ylabel() == "model size, MB"
    assert line_of(size, TREE, "-").get_ydata()[0] == pytest.approx(30)


def test_costs_that_are_not_known_are_said_to_be() -> None:
    frame, costs = lag_frames(["hoeffding_tree"], TWO, [1, 2, 4], THREE)
    costs["seconds"] = costs["seconds"].where(costs["lags"] != 2)
    figure = draw_lags(frame, costs.assign(model_bytes=0))
    assert figure.axes[3].get_title(loc="right") == "gaps: not known"
    assert figure.axes[4].get_title(loc="right") == "not known"
    assert len(figure.axes[4].get_yticks()) == 0
    assert_no_text_collides(figure)


def test_undefined_and_very_negative_lags_are_seen() -> None:
    frame, costs = lag_frames(["hoeffding_tree"], TWO, [1, 2, 4], THREE)
    frame.loc[frame["measure"] == "kappa", "value"] = NAN
    low = cells(frame, measure="kappa_temporal", learner="hoeffding_tree", kind="")
    frame.loc[low, "value"] = -300.0
    figure = draw_lags(frame, costs)
    assert figure.axes[1].get_title(loc="right") == "gaps: κ is undefined"
    assert figure.axes[2].get_title(loc="right") == "shaded: logarithmic below −1"
    assert figure.axes[2].get_ylim()[0] < -300
    assert_no_text_collides(figure)
