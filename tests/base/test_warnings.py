"""Warnings point at the line of the user that caused them, and name what is wrong."""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import SGDClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures

import streameval as se
from streameval.base.errors import DataError, replace_in_messages, warn_caller

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


def test_texts_are_replaced_in_errors_and_warnings():
    with (
        pytest.warns(se.StreamWarning, match=r"^a pipe: read so$"),
        replace_in_messages("/copy/a.csv", "a pipe"),
    ):
        warn_caller("/copy/a.csv: read so", se.StreamWarning)
    with (
        pytest.raises(DataError, match=r"^a pipe, line 3$"),
        replace_in_messages("/copy/a.csv", "a pipe"),
        replace_in_messages("row", "line"),
    ):
        raise DataError("/copy/a.csv, row 3")
    with pytest.warns(se.StreamWarning, match=r"^/copy/a.csv$"):
        warn_caller("/copy/a.csv", se.StreamWarning)
