"""Estimates of accuracy against ADWIN and a hold-out, and the simulated theorems, as drawn."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from helpers.drawn import TITLES, assert_no_text_collides, colored, legend_names, line_of

from streameval.drawing.subject import Subject
from streameval.items import kinds
from streameval.items.performance.show import FIXED_LOOKS, WINDOW_LOOKS
from streameval.items.performance.show import draw_windows as draw
from streameval.items.theorems import adwin_bounds, show, theorems

AT = np.arange(100, 50_001, 100)
ESTIMATORS = ("adwin", "window_1000", "window_100", "window_10000")


def frames(learners: tuple[str, ...], hold_out: bool) -> dict[str, pd.DataFrame]:
    names = ("hold_out", *ESTIMATORS) if hold_out else ESTIMATORS
    curves = [
        pd.DataFrame(
            {"learner": learner, "estimator": name, "instance": AT, "accuracy": 0.5 + place / 10}
        )
        for learner in learners
        for place, name in enumerate(names)
    ]
    rows = [
        (learner, name, 50_000, 0.02 + place / 100, 0.01 + place / 100, 0.03 + place / 100)
        for learner in learners
        for place, name in enumerate(ESTIMATORS[0 if hold_out else 1 :])
    ]
    columns = ["learner", "estimator", "instances", "distance", "low", "high"]
    distances = pd.DataFrame(rows, columns=columns)
    if hold_out:
        distances = distances.assign(tests=400, floor=0.008)
    return {"following": pd.concat(curves, ignore_index=True), "distances": distances}


def subject(kind: str, learners: tuple[str, ...], title: str = "A stream") -> Subject:
    plain = {"streams": ["a"], "learners": learners}
    return Subject(settings=kinds()[kind].settings_from(plain), titles=TITLES, title=title)


def test_estimates_against_adwin():
    learners = ("hoeffding_tree",)
    figure = draw(frames(learners, hold_out=False), subject("windows", learners))
    left, right = figure.axes
    assert left.get_title(loc="left") == "Hoeffding tree"
    assert (left.get_ylabel(), left.get_xlabel()) == ("accuracy", "instances (thousands)")
    assert right.get_xlabel() == "mean distance to\nADWIN (accuracy)"
    assert [text.get_text() for text in right.get_yticklabels()] == ["100", "1,000", "10,000"]
    names = ["ADWIN", "window of 100", "window of 1,000", "window of 10,000"]
    assert legend_names(figure) == names
    # Looks go from the shortest window on, whatever the order of the rows.
    for look, height in zip(WINDOW_LOOKS, (0.7, 0.6, 0.8), strict=False):
        assert line_of(left, look.color).get_ydata()[0] == pytest.approx(height)
    assert right.get_xlim()[0] == 0
    assert_no_text_collides(figure)


def test_estimates_against_a_hold_out_have_its_own_error_marked():
    learners = ("hoeffding_tree", "hoeffding_adaptive_tree")
    figure = draw(frames(learners, hold_out=True), subject("holdout", learners, "a long name " * 8))
    assert len(figure.axes) == 4
    for right in figure.axes[1::2]:
        (floor,) = [line for line in right.lines if list(line.get_ydata()) == [0, 1]]
        assert floor.get_xdata()[0] == 0.008
    assert figure.axes[3].get_xlabel() == "mean distance to\nhold-out (accuracy)"
    assert legend_names(figure)[0] == "hold-out"
    assert legend_names(figure)[-1] == "the hold-out's own error"
    assert_no_text_collides(figure)


def test_estimators_differ_in_grey_too():
    looks = [look for look, _ in FIXED_LOOKS.values()] + list(WINDOW_LOOKS)
    assert len({(look.dash, look.marker) for look in looks if look.marker}) == len(WINDOW_LOOKS)
    # Two solid lines have no markers: the hold-out is black and the shortest window pale.
    bare = [look.color for look in looks if not look.marker]
    assert bare == ["#000000", "#9DD3E8"]
    assert len({look.color for look in looks}) == len(looks)


@pytest.fixture(scope="module")
def simulated() -> dict[str, pd.DataFrame]:
    return {
        "coverage": theorems.coverage(50),
        "discrepancies": theorems.discrepancies(200, 3),
        "alarms": adwin_bounds.alarms(320, 3),
        "detections": adwin_bounds.detections(500, 3),
    }


def of_picture(picture: str) -> Subject:
    return Subject(settings=None, picture=picture)


def test_the_bound_is_drawn_for_each_dependence(simulated):
    figure = show.draw_theorems(simulated, of_picture("test_set_bound"))
    assert len(figure.axes) == 2 * 4
    titles = [axes.get_title(loc="left") for axes in figure.axes[:4]]
    independent = "independent errors"
    assert titles == [independent, "autocorrelation 0.5", "autocorrelation 0.9", independent]
    exact = simulated["coverage"].query("memory == 0 and delta == 0.05 and error == 0.5")
    lines = colored(figure.axes[0], "#332288")
    assert any(np.array_equal(line, exact["exact"]) for line in lines)


def test_folds_are_drawn_relative_to_a_single_model(simulated):
    frame = simulated["discrepancies"]
    figure = show.draw_theorems(simulated, of_picture("folds"))
    left = figure.axes[0]
    names = [text.get_text() for text in left.get_yticklabels()]
    assert names[:2] == ["cross-validation, q = 1", "cross-validation, q = 2"]
    rows = frame[(frame["truth"] == "along") & (frame["scheme"] == "cross_validation")]
    wide = rows[rows["power"] == 1].set_index("quantity")["mean"]
    errors = {line.get_xdata()[0] for line in left.lines if line.get_marker() == "s"}
    assert any(error == pytest.approx(wide["k_fold"] / wide["single"]) for error in errors)


def test_what_a_theorem_says_is_marked(simulated):
    figure = show.draw_theorems(simulated, of_picture("adwin"))
    for axes, delta in zip(figure.axes, (0.05, 0.002), strict=False):
        heights = [line.get_ydata()[0] for line in axes.lines if list(line.get_xdata()) == [0, 1]]
        assert heights == [delta]
        assert axes.get_title(loc="left") == f"constant error rate, δ = {delta:g}"
