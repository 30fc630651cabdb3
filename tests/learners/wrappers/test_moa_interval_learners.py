"""What docs/comparison.md says of the interval learners of MOA, and conformal ones beside them."""

from __future__ import annotations

import io
import subprocess
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest

import streameval as se
from streameval.learners.adapters.moa import find_jar
from streameval.learners.predictions import PredictedValues
from streameval.learners.regression.baselines import PreviousTarget
from streameval.learners.wrappers.conformal import Conformal
from streameval.measures.prediction_intervals import Intervals, interval_score, is_covered
from streameval.protocols.prequential import prequential

pytestmark = pytest.mark.moa
ROWS = 3000


@pytest.fixture(scope="module")
def stream():
    """Targets whose noise falls to a quarter in the middle."""
    draws = np.random.default_rng(3)
    X = draws.random((ROWS, 3))
    y = 10.0 * X[:, 0] + draws.normal(size=ROWS) * np.where(np.arange(ROWS) < ROWS // 2, 4.0, 1.0)
    return se.from_arrays(X, y, name="calmer", numeric_target=True)


def moas(learner, stream, folder):
    """Target, low, value and high of each row."""
    path, inputs = folder / "stream.arff", range(stream.X.shape[1])
    head = "".join(f"@attribute x{i} numeric\n" for i in inputs)
    table = np.column_stack((stream.X, stream.y))
    rows = "".join(",".join(map(repr, row)) + "\n" for row in table.tolist())
    path.write_text(f"@relation s\n{head}@attribute y numeric\n@data\n{rows}", encoding="utf-8")
    program = str(Path(__file__).with_name("IntervalLearners.java"))
    option = (
        f"moa.classifiers.predictioninterval.{learner} -l (moa.classifiers.trees.FIMTDD) -c 0.9"
    )
    command = ["java", "-cp", str(find_jar()), program, option, str(path)]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return np.loadtxt(io.StringIO(out)).T


def test_radii_are_of_the_mean_square_of_all_errors_so_far(stream, tmp_path):
    true, low, value, high = moas("MVEPredictionInterval", stream, tmp_path)
    np.testing.assert_array_equal(true, stream.y)
    squares = np.cumsum((true - value) ** 2) / np.arange(1, ROWS + 1)
    expected = NormalDist().inv_cdf(0.95) * np.sqrt(squares)
    np.testing.assert_allclose((high - value)[1:], expected[:-1], rtol=1e-9)
    np.testing.assert_allclose((value - low)[1:], expected[:-1], rtol=1e-9)


def test_errors_of_long_ago_count_as_much_as_new_ones(stream, tmp_path):
    true, low, value, high = moas("AdaptivePredictionInterval", stream, tmp_path)
    tape = prequential(ROWS)
    around = Conformal(PreviousTarget(), 0.9)
    ours = around.add_intervals(PredictedValues(tape.predict_rows, value, 0.0), stream, tape)
    end = slice(ROWS - 500, ROWS)
    theirs = is_covered(Intervals(true, low, high))[end].mean()
    assert theirs > 0.97  # long after the noise has become smaller
    assert abs(is_covered(Intervals(true, ours.low, ours.high))[end].mean() - 0.9) < 0.03
    score, score_of_moa = (
        float(interval_score(true[end], lower[end], upper[end], 0.9))
        for lower, upper in ((ours.low, ours.high), (low, high))
    )
    assert score < score_of_moa
