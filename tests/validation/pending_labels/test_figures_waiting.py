"""Figures of pending labels: lines show the values of the frames."""

from __future__ import annotations

from types import SimpleNamespace

import pandas as pd
import pytest

from pending_labels import show
from pending_labels.show import ESTIMATOR_TITLES
from streameval.drawing import style
from streameval.drawing.subject import Subject

AGES = range(0, 101, 5)
TITLES = {"no_change": "No-Change", "knn": "k-NN"}


def about(*learners, clock="time"):
    settings = SimpleNamespace(learners=learners, clock=clock)
    return Subject(settings=settings, titles=TITLES, title="A", simulated=clock == "labels")


def lines_of(axes, color):
    return [line for line in axes.lines if line.get_color() == color]


def test_latency_classes_and_bias():
    classes = [(n, name, n // 2, 10) for name in "ab" for n in (100, 2000)]
    latency = [(name, q, wait * q) for name, wait in (("a", 10), ("b", 20)) for q in (0, 0.5, 1)]
    stopping = [(n, name, w, n / 1e5) for name in TITLES for w in (0, 50) for n in (100, 2000)]
    frames = {
        "classes": pd.DataFrame(classes, columns=["labels", "class", "arrived", "pending"]),
        "latency": pd.DataFrame(latency, columns=["class", "fraction", "latency"]).assign(
            unit="minutes"
        ),
        "stopping": pd.DataFrame(stopping, columns=["labels", "learner", "window", "bias"]),
    }
    figure = show.draw_label_waiting(frames, about("knn"))
    left, right, below = figure.axes
    assert [line.get_xdata().tolist() for line in left.lines] == [[0, 5, 10], [0, 10, 20]]
    assert left.get_xlabel().endswith("(minutes)")
    assert lines_of(right, style.CLASS_LOOKS[1].color) == []  # what is left of two classes
    assert right.get_ylabel() == "fraction of a"
    thick, thin = lines_of(right, style.CLASS_LOOKS[0].color)
    assert thick.get_linewidth() > thin.get_linewidth()
    assert thick.get_ydata().tolist() == thin.get_ydata().tolist() == [0.5, 0.5]
    (line,) = lines_of(below, style.learner_look("knn").color)
    assert line.get_ydata() == pytest.approx([0.1, 2])
    assert below.get_ylabel() == "bias"
    assert "latest 50 instances, in points" in figure.get_supxlabel()
    both = show.draw_label_waiting(frames, about("knn", "no_change")).axes[2:]
    assert [axes.get_title("left") for axes in both] == ["k-NN", "No-Change"]


def test_accuracy_by_age_with_the_numbers_at_risk():
    rows = [(name, age, 500 - age, age % 7, 0.5, age / 1e3, 0.6) for name in TITLES for age in AGES]
    columns = ["learner", "age", "at_risk", "pending", "accuracy", "gain", "overall"]
    ages = pd.DataFrame(rows, columns=columns).assign(unit="labels")
    figure = show.draw_accuracy_by_age({"ages": ages}, about("knn", clock="labels"))
    *panels, below = figure.axes
    for axes, column in zip(panels, columns[4:], strict=True):
        (line,) = lines_of(axes, style.learner_look("knn").color)
        assert line.get_ydata().tolist() == ages.loc[ages["learner"] == "knn", column].tolist()
    ticks = [tick for tick in panels[-1].get_xticks() if 0 <= tick <= 100]
    texts = [text.get_text() for text in below.texts]
    assert texts == [
        *("at risk", *(f"{500 - int(tick)}" for tick in ticks)),
        *("pending", *(f"{int(tick) % 7}" for tick in ticks)),
    ]


def test_errors_of_estimates_by_law():
    columns = ["law", "learner", "estimator", "run", "arrived", "truth", "estimate"]
    rows = [
        (law, "knn", estimator, run, 0.9, 0.5, 0.5 + (place + run) / 100)
        for place, law in enumerate(("one", "two_of_them", "three"))
        for estimator in (*ESTIMATOR_TITLES, "lower", "upper")
        for run in (0, 2)
    ]
    frame = pd.DataFrame(rows, columns=columns)
    figure = show.draw_censored_accuracy({"censored": frame}, about("knn"))
    titles = [axes.get_title("left") for axes in figure.axes if axes.get_visible()]
    assert titles == ["one", "two of them", "three"]
    for place, axes in enumerate(figure.axes[:3]):
        marked = [line for line in axes.lines if len(line.get_xdata()) == 1]
        assert [line.get_xdata()[0] for line in marked] == pytest.approx([place + 1] * 5)


def test_gains_of_inputs_that_change():
    rows = [
        (name, variant, age, gain, gain - 0.01, gain + 0.01)
        for name in TITLES
        for variant, gain in (("plain", 0.0), ("time_last", -0.1), ("later_each", 0.2))
        for age in AGES
    ]
    columns = ["learner", "variant", "age", "gain", "gain_low", "gain_high"]
    frame = pd.DataFrame(rows, columns=columns).assign(unit="minutes")
    figure = show.draw_evolving_inputs({"inputs": frame}, about("knn"))
    assert [axes.get_title("left")[:10] for axes in figure.axes] == ["time so fa", "inputs kno"]
    for axes, gain in zip(figure.axes, (-10, 20), strict=True):
        (line,) = lines_of(axes, style.learner_look("knn").color)
        assert line.get_ydata() == pytest.approx([gain] * len(AGES))
