"""Drawings in axes of the caller, and return values of plots."""

from __future__ import annotations

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import streameval as se
from streameval.base.errors import ConfigError

STREAM = se.generate("sea", rows=1200)


@pytest.fixture(scope="module")
def result():
    return se.evaluate(STREAM, ["naive_bayes", "hoeffding_tree"])


@pytest.fixture(scope="module")
def late():
    return se.evaluate(STREAM, "naive_bayes", delay=20)


@pytest.fixture(scope="module")
def compared():
    return se.compare(STREAM, ["naive_bayes", "hoeffding_tree", "majority"], delay=20, bins=3)


def lines(axes):
    """The points of the lines that have several."""
    return [line.get_xydata().tolist() for line in axes.get_lines() if len(line.get_xdata()) > 2]


def legend(axes):
    return [text.get_text() for text in axes.get_legend().get_texts()]


def test_two_results_are_drawn_into_one_figure(result, late):
    figure = Figure(layout="constrained")
    left, right = figure.subplots(1, 2)
    assert result.plot("accuracy", window=100, ax=left) is left
    assert late.plot_bins("accuracy", bins=4, ax=right) is right
    assert figure.axes == [left, right]
    assert not figure.legends
    assert figure.get_suptitle() == ""
    assert lines(left) == lines(result.plot("accuracy", window=100))
    assert lines(right) == lines(late.plot_bins("accuracy", bins=4))
    for axes, learners in ((left, 4), (right, 3)):
        assert axes.get_title("left") == "sea"
        assert "Accuracy" in axes.get_ylabel()
        assert legend(axes)[0] == "Naive Bayes"
        assert len(legend(axes)) == learners
    assert left.get_xlabel() == "instances"
    assert "from an instance to its label" in right.get_xlabel()
    figure.draw_without_rendering()


def test_several_measures_take_as_many_axes(result):
    figure = Figure()
    grid = figure.subplots(2, 2)
    axes = result.plot(["accuracy", "kappa", "mcc"], ax=grid.ravel()[:3])
    assert isinstance(axes, tuple)
    assert [*axes] == [*grid.ravel()[:3]]
    assert axes.figure is figure
    assert [bool(panel.get_legend()) for panel in grid.flat] == [True, False, False, False]
    assert not grid[1, 1].get_lines()
    assert result.plot("kappa", ax=[grid[1, 1]]) is grid[1, 1]


@pytest.mark.parametrize("n_axes", [1, 3])
def test_too_few_or_too_many_axes(result, n_axes):
    message = f"expected 2 Axes.* accuracy, kappa_temporal; found {n_axes}"
    with pytest.raises(ConfigError, match=message):
        result.plot(ax=Figure().subplots(1, n_axes))


@pytest.mark.parametrize("wrong", ["left", [None], Figure(), (1, "a")])
def test_invalid_axes_are_refused(result, wrong):
    with pytest.raises(ConfigError, match="ax: expected Axes of matplotlib, found"):
        result.plot("kappa", ax=wrong)


def test_comparisons_take_axes_for_each_pair(compared):
    axes = Figure().subplots(3, 2)
    over_time = compared.plot(points=30, ax=axes[:, 0])
    by_bin = compared.plot_bins(ax=axes[:, 1])
    assert [*over_time, *by_bin] == [*axes[:, 0], *axes[:, 1]]
    ours = compared.plot(points=30)
    assert len(ours.figure.axes) == 4  # the last one is empty and not visible
    assert [lines(axes) for axes in over_time] == [lines(axes) for axes in ours]
    assert [lines(axes) for axes in by_bin] == [lines(axes) for axes in compared.plot_bins()]
    assert all("A − B (points)" in axes.get_ylabel() for axes in (*over_time, *by_bin))
    assert over_time[1].get_title("left") == "A: Naive Bayes, B: Majority"
    with pytest.raises(ConfigError, match=r"expected 3 Axes.*naive_bayes and majority.*found 2"):
        compared.plot(ax=axes[:2, 0])


def test_ages_take_three_axes(late):
    axes = Figure().subplots(3)
    assert [*late.plot_bins(bins=4, by="age", ax=axes)] == [*axes]
    ours = late.plot_bins(bins=4, by="age")
    assert len(ours) == 3
    assert [lines(panel) for panel in axes] == [lines(panel) for panel in ours]
    with pytest.raises(ConfigError, match="expected 3 Axes"):
        late.plot_bins(by="age", ax=axes[0])


def test_errors_of_regressors_take_axes():
    stream = se.generate("planes", rows=600)
    first, second = Figure().subplots(2)
    se.evaluate(stream, "amrules", delay=20).plot_bins(bins=3, ax=first)
    assert "Mean absolute error MAE\nin units of y" in first.get_ylabel()
    se.evaluate(stream, "amrules").plot("r_squared", window=100, ax=second)
    assert "R²" in second.get_ylabel()


def test_dollars_of_names_are_dollars(result):
    mine = se.evaluate(STREAM.take(slice(600), name="$a_b$ $"), {"$x_y$": "naive_bayes"}, delay=9)
    axes = Figure().subplots(2)
    mine.plot_bins(["accuracy", "kappa_m_delayed"], bins=2, ax=axes)
    first, second = axes
    left = next(text for text in first.findobj(mpl.text.Text) if text.get_text() == "$a_b$ $")
    assert not left.get_parse_math()
    assert not any(text.get_parse_math() for text in first.get_legend().get_texts())
    assert second.yaxis.label.get_parse_math()
    assert "same delay" in second.get_ylabel()
    axes[0].figure.draw_without_rendering()


def test_settings_and_figures_of_pyplot_stay_as_they_are(result):
    before = dict(mpl.rcParams)
    figure, axes = plt.subplots()
    plot = result.plot("accuracy", ax=axes)
    assert plt.get_fignums() == [figure.number]
    assert not hasattr(plot, "_repr_png_")  # pyplot shows it
    pair = result.plot(ax=plt.figure().subplots(2))
    assert pair._repr_png_() is None
    plt.close("all")
    result.plot()
    assert not plt.get_fignums()
    assert dict(mpl.rcParams) == before


def test_a_notebook_shows_the_axes_and_their_figure(result):
    accuracy, several = result.plot("accuracy"), result.plot()
    assert isinstance(accuracy, Axes)
    assert isinstance(several, tuple)
    with pytest.raises(AttributeError):
        several.more = 1
    for value in (accuracy, accuracy.figure, several, several[1], several.figure):
        assert value._repr_png_().startswith(b"\x89PNG")
    several[0].set_xlim(0, 900)
    assert np.allclose(several[1].get_xlim(), (0, 900))  # one axis below the other
