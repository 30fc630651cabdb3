"""Errors of tests: rates of rejection, and which test to use."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from helpers.drawn import assert_no_text_collides, is_marked_simulated, legend_names

from streameval.errors import DataError
from streameval.report.figures.test_choice import test_choice as draw_choice
from streameval.report.figures.type_errors import type_errors
from streameval.studies.decisions import DECISIONS

SCHEMES = ["cross_validation", "split_validation", "bootstrap_validation"]


def rates(alternatives=("same", "swapped", "noise 0.05", "noise 0.1"), lengths=(1000, 5000)):
    rows = [
        (*cell, value := (7 * i % 20) / 20, max(value - 0.1, 0), min(value + 0.1, 1))
        for i, cell in enumerate(
            itertools.product(SCHEMES, ["held_out", "learnt"], alternatives, lengths, DECISIONS)
        )
    ]
    columns = ["scheme", "reading", "alternative", "instances", "test", "value", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def test_rates_of_the_longest_runs_are_drawn_with_their_intervals():
    frame = rates()
    drawn = type_errors(frame, level=0.05, title="Random RBF", simulated=False)
    assert len(drawn.axes) == 8
    panel = drawn.axes[5]  # prequential, swapped
    assert drawn.axes[1].get_title(loc="left") == "swapped"
    assert drawn.axes[4].get_ylabel() == "prequential"
    found = frame[(frame["reading"] == "learnt") & (frame["alternative"] == "swapped")]
    found = found[found["instances"] == 5000]
    points = [line for line in panel.lines if line.get_marker() not in ("", "None", None)]
    assert len(points) == len(SCHEMES)
    for line, scheme in zip(points, ("bootstrap_validation", *SCHEMES[:2]), strict=True):
        expected = found.loc[found["scheme"] == scheme, "value"].to_numpy()
        assert np.array_equal(line.get_xdata(), expected)
    assert legend_names(drawn) == ["bootstrap", "cv", "split", "level of the tests, 5 %"]


@pytest.mark.parametrize("simulated", [False, True])
def test_no_text_of_rates_collides(simulated):
    drawn = type_errors(rates(), level=0.05, title="Random RBF", simulated=simulated)
    assert is_marked_simulated(drawn) is simulated
    assert_no_text_collides(drawn)


def test_rates_must_be_complete():
    frame = rates()
    with pytest.raises(DataError, match="low"):
        type_errors(frame.drop(columns="low"), level=0.05, title="a", simulated=False)
    with pytest.raises(DataError):
        type_errors(frame.assign(value=np.nan), level=0.05, title="a", simulated=False)
    with pytest.raises(DataError):
        type_errors(pd.concat([frame, frame]), level=0.05, title="a", simulated=False)


def choices():
    rows = [
        (test, alternative, length, (i % 7) / 10, (i % 11) / 10)
        for i, (test, alternative, length) in enumerate(
            itertools.product(DECISIONS, ["noise 0.05", "noise 0.1"], [1000, 5000, 20_000])
        )
    ]
    return pd.DataFrame(rows, columns=["test", "alternative", "instances", "size", "power"])


SECONDS = pd.DataFrame({"instances": [20_000, 20_000], "runs": [10, 10], "seconds": [4.0, 8.0]})


def test_longer_streams_have_larger_markers_and_say_what_they_take():
    drawn = draw_choice(choices(), SECONDS, level=0.05)
    names = legend_names(drawn)
    assert names[: len(DECISIONS)] == [one.title for one in DECISIONS.values()]
    assert names[-3:] == ["n = 1,000, 0.03 s", "n = 5,000, 0.15 s", "n = 20,000, 0.6 s"]
    markers = [line for line in drawn.axes[0].lines if len(line.get_xdata()) == 1]
    assert len(markers) == 3 * len(DECISIONS)
    assert len({line.get_markersize() for line in markers}) == 3


def test_each_test_has_a_look_of_its_own():
    drawn = draw_choice(choices(), SECONDS, level=0.05)
    lines = [line for line in drawn.axes[0].lines if len(line.get_xdata()) == 3]
    of_tests = [line for line in drawn.axes[0].lines if len(line.get_xdata()) == 1]
    looks = {(line.get_color(), line.get_marker()) for line in of_tests}
    assert len(lines) == len(looks) == len(DECISIONS)


def test_no_text_of_choices_collides():
    assert_no_text_collides(draw_choice(choices(), SECONDS, level=0.05))
