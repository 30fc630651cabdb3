"""Figures of a re-evaluation: lines and squares show the values of the frames."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from helpers.drawn import drawing
from matplotlib.colors import to_rgba

from streameval.drawing import style
from streameval.drawing.subject import Subject
from streameval.items.reevaluation import show
from streameval.items.reevaluation.show import draw_binned_measures as _draw_binned_measures

binned_measures = drawing(_draw_binned_measures, "bins", "contrasts", "stages")

TITLES = {"no_change": "No-Change", "knn": "k-NN"}
BY_BIN = {"learners": ["no_change", "knn"], "titles": TITLES, "title": "A", "simulated": False}
LAST = 6


@pytest.fixture
def frames():
    rng, learners = np.random.default_rng(1), list(TITLES)
    bins = pd.DataFrame([(name, b) for name in learners for b in range(LAST + 1)])
    bins.columns = ["learner", "bin"]
    bins["accuracy"], bins["kappa"] = rng.random((2, len(bins)))
    # Each one is the best in three bins; in the fourth the bands do not tell.
    ahead = bins["bin"].lt(3) == bins["learner"].eq("knn")
    ends = np.where(bins["bin"] == 3, 0.1, np.where(ahead, 0.2, -0.1))
    contrasts = bins.assign(reference="best", band_high=ends, behind=ends < 0)
    stages = [(n, name, b, n // 2) for name in learners for b in (0, LAST) for n in (10, 400)]
    stages = pd.DataFrame(stages, columns=["labels", "learner", "bin", "correct"])
    return bins, contrasts, stages


def line_of(axes, learner):
    (marks,) = (
        line
        for line in axes.lines
        if line.get_color() == style.learner_look(learner).color and len(line.get_xdata()) > 1
    )
    return marks


def test_accuracy_by_bin_and_over_time(frames):
    bins, contrasts, stages = frames
    figure = binned_measures(bins, contrasts, stages, measures=["accuracy", "kappa"], **BY_BIN)
    by_accuracy, by_kappa, squares, first, last = figure.axes
    for axes, measure in ((by_accuracy, "accuracy"), (by_kappa, "kappa")):
        learner_bins = bins[bins["learner"] == "knn"]
        assert line_of(axes, "knn").get_ydata().tolist() == learner_bins[measure].tolist()
    intervals = {
        squares.get_yticklabels()[int(line.get_ydata()[0])].get_text(): line.get_xdata().tolist()
        for line in squares.lines
    }
    assert intervals == {"k-NN": [0, 1, 2, 3], "No-Change": [3, 4, 5, 6]}
    assert [axes.get_title("left") for axes in (first, last)] == ["bin 0", "bin 6"]
    assert line_of(first, "no_change").get_ydata().tolist() == [0.5, 0.5]
    assert line_of(first, "no_change").get_xdata().tolist() == [10, 400]


def test_a_square_is_hollow_where_no_interval_could_exclude_the_learner(frames):
    bins, contrasts, stages = frames
    note = "may be the most accurate"
    figure = binned_measures(bins, contrasts, stages[:0], measures=["accuracy"], **BY_BIN)
    assert figure.axes[-1].get_title("left") == note
    contrasts.loc[contrasts["bin"] == 3, "band_high"] = np.nan
    figure = binned_measures(bins, contrasts, stages[:0], measures=["accuracy"], **BY_BIN)
    marks = [(line.get_markerfacecolor(), [*line.get_xdata()]) for line in figure.axes[-1].lines]
    assert [bins for color, bins in marks if color == "none"] == [[3], [3]]
    assert sorted(bins for color, bins in marks if color != "none") == [[0, 1, 2], [4, 5, 6]]
    edges = [
        line.get_markeredgecolor() for line in figure.axes[-1].lines if len(line.get_xdata()) == 1
    ]
    assert edges == [style.learner_look(name).color for name in BY_BIN["learners"]]
    assert figure.axes[-1].get_title("left") == f"{note} (hollow: no interval)"


def test_a_single_learner_has_no_squares(frames):
    bins, contrasts, stages = frames
    one_learner = {**BY_BIN, "learners": ["knn"]}
    figure = binned_measures(bins, contrasts[:0], stages[:0], measures=["accuracy"], **one_learner)
    assert len(figure.axes) == 1


def test_squares_that_exclude_nobody_are_left_out(frames):
    bins, contrasts, stages = frames
    figure = binned_measures(
        bins, contrasts.assign(behind=False), stages[:0], measures=["accuracy"], **BY_BIN
    )
    assert len(figure.axes) == 1


@pytest.fixture
def errors():
    rows = [(name, b) for name in ("arf_reg", "target_mean") for b in range(LAST + 1)]
    bins = pd.DataFrame(rows, columns=["learner", "bin"])
    bins["mean_absolute_error"] = np.linspace(80, 60, len(bins))
    several = bins["learner"] == "arf_reg"
    bins["seeds_low"] = np.where(several, bins["mean_absolute_error"] - 1, np.nan)
    bins["seeds_high"] = np.where(several, bins["mean_absolute_error"] + 1, np.nan)
    ahead = np.where(several, 10.0, -10.0)
    ends = {"band_low": ahead - 6, "band_high": ahead + 6, "behind": ahead < 0}
    return bins, bins.assign(reference="best", difference=ahead, **ends)


def draw_errors(bins, contrasts, learners, skills=()):
    frames = {"bins": bins, "contrasts": contrasts, "size": pd.DataFrame({"target": ["cnt"]})}
    columns = ["learner", "baseline", "bin", "skill", "low", "high"]
    frames["skills"] = pd.DataFrame(list(skills), columns=columns)
    settings = SimpleNamespace(learners=learners, measures=("mean_absolute_error",))
    return show.draw_binned_errors(frames, Subject(settings=settings, title="A"))


@pytest.mark.parametrize("value", [0.3, -0.2])
def test_intervals_of_skills_are_seen_with_0(errors, value):
    bins, contrasts = errors
    rows = [("arf_reg", "target_mean", b, value, value - 0.1, value + 0.1) for b in range(LAST + 1)]
    figure = draw_errors(bins, contrasts, ["arf_reg", "target_mean"], rows)
    axes = figure.axes[1]
    assert line_of(axes, "arf_reg").get_ydata().tolist() == [value] * (LAST + 1)
    bottom, top = axes.get_ylim()
    assert bottom < min(0, value - 0.1) < max(0, value + 0.1) < top
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels == ["arf_reg", "target_mean", "95 % interval", "band: 95 % interval over seeds"]


def test_differences_to_the_best_other_learner(errors):
    bins, contrasts = errors
    learners = ["target_mean", "arf_reg"]
    axes = draw_errors(bins, contrasts, learners).axes[1]
    bars = {tuple(bar.get_colors()[0]): bar.get_segments() for bar in axes.collections}
    places = []
    for name, excess in zip(learners, (10, -10), strict=True):
        color = style.learner_look(name).color
        assert line_of(axes, name).get_ydata().tolist() == [excess] * (LAST + 1)
        heights = np.array(bars[to_rgba(color)])
        assert (heights[:, :, 1] == [excess - 6, excess + 6]).all()
        places += heights[:, 0, 0].tolist()
    assert sorted(places) == [*range(LAST + 1)]  # no two at the same bin
    bottom, top = axes.get_ylim()
    assert bottom < -16 < 16 < top


def test_a_very_wide_interval_does_not_press_the_others_together(errors):
    bins, contrasts = errors
    third = contrasts[contrasts["learner"] == "target_mean"]
    third = third.assign(learner="orto", band_low=-1e4, band_high=1e4)
    bins = pd.concat([bins, bins[bins["learner"] == "target_mean"].assign(learner="orto")])
    contrasts = pd.concat([contrasts, third])
    axes = draw_errors(bins, contrasts, ["orto", "target_mean", "arf_reg"]).axes[1]
    assert max(map(abs, axes.get_ylim())) < 50


def test_without_intervals_there_are_differences_only(errors):
    bins, contrasts = errors
    contrasts[["band_low", "band_high"]] = np.nan
    figure = draw_errors(bins, contrasts, ["target_mean", "arf_reg"])
    figure.draw_without_rendering()
    bottom, top = figure.axes[1].get_ylim()
    assert bottom < -10 < 10 < top


def test_one_seed_has_no_band(errors):
    bins, contrasts = errors
    bins[["seeds_low", "seeds_high"]] = np.nan
    figure = draw_errors(bins, contrasts[:0], ["arf_reg"])
    assert len(figure.axes) == 1
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["arf_reg"]
