"""Type I and II errors: runs in parts, rates of rejection, true differences."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import numpy as np
import pandas as pd
import pytest
import scipy.stats

from streameval.base import settings as project
from streameval.base.table_files import write_parquet
from streameval.evaluation.folds import SAME_LEARNER, SWAPPED_PREDICTIONS
from streameval.items.error_rates import TypeErrorsSettings as Settings
from streameval.items.error_rates import type_errors as study
from streameval.items.error_rates.type_errors_runs import (
    part,
    redrawn_stream,
)
from streameval.items.inputs import StreamInput
from streameval.learners.registry import LearnerSpec
from streameval.streams.registry import load_registry

REGISTRY = load_registry(project.ROOT / "config" / "streams.yaml")
NAIVE = LearnerSpec("naive_bayes", "naive_bayes", "Naive Bayes")
SETTINGS = Settings(
    streams=("sea_50",),
    learners=("naive_bayes",),
    schemes=("split_validation", "cross_validation"),
    folds=4,
    instances=(200, 400),
    runs=5,
    runs_per_job=2,
    noise=(0.3,),
    drift_noise=(0.9,),
    bins=40,
)


def item_input(settings=SETTINGS, **files):
    spec = REGISTRY[settings.streams[0]]
    return StreamInput(
        settings=settings,
        learner_specs={"naive_bayes": NAIVE},
        name=spec.id,
        spec=spec,
        part_files=files,
    )


@pytest.fixture(scope="module")
def parts():
    """The frames of all parts, one below the other."""
    parts = [part(item_input(), number) for number in range(SETTINGS.parts())]
    return {
        name: pd.concat([frames[name] for frames in parts], ignore_index=True) for name in parts[0]
    }


@pytest.fixture(scope="module")
def frames(parts, tmp_path_factory):
    """What the study makes of the parts."""
    folder = tmp_path_factory.mktemp("parts")
    for name, frame in parts.items():
        write_parquet(frame, folder / f"{name}.parquet")
    return study.study(item_input(**{name: [folder / f"{name}.parquet"] for name in parts}))


def test_parts_do_not_depend_on_how_runs_are_divided(parts):
    whole = part(item_input(msgspec.structs.replace(SETTINGS, runs_per_job=100)), 0)
    for name in ("counts", "series", "anytime"):
        pd.testing.assert_frame_equal(whole[name], parts[name])


def test_two_learners_without_seeds_never_differ(parts):
    """Naive Bayes draws nothing, so only noise tells the two apart."""
    counts = parts["counts"]
    same = counts["alternative"].isin([SAME_LEARNER, SWAPPED_PREDICTIONS])
    assert (counts.loc[same, ["only_first", "only_second"]] == 0).all(axis=None)
    assert (counts.loc[~same, "only_first"]).sum() > 0


def test_rates_are_those_of_scipy(parts, frames):
    rates = frames["rates"].set_index([*study.CASE_COLUMNS, "test"])
    counts = parts["counts"]
    for cell, group in counts.groupby([*study.CASE_COLUMNS]):
        rejected = {"mcnemar": 0, "wilcoxon": 0, "paired_t": 0}
        for _, run in group.groupby("run"):
            ours, theirs = run["only_first"], run["only_second"]
            differences = ((ours - theirs) / run["tested"]).to_numpy()
            discordant = ours.sum() + theirs.sum()
            if discordant:
                statistic = (ours.sum() - theirs.sum()) ** 2 / discordant
                rejected["mcnemar"] += scipy.stats.chi2(1).sf(statistic) <= 0.05
            if differences.any():
                rejected["wilcoxon"] += scipy.stats.wilcoxon(differences).pvalue <= 0.05
                rejected["paired_t"] += scipy.stats.ttest_1samp(differences, 0).pvalue <= 0.05
        for test, number in rejected.items():
            assert rates.loc[(*cell, test), "rejected"] == number, (cell, test)
            assert rates.loc[(*cell, test), "value"] == number / 5


def test_adjusted_power_is_that_at_a_level_which_keeps_the_size():
    null = np.array([0.001, 0.02, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9] * 2)
    assert study._adjusted_power(np.array([0.001, 0.0009, 0.01, 0.5]), null, 0.1) == 0.5
    assert study._adjusted_power(null, null, 0.1) == 0.1
    assert study._adjusted_power(np.array([0.0]), np.zeros(20), 0.1) == 0.0


# --- the streams of runs ------------------------------------------------------------------


def test_runs_draw_the_same_concepts_anew():
    spec = REGISTRY["rbf_0_0"]
    first, again, other = (redrawn_stream(spec, 300, run) for run in (1, 1, 2))
    assert np.array_equal(first.X, again.X)
    assert not np.array_equal(first.X, other.X)


def test_streams_of_one_generator_are_told_apart():
    """The names of the draws of folds, models and noise have the stream's in them."""
    names = [name for name in REGISTRY if name.startswith(("rbf_", "sea_"))]
    streams = [redrawn_stream(REGISTRY[name], 50, 0) for name in names]
    assert [stream.name for stream in streams] == names
    assert streams[0].smoothing == REGISTRY[names[0]].smoothing


def test_drifts_come_at_the_same_shares_of_a_shorter_stream():
    """The concepts of SEA differ in the sum above which the class changes."""
    spec = replace(REGISTRY["sea_50"], parameters=_without_noise(REGISTRY["sea_50"].parameters))
    stream = redrawn_stream(spec, 40_000, 3)
    sums = stream.X[:, 0] + stream.X[:, 1]
    for quarter, threshold in enumerate([9.0, 8.0, 7.0, 9.5]):
        rows = slice(quarter * 10_000 + 20, (quarter + 1) * 10_000 - 20)
        assert ((sums[rows] > threshold) == (stream.y[rows] == 1)).all(), quarter


def _without_noise(parameters):
    values = dict(parameters)
    for key, value in parameters.items():
        if isinstance(value, dict):
            values[key] = _without_noise(value)
    return values | ({"noise": 0} if parameters.get("generator") == "sea" else {})


def test_concepts_of_a_run_do_not_share_their_draws():
    stream = redrawn_stream(REGISTRY["sea_50"], 4_000, 5)
    quarters = stream.X.reshape(4, 1000, -1)
    for i in range(4):
        for j in range(i):
            assert not np.isin(quarters[i][:, 0], quarters[j][:, 0]).any()
