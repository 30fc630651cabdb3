"""Warnings point at the user's line that caused them, and name the problem."""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import SGDClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures

import streameval as se

ROWS = pd.DataFrame({"x": np.arange(120) % 7.0, "one": 1.0, "y": np.arange(120) % 2})
STREAM = se.from_pandas(ROWS.drop(columns="one"), "y")


def constant_column():
    se.from_pandas(ROWS, "y")


def file_with_a_constant_column(folder):
    ROWS.to_csv(folder / "rows.csv", index=False)
    se.read(folder / "rows.csv", "y")


def learns_once():
    se.evaluate(STREAM, make_pipeline(PolynomialFeatures(), SGDClassifier()))


def undefined_measure():
    se.kappa([1, 1], [1, 1])


@pytest.mark.parametrize(
    "call", [constant_column, file_with_a_constant_column, learns_once, undefined_measure]
)
def test_a_warning_points_at_the_line_outside_the_package(call, tmp_path):
    with pytest.warns((se.StreamWarning, se.UndefinedMeasureWarning)) as seen:
        call(tmp_path) if call.__code__.co_argcount else call()
    (warning,) = seen
    first = call.__code__.co_firstlineno
    assert warning.filename == sys.modules[__name__].__file__
    assert first < warning.lineno <= first + 2
