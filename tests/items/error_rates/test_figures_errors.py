"""Errors of tests: rates of rejection."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
from helpers.drawn import drawing, legend_names

from streameval.evaluation.decisions import DECISIONS
from streameval.items.error_rates.show import draw_type_errors as _draw_type_errors

type_errors = drawing(_draw_type_errors, "rates")

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
    figure = type_errors(frame, level=0.05, title="Random RBF", simulated=False)
    assert len(figure.axes) == 8
    panel = figure.axes[5]  # prequential, swapped
    assert figure.axes[1].get_title(loc="left") == "swapped"
    assert figure.axes[4].get_ylabel() == "prequential"
    cells = frame[(frame["reading"] == "learnt") & (frame["alternative"] == "swapped")]
    cells = cells[cells["instances"] == 5000]
    points = [line for line in panel.lines if line.get_marker() not in ("", "None", None)]
    assert len(points) == len(SCHEMES)
    for line, scheme in zip(points, ("bootstrap_validation", *SCHEMES[:2]), strict=True):
        expected = cells.loc[cells["scheme"] == scheme, "value"].to_numpy()
        assert np.array_equal(line.get_xdata(), expected)
    assert legend_names(figure) == ["bootstrap", "cv", "split", "level of the tests, 5 %"]
