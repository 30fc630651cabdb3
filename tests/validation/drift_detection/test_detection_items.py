"""Items about drift detectors: detected drifts, and the effect of resets at alarms."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from helpers.shown_tables import cells_of

from drift_detection import (
    _MEASURES,
    WORTH,
    AlarmCalibrationSettings,
    DetectionSettings,
    detection,
)
from drift_detection.alarm_calibration import NULLS
from drift_detection.detection import study
from drift_detection.measures import DETECTION_MEASURES
from drift_detection.show import layout_detector_choice, study_detector_choice
from streameval.drawing.subject import Subject
from streameval.evaluation import alarm_worth
from streameval.items.inputs import StreamInput
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.streams.generators.random_tree import RandomTree
from streameval.streams.registry import load_registry
from streameval.streams.stream import Stream


def settings(**changed):
    usual = {"streams": ("s",), "learners": ("naive_bayes",), "instances": 900, "runs": 3}
    return DetectionSettings(**{**usual, "detectors": ("every:100", "ddm"), **changed})


def stream_input(chosen, spec=None, stream: Stream | None = None):
    result = StreamInput(settings=chosen, name="s", spec=spec)
    if stream is not None:
        result.__dict__["stream"] = stream
    object.__setattr__(result, "learners", lambda: {"naive_bayes": NaiveBayes()})
    return result


@pytest.fixture(scope="module")
def injected():
    chosen = settings(tolerance=50, drifts=2)
    return study(stream_input(chosen, stream=RandomTree(seed=3).stream(1000)))


def test_regular_alarms_find_what_lies_behind_them(injected):
    runs = injected["runs"]
    assert set(runs["instances"]) == {900}
    regular = runs[runs["detector"] == "every:n=100"]
    assert (regular["alarms"] == 9).all()
    # Drifts are at 300 and 600; alarms at 99, 199, ... are 99 instances late: beyond 50.
    drifting = regular[regular["change"] != "none"]
    assert (drifting["episode_recall"] == 0).all()
    assert drifting["false_alarm_rate"].to_numpy() == pytest.approx(1000 * 9 / 800)
    still = regular[regular["change"] == "none"]
    assert still["episode_recall"].isna().all()
    assert still["false_alarm_rate"].to_numpy() == pytest.approx(10.0)


def test_names_in_settings_are_those_of_the_code_that_they_must_not_load():
    assert tuple(DETECTION_MEASURES) == _MEASURES
    assert alarm_worth.WORTH_COLUMNS == WORTH


def test_summaries_are_means_of_the_runs(injected):
    runs, summary = injected["runs"], injected["summary"]
    sizes = runs.groupby(["change", "detector"]).size()
    assert sizes.to_dict() == {
        (change, detector): 3
        for change in ("none", "relabelled", "permuted", "reweighted")
        for detector in runs["detector"].unique()
    }
    for row in summary.itertuples():
        part = runs[(runs["change"] == row.change) & (runs["detector"] == row.detector)]
        values = part[row.measure].to_numpy()
        if np.isnan(values).any():
            assert np.isnan(row.mean)
            assert row.reason
        else:
            assert row.mean == pytest.approx(values.mean())
            assert np.isnan(row.low) == bool(row.reason)


def test_known_drifts_of_a_generator_are_taken():
    spec = load_registry()["sea_50"]
    streams = dict(detection._run_streams(stream_input(settings(instances=4000), spec), 0))
    assert list(streams) == ["own"]
    stream, drifts = streams["own"]
    assert len(stream) == 4000
    # At each quarter, as in the registry, which has a million instances.
    assert [drift.start for drift in drifts] == [999, 1999, 2999]
    again = dict(detection._run_streams(stream_input(settings(instances=4000), spec), 1))["own"]
    assert again.stream.digest != stream.digest


def test_streams_without_known_drifts_get_some():
    spec = load_registry()["rbf_0_0"]
    streams = dict(detection._run_streams(stream_input(settings(), spec), 0))
    assert streams["none"].drifts == ()
    assert [drift.start for drift in streams["relabelled"].drifts] == [225, 450, 675]


def summary(stream, means):
    rows = [(stream, "own", name, "episode_f1", f1, f1 - 0.1, f1 + 0.1) for name, f1 in means]
    columns = ["stream", "change", "detector", "measure", "mean", "low", "high"]
    return pd.DataFrame(rows, columns=columns).drop(columns="stream")


def chosen_on(**summaries):
    frames = {
        "summary": summaries,
        "size": {name: pd.DataFrame({"simulated": [False]}) for name in summaries},
    }
    return study_detector_choice({}, SimpleNamespace(frames_of_streams=frames.__getitem__))


def test_parameters_are_chosen_on_the_other_streams():
    table = chosen_on(
        a=summary("a", [("x", 0.2), ("x:1", 0.9), ("y", 0.3)]),
        b=summary("b", [("x", 0.8), ("x:1", 0.1), ("y", 0.4)]),
        c=summary("c", [("x", 0.5), ("x:1", 0.4), ("y", np.nan)]),
    )
    x = table[table["detector"] == "x"].set_index("stream")
    # Of a the others' means are 0.65 and 0.25, of b 0.35 and 0.65, of c 0.5 and 0.5.
    assert x["chosen"].to_dict() == {"a": "x", "b": "x:1", "c": "x"}
    assert x["f1"].to_dict() == {"a": 0.2, "b": 0.1, "c": 0.5}
    assert x["usual"].to_dict() == {"a": 0.2, "b": 0.8, "c": 0.5}
    assert x["best"].to_dict() == {"a": 0.9, "b": 0.8, "c": 0.5}
    assert x["hindsight"]["a"] == "x:1"
    assert x.loc["b", ["low", "high"]].to_list() == pytest.approx([0.0, 0.2])
    assert set(table.loc[table["detector"] == "y", "stream"]) == {"a", "b"}
    layout = layout_detector_choice(table, Subject(settings=None))
    assert len(cells_of(layout)) == len(table)


def test_one_stream_leaves_none_to_choose_on():
    table = chosen_on(a=summary("a", [("x", 0.2)]))
    assert len(table) == 0
    assert "at least two" in layout_detector_choice(table, Subject(settings=None)).notes[0]


@pytest.mark.parametrize("name", NULLS)
def test_gaps_of_a_null_have_the_mean_that_is_asked_for(name):
    gaps = NULLS[name].draw(np.random.default_rng(3), 50.0, 40_000)
    assert (gaps > 0).all()
    assert gaps.mean() == pytest.approx(50, rel=0.03)
    assert gaps[1:].min() == {"warm_up": 31, "by_run": 31, "periodic": 50}.get(name, 1)
    lengths = np.minimum(gaps[1:], 100)
    if name != "periodic":
        dependence = np.corrcoef(lengths[1:], lengths[:-1])[0, 1]
        assert (dependence > 0.1) == (name == "clustered")


def test_wrong_detectors_are_named():
    (objection,) = settings(detectors=("adwim",)).setting_faults({})
    assert "adwim" in objection
    with pytest.raises(ValueError, match="each of 2 lengths"):
        AlarmCalibrationSettings(
            laws=("independent",), instances=(300, 400), repetitions=(3,), rates=(0.02,)
        )
