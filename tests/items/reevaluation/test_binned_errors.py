"""Errors of regressors by bin, their intervals, and who may be the best."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from helpers.binned import binned_values
from helpers.numbers import friedman

from streameval.base.table_files import read_csv_table, write_csv
from streameval.items import kinds
from streameval.items.inputs import StreamInput
from streameval.items.reevaluation.binned_errors import study
from streameval.learners.registry import LearnerSpec
from streameval.learners.regression.baselines import PreviousTarget, TargetMean
from streameval.protocols.reevaluation import reevaluation
from streameval.significance.intervals import mean_interval
from streameval.significance.simultaneous import column_block_means, simultaneous_width
from streameval.significance.skill_interval import skill_interval
from streameval.significance.stream_mean import Sample, stream_mean
from streameval.streams.stream import Stream

FOREST = {"members": 3, "grace_period": 50, "split_confidence": 0.1}
ROWS = {
    "forest": LearnerSpec("forest", "arf_reg", "Forest", FOREST),
    "target_mean": LearnerSpec("target_mean", "target_mean", "Target mean"),
}
SEEDS, BINS, DELAY, N = 3, 4, 20, 400


def stream_input(rows, stream, **settings):
    kind = kinds()["binned_errors"]
    settings = {"streams": [stream.name], "learners": [*rows], **settings}
    result = StreamInput(
        settings=kind.settings_from(settings), name=stream.name, learner_specs=rows
    )
    result.__dict__["stream"] = stream  # in place of its file
    return result


@pytest.fixture(scope="module")
def stream():
    return friedman(N, drifts=False)


@pytest.fixture(scope="module")
def frames(stream):
    delay = {"delay": {stream.name: DELAY}, "label_first": [stream.name]}
    return study(stream_input(ROWS, stream, seeds={"forest": SEEDS}, bins=BINS, every=6, **delay))


def of_run(stream, learner, seed):
    """The absolute errors by bin of one run, instance by instance."""
    time = np.arange(len(stream))
    tape, prediction_events = reevaluation(time, time + DELAY, 6, "label")
    values = binned_values(prediction_events, learner.run(stream, tape, seed).value, BINS)
    known = prediction_events.labelled_rows >= DELAY  # before, nobody knows a target
    return (values.values - stream.y[prediction_events.labelled_rows][:, None])[known]


def test_measures_are_means_over_seeds(frames, stream):
    errors = [of_run(stream, ROWS["forest"].make(), seed + 1) for seed in range(SEEDS)]
    learner_bins = frames["bins"][frames["bins"]["learner"] == "forest"]
    scored = stream.y[DELAY:]
    around = ((scored - scored.mean()) ** 2).sum()
    for b, row in enumerate(learner_bins.to_dict("records")):
        of_bin = [error[:, b] for error in errors]
        mae = [float(np.mean([abs(e) for e in error])) for error in of_bin]
        squares = [sum(float(e) ** 2 for e in error) for error in of_bin]
        assert (row["bin"], row["seeds"], row["predictions"]) == (b, SEEDS, N - DELAY)
        assert row["mean_absolute_error"] == pytest.approx(np.mean(mae))
        rmse = np.mean([(square / (N - DELAY)) ** 0.5 for square in squares])
        assert row["root_mean_squared_error"] == pytest.approx(rmse)
        assert row["r_squared"] == pytest.approx(np.mean([1 - each / around for each in squares]))
        assert (row["seeds_low"], row["seeds_high"]) == pytest.approx(mean_interval(mae)[1:])
        over_both = stream_mean(Sample(np.mean(np.abs(of_bin), axis=0), mae))
        assert (row["low"], row["high"]) == pytest.approx(
            (over_both.low, over_both.high), nan_ok=True
        )
        half = (
            simultaneous_width(column_block_means(np.mean(np.abs(errors), axis=0)))
            * over_both.standard_error
        )
        band = (over_both.mean - half, over_both.mean + half)
        assert (row["band_low"], row["band_high"]) == pytest.approx(band, nan_ok=True)
    assert frames["bins"]["low"].notna().any()


def test_one_seed_has_no_interval_over_seeds(frames, stream):
    learner_bins = frames["bins"][frames["bins"]["learner"] == "target_mean"]
    assert learner_bins[["seeds_low", "seeds_high"]].isna().all(axis=None)
    error = np.abs(of_run(stream, ROWS["target_mean"].make(), 1))
    assert learner_bins["mean_absolute_error"].tolist() == pytest.approx(
        error.mean(axis=0).tolist()
    )


def test_baselines_run_beside_others_and_skills_are_over_them(frames, stream):
    bins = frames["bins"].set_index(["learner", "bin"])
    baselines = {"previous_target": PreviousTarget(), "target_mean": TargetMean()}
    error = {name: np.abs(of_run(stream, baseline, 1)) for name, baseline in baselines.items()}
    runs = [of_run(stream, ROWS["forest"].make(), seed + 1) for seed in range(SEEDS)]
    mean_error = np.mean(np.abs(runs), axis=0)
    first = np.isnan(error["previous_target"]).sum(axis=0)
    assert bins.loc["previous_target", "missing"].tolist() == first.tolist()
    assert not first.any()
    skills = frames["skills"].set_index(["learner", "baseline", "bin"])
    assert not {"previous_target", "target_mean"} & {*frames["skills"]["learner"]}
    for name, reference in error.items():
        for b in range(BINS + 2):
            known = ~np.isnan(reference[:, b])
            expected = skill_interval(mean_error[known, b], reference[known, b])
            assert bins.loc[("forest", b), f"skill_over_{name}"] == pytest.approx(expected.value)
            row = skills.loc[("forest", name, b)]
            assert row["skill"] == pytest.approx(expected.value)
            assert row["low"] == pytest.approx(expected.low, rel=1e-3, nan_ok=True)
            assert bins.loc[(name, b), f"skill_over_{name}"] == 0.0
    # Learners that the item does not name are compared by skills alone.
    assert "previous_target" not in {*frames["contrasts"]["learner"]}


def test_what_is_undefined_is_still_a_number_in_files(stream, tmp_path):
    few = Stream(stream.X[:3], stream.y[:3] * 0, stream.schema, stream.name)  # and equal targets
    rows = {"target_mean": ROWS["target_mean"]}
    table = study(stream_input(rows, few, bins=BINS, rule="published", delay={few.name: DELAY}))[
        "bins"
    ]
    write_csv(table, tmp_path / "bins.csv")
    read = read_csv_table(tmp_path / "bins.csv")
    pd.testing.assert_frame_equal(read.drop(columns="learner"), table.drop(columns="learner"))
    undefined = ["low", "band_high", "seeds_low", "r_squared"]
    assert read[undefined].isna().all(axis=None)
