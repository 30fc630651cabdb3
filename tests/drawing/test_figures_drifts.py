"""Marks of drifts in panels over instances, and their names in legends."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from helpers.drawn import (
    TITLES,
    assert_no_text_collides,
    autocorrelation,
    drawing,
    legend_names,
    prior,
    vertical_lines,
)
from matplotlib.colors import to_rgb
from matplotlib.dates import date2num
from matplotlib.figure import Figure

from streameval.drawing.curves import measure_curves
from streameval.drawing.drift_marks import mark_drifts
from streameval.drawing.scales import dot_rows
from streameval.items.dependence.show import draw_class_distribution
from streameval.streams.drift_marks import DriftMarks, drift_marks

N = 20_000
AT = np.arange(1000, N + 1, 1000)
LEARNERS = ["naive_bayes", "no_change"]
NAMES = [TITLES[name] for name in LEARNERS]


def curves() -> pd.DataFrame:
    values = [(name, measure) for name in LEARNERS for measure in ("accuracy", "kappa")]
    parts = [
        pd.DataFrame({"instance": AT, "learner": name, "measure": measure, "value": 0.7})
        for name, measure in values
    ]
    return pd.concat(parts, ignore_index=True)


def draw(marks: DriftMarks | None) -> Figure:
    measures = ["accuracy", "kappa"]
    about = {"titles": TITLES, "title": "A stream", "simulated": False}
    return measure_curves(curves(), measures=measures, learners=LEARNERS, drifts=marks, **about)


def marked(frame: pd.DataFrame, marks: DriftMarks | None) -> tuple[list, list, list]:
    """Places of lines, first and last place of bands, and names in the legend."""
    axes = Figure().subplots()
    handles = mark_drifts([axes], frame, marks)
    lines = vertical_lines(axes)
    bands = [(band.get_x(), band.get_x() + band.get_width()) for band in axes.patches]
    return lines, bands, [handle.get_label() for handle in handles]


@pytest.mark.parametrize("unscored", [0, 500])
def test_sudden_drifts_are_lines_and_gradual_ones_bands_at_their_instances(unscored: int) -> None:
    figure = draw(drift_marks([(4999, 0), (8999, 3000)], N + unscored))
    for axes in figure.axes:
        assert vertical_lines(axes) == [5000 - unscored]
        (band,) = axes.patches
        assert (band.get_x(), band.get_width()) == (9000 - unscored, 3000)
    assert legend_names(figure) == [*NAMES, "sudden drift", "gradual drift"]
    assert_no_text_collides(figure)


def test_only_the_marks_that_a_figure_has_are_in_its_legend() -> None:
    assert legend_names(draw(drift_marks([(4999, 0)], N))) == [*NAMES, "sudden drift"]
    assert legend_names(draw(drift_marks([(4999, 3000)], N))) == [*NAMES, "gradual drift"]
    assert legend_names(draw(None)) == NAMES


def test_drifts_among_unscored_instances_or_after_the_axis_have_no_mark() -> None:
    frame = pd.DataFrame({"instance": [5000, 10_000]})
    marks = drift_marks([(9999, 0), (10_000, 0), (19_999, 0), (20_000, 0)], 20_000)
    assert marked(frame, marks) == ([1, 10_000], [], ["sudden drift"])
    assert marked(frame, drift_marks([(5, 0)], 20_000)) == ([], [], [])


def test_a_gradual_drift_is_marked_as_far_as_the_axis_reaches() -> None:
    frame = pd.DataFrame({"instance": [5000, 10_000]})
    marks = drift_marks([(8999, 3000), (18_999, 3000)], 20_000)
    assert marked(frame, marks) == ([], [(0, 2000), (9000, 10_000)], ["gradual drift"])


def test_an_axis_of_dates_has_marks_at_dates_and_none_without_them() -> None:
    dates = pd.date_range("2020-01-01", periods=len(AT), tz="Europe/Berlin")
    frame = pd.DataFrame({"instance": AT, "time": dates})
    assert marked(frame, drift_marks([(4999, 0)], N)) == ([], [], [])
    starts = dates[[4, 8]] + pd.Timedelta("90min")
    ends = starts + pd.to_timedelta([0, 3], unit="D")
    marks = DriftMarks([5000, 9000], [0, 3000], N, starts, ends)
    sudden, start = date2num(starts.to_pydatetime())
    assert marked(frame, marks) == (
        [sudden],
        [(start, start + 3)],
        ["sudden drift", "gradual drift"],
    )


def test_marks_differ_from_the_grid_and_from_each_other() -> None:
    figure = draw(drift_marks([(4999, 0), (8999, 3000)], N))
    axes = figure.axes[0]
    (line,) = (mark for mark in axes.lines if [*mark.get_xdata()] == [5000, 5000])
    grid = axes.get_xgridlines()[0]
    greys = [to_rgb(line.get_color())[0], to_rgb(axes.patches[0].get_facecolor())[0], 1.0]
    assert np.diff(greys).min() > 0.1
    assert to_rgb(line.get_color())[0] < to_rgb(grid.get_color())[0] - 0.1
    assert line.get_linewidth() > grid.get_linewidth()


def test_classes_over_time_have_marks_beside_the_names_of_classes() -> None:
    draw_classes = drawing(draw_class_distribution, "prior", "autocorrelation")
    marks = drift_marks([(4999, 0), (8999, 3000)], N)
    about = {"title": "A", "simulated": False, "period": None, "drifts": marks}
    figure = draw_classes(prior(), autocorrelation(), **about)
    left, right = figure.axes
    names = [text.get_text() for text in left.get_legend().get_texts()]
    assert names == ["class 0", "class 1", "sudden drift", "gradual drift"]
    assert [band.get_x() for band in left.patches] == [9000]
    assert not right.patches
    assert_no_text_collides(figure)


def test_bands_are_seen_before_shaded_rows() -> None:
    axes = Figure().subplots()
    dot_rows(axes, ["a", "b"])
    (stripe,) = axes.patches
    mark_drifts([axes], pd.DataFrame({"instance": AT}), drift_marks([(8999, 3000)], N))
    assert axes.patches[1].get_zorder() > stripe.get_zorder()
