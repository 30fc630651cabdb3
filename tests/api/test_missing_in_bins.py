"""A learner that gives no prediction is wrong in bins, as it is overall."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from helpers.foreign_models import Never

import streameval as se


class Seldom(Never):
    """Predict class 1 for values above 0, and nothing for others."""

    def predict(self, x):
        """A class or nothing."""
        return 1 if x[0] > 0 else None


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(1)
    x = rng.normal(size=600)
    return pd.DataFrame({"x": x, "y": np.where(x + rng.normal(size=600) > 0.3, "yes", "no")})


@pytest.mark.parametrize("classes", [("no", "yes"), ("z_no", "a_yes")])
def test_the_order_of_the_classes_does_not_matter(frame, classes):
    named = frame.assign(y=frame["y"].map(dict(zip(("no", "yes"), classes, strict=True))))
    stream = se.from_pandas(named, "y")
    bins = se.evaluate(stream, {"silent": Never()}, delay=20).bins(4, moa=True)
    silent = bins[bins["learner"] == "silent"]
    assert silent["accuracy"].tolist() == [0.0] * 6
    assert (silent["kappa"] == 0).all()
    at_once = se.evaluate(stream, {"silent": Never()}, protocol="delayed:20")
    expected = at_once.measures("kappa_temporal", "kappa_m").loc["silent"]
    first = silent.iloc[0]
    assert first["kappa_temporal_delayed"] == pytest.approx(expected["kappa_temporal"])
    assert first["kappa_m_delayed"] == pytest.approx(expected["kappa_m"])


def test_the_first_bin_agrees_with_the_delayed_protocol(frame):
    stream = se.from_pandas(frame, "y")
    bins = se.evaluate(stream, {"seldom": Seldom()}, delay=20).bins(4)
    seldom = bins[bins["learner"] == "seldom"]
    evaluation = se.evaluate(stream, {"seldom": Seldom()}, protocol="delayed:20")
    expected = evaluation.measures("accuracy", "kappa").loc["seldom"]
    for column, value in expected.items():
        assert seldom[column].tolist() == pytest.approx([value] * 6)


def test_by_the_published_rule_it_is_the_first_class(frame):
    stream = se.from_pandas(frame, "y")
    bins = se.evaluate(stream, {"silent": Never()}, delay=20).bins(4, rule="published")
    silent = bins[bins["learner"] == "silent"]
    assert silent["accuracy"].tolist() == [np.mean(stream.y == 0)] * 6
