"""The figures: lines, names and marks."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from helpers.drawn import AT, assert_no_text_collides, autocorrelation, colored, drawing, prior
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from streameval.drawing import style
from streameval.drawing.curves import measure_curves
from streameval.items.dependence.show import (
    draw_class_distribution as _draw_class_distribution,
)
from streameval.items.dependence.show import draw_dependence as _draw_dependence

class_distribution = drawing(_draw_class_distribution, "prior", "autocorrelation")
dependence = drawing(_draw_dependence, "dependence")

LEARNERS = ["naive_bayes", "no_change"]
TITLES = {"naive_bayes": "Naive Bayes", "no_change": "No-Change"}


def curves(**values: list[float]) -> pd.DataFrame:
    """Curves of both learners; by default flat ones."""
    measures = {"accuracy": [0.7] * 20, "kappa": [0.5] * 20, "kappa_temporal": [-0.5] * 20}
    measures.update(values)
    parts = [
        pd.DataFrame(
            {"instance": AT, "learner": name, "measure": measure, "value": value, "reason": ""}
        )
        for name in LEARNERS
        for measure, value in measures.items()
    ]
    return pd.concat(parts, ignore_index=True)


def draw(frame: pd.DataFrame, measures: list[str], simulated: bool = False) -> Figure:
    return measure_curves(
        frame,
        measures=measures,
        learners=LEARNERS,
        titles=TITLES,
        title="A stream",
        simulated=simulated,
    )


def test_class_distribution_draws_the_numbers() -> None:
    figure = class_distribution(prior(), autocorrelation(), title="A", simulated=False, period=48)
    left, right = figure.axes
    assert [line.get_ydata()[0] for line in left.lines] == [0.5, 0.25]
    expected = autocorrelation()["autocorrelation"].to_numpy()
    assert any(np.array_equal(line.get_ydata(), expected) for line in right.lines)
    # 350 // 48 = 7 whole days
    assert right.get_xticks().tolist() == [48, 96, 144, 192, 240, 288, 336]


@pytest.mark.parametrize("period", [None, 400])
def test_without_a_period_in_reach_nothing_is_marked(period: int | None) -> None:
    figure = class_distribution(
        prior(), autocorrelation(), title="A", simulated=False, period=period
    )
    assert figure.axes[1].get_legend() is None


def test_short_periods_are_marked_without_collisions() -> None:
    figure = class_distribution(prior(), autocorrelation(), title="A", simulated=False, period=20)
    assert len(figure.axes[1].get_xticks()) == 8  # every other of 17 multiples
    assert_no_text_collides(figure)


def test_many_classes_are_summed_up() -> None:
    figure = class_distribution(
        prior(23), autocorrelation(60), title="A", simulated=True, period=None
    )
    names = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert names == [*(f"class {i}" for i in range(6)), "17 others"]
    rest = figure.axes[0].lines[-1].get_ydata()[0]
    assert rest == pytest.approx(2.0**-6 - 2.0**-23)  # a geometric series
    assert_no_text_collides(figure)


def test_very_negative_values_neither_squash_the_picture_nor_vanish() -> None:
    values = [0.5, -0.5, -250.0, *[0.2] * 17]
    (axes,) = draw(curves(kappa_temporal=values), ["kappa_temporal"]).axes
    assert "logarithmic below −1" in axes.get_title(loc="right")
    low, high = axes.get_ylim()
    assert low < -250
    # From 0 to 1 takes at least a fifth of the height, though 250 times as much lies below.
    places = axes.transData.transform([(0, 0), (0, 1), (0, low), (0, high)])[:, 1]
    assert (places[1] - places[0]) / (places[3] - places[2]) > 0.2


def test_undefined_windows_are_gaps_and_lone_windows_are_dots() -> None:
    nan = float("nan")
    values = [0.1, 0.2, nan, 0.3, nan, *[0.4] * 15]
    (axes,) = draw(curves(kappa=values), ["kappa"]).axes
    line, dots = colored(axes, style.learner_look("naive_bayes").color)
    assert np.isnan(line[[2, 4]]).all()
    assert dots.tolist() == [0.3]
    assert axes.get_title(loc="right") == "gaps: κ is undefined"


def test_a_measure_that_is_never_defined_leaves_an_empty_panel() -> None:
    figure = draw(curves(kappa=[float("nan")] * 20), ["accuracy", "kappa"])
    assert figure.axes[1].get_title(loc="right") == "gaps: κ is undefined"
    assert_no_text_collides(figure)


def test_a_stream_not_longer_than_the_window_is_said_to_be() -> None:
    note = "one point: the stream is not longer than the window"
    for windows, expected in ((1, True), (2, False)):
        frame = curves()
        figure = draw(frame[frame["instance"].isin(AT[:windows])], ["accuracy"])
        assert (note in figure.axes[0].get_title(loc="right")) is expected
        shares = prior()
        shares = shares[shares["instance"].isin(AT[:windows])]
        left = class_distribution(
            shares, autocorrelation(), period=48, title="A stream", simulated=False
        ).axes[0]
        assert (note in [text.get_text() for text in left.texts]) is expected
        assert (left.lines[0].get_marker() == "o") is expected


def test_dependence_draws_the_largest_classes_in_both_panels() -> None:
    names = [f"class {i}" for i in range(9)]
    frame = pd.concat(
        pd.DataFrame(
            {
                "class": name,
                "order": range(11),
                "cases": 100,
                "proportion": [(i + 1) / 45, *[0.9 - 0.01 * i] * 10],
                "delta": [np.nan, 0.5, *[0.01 * i] * 9],
            }
        )
        for i, name in enumerate(names)
    )
    figure = dependence(frame, title="A stream", simulated=True)
    left, right = figure.axes
    (legend,) = figure.legends
    assert legend.get_title().get_text() == "class (3 smaller ones left out)"
    labels = [text.get_text() for text in legend.get_texts()]
    assert labels == [f"class {i}" for i in (8, 7, 6, 5, 4, 3)]
    assert colored(left, style.CLASS_LOOKS[0].color)[0] == pytest.approx([9 / 45, *[0.82] * 10])
    assert colored(right, style.CLASS_LOOKS[1].color)[0][1:] == pytest.approx([0.5, *[0.07] * 9])
    assert "simulated stream" in [text.get_text() for text in figure.texts]
    assert_no_text_collides(figure)


@pytest.mark.parametrize(("length", "columns"), [(6, 5), (20, 4), (40, 2), (110, 1)])
@style.styled
def test_a_legend_has_as_many_columns_as_fit(length: int, columns: int) -> None:
    figure = style.figure(columns=2)
    figure.subplots()
    text = ("Hoeffding tree, temporally augmented, " * 3)[:length]
    style.legend(figure, [Line2D([], [], label=text) for _ in range(5)], columns=5)
    (legend,) = figure.legends
    assert legend._ncols == columns
    figure.canvas.draw()
    box = legend.get_window_extent()
    assert box.x0 >= 0
    assert box.x1 <= figure.bbox.x1


def test_wrappings_of_one_learner_have_a_panel_each_and_scattered_values_are_points() -> None:
    names = [f"hoeffding_tree{ending}" for ending in ("", "_corrected", "_augmented")]
    gaps = [0.2, np.nan, np.nan, 0.4, np.nan]
    values = {names[0]: gaps, names[1]: [0.1] * 5, names[2]: [0.9] * 5}
    curves = pd.DataFrame(
        [
            (1000 * (i + 1), name, "kappa", value)
            for name in names
            for i, value in enumerate(values[name])
        ],
        columns=["instance", "learner", "measure", "value"],
    )
    about = {"titles": {names[0]: "The tree"}, "title": "A stream", "simulated": False}
    figure = measure_curves(curves, measures=["kappa"], learners=names, **about)
    assert [axes.get_title("left") for axes in figure.axes] == ["The tree", *names[1:]]
    assert figure.legends == []
    assert len({axes.get_ylim() for axes in figure.axes}) == 1
    line, points = figure.axes[0].lines[:2]
    assert (line.get_linestyle(), line.get_marker()) == ("None", "")
    assert points.get_ydata().tolist() == [0.2, 0.4]
    assert figure.axes[1].lines[0].get_linestyle() != "None"
    assert_no_text_collides(figure)
