"""The study of prediction intervals, equal to the public functions; its table and figure."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from helpers.all_kinds import all_kinds
from helpers.study_inputs import stream_input_for

import streameval as se
from prediction_intervals import MEASURED, STEPS
from prediction_intervals.calibration import LAWS, LEVEL, _radii, _simulate
from streameval.items.kind import function_of
from streameval.measures.prediction_intervals import interval_score

ITEM = {
    "learners": ["amrules", "fimt_dd"],
    "delays": [0, 40],
    "residuals": 60,
    "coverage": 0.8,
    "window": 150,
    "points": 20,
}


@pytest.fixture(scope="module")
def stream():
    return se.generate("planes", rows=900)


@pytest.fixture(scope="module")
def stream_input(stream):
    return stream_input_for("prediction_intervals", stream, ITEM)


@pytest.fixture(scope="module")
def frames(stream_input):
    return function_of(all_kinds()["prediction_intervals"], "study")(stream_input)


def test_it_is_what_the_public_functions_return(stream, frames):
    measures, curves = (
        frames[name].set_index(["delay", "step"]) for name in ("measures", "curves")
    )
    names = [name for name in MEASURED if name != "least_coverage"]
    for delay, protocol in ((0, None), (40, "delayed:40")):
        for step in STEPS:
            option = f"0.8:{step}:60"
            result = se.evaluate(stream, ITEM["learners"], protocol, intervals=option)
            rows = measures.loc[[(delay, step)]].set_index("learner")
            pd.testing.assert_frame_equal(
                rows[["intervals", *names]], result.intervals()[["intervals", *names]]
            )
            coverage = curves.loc[[(delay, step)]]
            coverage = coverage[coverage["measure"] == "interval_coverage"]
            wide = coverage.set_index(["instance", "learner"])["value"].unstack("learner")  # noqa: PD010
            # The study counts from the first label on, curves of a result from the first row.
            curve = result.curve("interval_coverage", 150, len(stream))
            curve = curve.set_axis(curve.index - (len(stream) - len(result.table)))
            curve = curve.loc[wide.index]
            assert len(curve) == 20
            pd.testing.assert_frame_equal(wide[[*curve]], curve, check_names=False)
            np.testing.assert_array_equal(rows["least_coverage"], curve.min()[rows.index])


def test_the_simulation_knows_the_truth():
    """Half the widths have the coverage they say, and two of the same score."""
    radii = _radii(LAWS["independent"], np.random.default_rng(1))
    stream, (value, other) = _simulate(LAWS["independent"], 300_000, np.random.default_rng(2))
    errors = np.abs(stream.y - value)[1:]
    coverages = [np.mean(errors <= radius) for radius in radii]
    assert coverages[:2] == [pytest.approx(0.7, abs=0.01), pytest.approx(0.9, abs=0.01)][::-1]
    scores = [
        float(interval_score(stream.y[1:], value[1:] - r, value[1:] + r, LEVEL))
        for r in (radii.narrow, radii.wide)
    ]
    assert scores[0] == pytest.approx(scores[1], rel=0.02)
    level = float(
        interval_score(stream.y[1:], value[1:] - radii.level, value[1:] + radii.level, LEVEL)
    )
    assert level < min(scores)  # the score is proper
    assert np.corrcoef((stream.y - value)[1:], (stream.y - other)[1:])[0, 1] > 0.5


def test_too_few_residuals():
    changed = {**ITEM, "streams": ["planes"], "coverage": 0.95, "residuals": 18}
    settings = all_kinds()["prediction_intervals"].settings_from(changed)
    assert [*settings.setting_faults({})] == [
        "residuals: expected at least 19 at a coverage of 0.95, found 18"
    ]
