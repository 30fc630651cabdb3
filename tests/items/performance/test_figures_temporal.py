"""Estimators and wrappers: Figures 2 and 3 of Žliobaitė et al. (2015); windows."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from helpers.drawn import (
    ALL,
    INSIDE,
    NAN,
    TITLES,
    assert_no_text_collides,
    cells,
    dots,
    drawing,
    legend_names,
    line_of,
)
from matplotlib.figure import Figure

from streameval.base.errors import DataError
from streameval.drawing.subject import Subject
from streameval.items import kinds
from streameval.items.performance.show import (
    ESTIMATORS,
    FIXED_LOOKS,
    WINDOW_LOOKS,
    draw_windows,
)
from streameval.items.performance.show import draw_estimates as _draw_estimates
from streameval.items.performance.show import draw_wrapped as _draw_wrapped
from streameval.report.names import variant_titles

estimates = drawing(_draw_estimates, "estimates")
wrapped = drawing(_draw_wrapped, "estimates")

FOUR = ["accuracy", "kappa", "kappa_temporal", "kappa_combined"]


def estimated() -> pd.DataFrame:
    """Values that are all different, from 0.2 to 0.9."""
    keys = list(itertools.product(("original", "shuffled:1"), ALL, ESTIMATORS, FOUR))
    frame = pd.DataFrame(keys, columns=["variant", "learner", "estimator", "measure"])
    return frame.assign(value=np.linspace(0.2, 0.9, len(frame)), reason="")


def draw_estimates(frame: pd.DataFrame) -> Figure:
    about = {"titles": TITLES, "title": "A stream", "simulated": False}
    return estimates(frame, measures=FOUR, learners=ALL, **about)


def test_very_negative_estimates_bend_the_axis_of_all_variants() -> None:
    frame = estimated()
    frame.loc[cells(frame, measure="kappa_temporal", learner="majority"), "value"] = -390.0
    figure = draw_estimates(frame)
    upper, lower = figure.axes[2], figure.axes[6]
    assert upper.get_title(loc="right").replace("\n", " ") == "shaded: logarithmic below −1"
    assert upper.get_xscale() == lower.get_xscale() == "symlog"
    assert upper.get_xlim()[0] < -390
    assert upper.get_xticks().tolist() == [1, 0, -1, -100]
    # From 0 to 1 takes at least a tenth of the width, though 390 times as much lies left of it.
    places = upper.transAxes.inverted().transform(upper.transData.transform([(0, 0), (1, 0)]))
    assert places[1, 0] - places[0, 0] > 0.1
    assert [axes.get_xscale() for axes in figure.axes[:2]] == ["linear", "linear"]
    assert_no_text_collides(figure)


def test_estimates_outside_the_range_of_their_measure_are_seen() -> None:
    frame = estimated()
    # Algorithm 1 starts with an accuracy of 0: where one class is nearly all, its kappa can be
    # below -1 for a while.
    frame.loc[cells(frame, measure="kappa", learner="majority"), "value"] = -1.43
    frame.loc[cells(frame, measure="accuracy", learner="no_change"), "value"] = 1.0
    panels = draw_estimates(frame).axes
    assert panels[1].get_xlim()[0] < -1.43
    # On the edge of its range a value is not cut in half.
    assert not any(line.get_clip_on() for line in dots(panels[0], "o"))


def test_undefined_estimates_are_crosses_right_of_their_panels() -> None:
    frame = estimated()
    gone = cells(frame, variant="original", measure="kappa", learner="ddm_nb", estimator="faded")
    frame.loc[gone, "value"] = NAN
    figure = draw_estimates(frame)
    (cross,) = dots(figure.axes[1], "x")
    assert cross.get_xdata()[0] > 1  # a share of the panel's width
    assert not cross.get_clip_on()
    assert cross.get_transform() == figure.axes[1].get_yaxis_transform()
    assert round(cross.get_ydata()[0]) == ALL.index("ddm_nb")
    assert len(dots(figure.axes[1], ESTIMATORS["faded"].shape)) == len(ALL) - 1
    assert legend_names(figure)[-1] == "undefined (right of its panel)"
    assert_no_text_collides(figure)


def test_a_measure_that_is_nowhere_defined_leaves_empty_panels() -> None:
    frame = estimated()
    frame.loc[frame["measure"] == "kappa_temporal", "value"] = NAN
    figure = draw_estimates(frame)
    assert len(dots(figure.axes[2], "x")) == len(ALL) * len(ESTIMATORS)
    assert dots(figure.axes[2], "o") == []
    assert_no_text_collides(figure)


def test_variants_have_names_that_tell_them_apart() -> None:
    assert variant_titles(["original", "shuffled:3", "temporal:1", "blocks:1:5000"]) == {
        "original": "original order",
        "shuffled:3": "shuffled",
        "temporal:1": "label order kept",
        "blocks:1:5000": "blocks of 5,000",
    }
    both = variant_titles(["shuffled:1", "shuffled:2", "blocks:1:50", "blocks:1:500"])
    assert list(both.values()) == [
        *("shuffled, seed 1", "shuffled, seed 2", "blocks of 50", "blocks of 500")
    ]
    with pytest.raises(DataError, match="Variant 'sorted': expected original, shuffled"):
        variant_titles(["sorted"])


def wrapped_frame(majority: float = 0.575) -> pd.DataFrame:
    rows = []
    for shift, estimator in enumerate(["cumulative", "faded", "windowed"]):
        rows += [("no_change", estimator, 0.853), ("majority", estimator, majority)]
        for i, name in enumerate(INSIDE):
            alone = 0.74 + 0.03 * i + 0.001 * shift
            rows.append((name, estimator, alone))
            rows.append((f"{name}_corrected", estimator, alone + 0.05))
            rows.append((f"{name}_augmented", estimator, alone + 0.07))
    frame = pd.DataFrame(rows, columns=["learner", "estimator", "value"])
    frame = frame.assign(variant="original", measure="accuracy", reason="")
    # Neither is drawn.
    others = frame.assign(variant="shuffled:1", value=0.1), frame.assign(measure="kappa", value=0.2)
    return pd.concat([frame, *others], ignore_index=True)


def draw_wrapped(frame: pd.DataFrame) -> Figure:
    return wrapped(frame, learners=INSIDE, titles=TITLES, title="A stream", simulated=False)


def test_a_baseline_far_away_does_not_squash_the_picture() -> None:
    figure = draw_wrapped(wrapped_frame(majority=0.1))
    assert figure.axes[0].get_title(loc="right") == "Majority (0.100) lies beyond the axis"
    assert figure.axes[0].get_xlim()[0] > 0.7
    assert legend_names(figure)[-1] == "No-Change"
    assert_no_text_collides(figure)


def test_undefined_accuracies_of_wrapped_learners_are_marked() -> None:
    frame = wrapped_frame()
    frame.loc[cells(frame, learner="ddm_nb_corrected", estimator="faded"), "value"] = NAN
    figure = draw_wrapped(frame)
    assert [len(dots(axes, "x")) for axes in figure.axes] == [0, 1]
    assert legend_names(figure)[-1] == "undefined (right of its panel)"
    assert_no_text_collides(figure)
    draw_wrapped(frame.assign(value=NAN)).draw_without_rendering()


def test_looks_of_windows_go_from_the_shortest_on_whatever_the_order_of_rows() -> None:
    names, at = ("adwin", "window_1000", "window_100", "window_10000"), [100, 200, 300]
    following = [
        pd.DataFrame({"learner": "tree", "estimator": name, "instance": at, "accuracy": height})
        for height, name in enumerate(names)
    ]
    columns = ["learner", "estimator", "instances", "distance", "low", "high"]
    distances = [("tree", name, 300, 0.02, 0.01, 0.03) for name in names[1:]]
    frames = {
        "following": pd.concat(following),
        "distances": pd.DataFrame(distances, columns=columns),
    }
    settings = kinds()["windows"].settings_from({"streams": ["a"], "learners": ["tree"]})
    figure = draw_windows(frames, Subject(settings=settings))
    assert [text.get_text() for text in figure.axes[1].get_yticklabels()] == [
        *("100", "1,000", "10,000")
    ]
    assert legend_names(figure)[1:] == [*("window of 100", "window of 1,000", "window of 10,000")]
    for look, height in zip(WINDOW_LOOKS, (2, 1, 3), strict=False):
        assert line_of(figure.axes[0], look.color).get_ydata()[0] == height


def test_estimators_differ_in_grey_too() -> None:
    looks = [look for look, _ in FIXED_LOOKS.values()] + list(WINDOW_LOOKS)
    assert len({(look.dash, look.marker) for look in looks if look.marker}) == len(WINDOW_LOOKS)
    # Two solid lines have no markers: the hold-out is black and the shortest window pale.
    assert [look.color for look in looks if not look.marker] == ["#000000", "#9DD3E8"]
    assert len({look.color for look in looks}) == len(looks)
