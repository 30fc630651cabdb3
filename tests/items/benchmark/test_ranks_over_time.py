"""Mean ranks of learners over streams, part by part: numbers, figure and refusals."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from streameval.base.errors import DataError
from streameval.drawing.subject import Subject
from streameval.evaluation.predictions import PredictionTable, write_predictions
from streameval.items import kinds
from streameval.items.benchmark.ranks_over_time import study
from streameval.items.benchmark.show import draw_ranks_over_time
from streameval.items.inputs import ItemInput, StreamInput

KIND = kinds()["ranks_over_time"]
LEARNERS = ("a", "b", "c")


def settings_of(**more):
    base = {"streams": ["s1"], "learners": list(LEARNERS), "parts": 2}
    return KIND.settings_from({**base, "seeds": 1, **more})


def runs_of(folder, stream, settings, errors, failed=None):
    """The input of a stream of 200 instances; errors[seed][learner] are wrong ones by half."""
    true = np.zeros(200, dtype=np.int32)
    files = []
    for seed, of_seed in enumerate(errors, 1):
        predicted = {}
        for name, (first, second) in of_seed.items():
            wrong = np.zeros(200, dtype=np.int16)
            wrong[:first] = 1
            wrong[100 : 100 + second] = 1
            predicted[name] = wrong
        baselines = {name: np.zeros(200, np.int16) for name in ("no_change", "majority")}
        table = PredictionTable(
            true, {**baselines, **predicted}, 2, stream=stream, protocol="prequential",
            failed=failed or {},
        )  # fmt: skip
        path = folder / f"{stream}.{seed}.parquet"
        write_predictions(table, path)
        files.append(str(path))
    seeded = {str(seed): path for seed, path in enumerate(files[1:], 2)}
    return StreamInput(
        settings=settings, name=stream, prediction_files={"original": files[0]}, seed_files=seeded
    )


def test_ranks_are_means_over_streams_of_ranks_by_the_mean_over_seeds(tmp_path):
    settings = settings_of(streams=["s1", "s2"], seeds=2)
    # a errs 10 and 30 times in the first half, 20 in the mean: as often as b.
    errors = [{"a": (10, 0), "b": (20, 5), "c": (50, 9)}, {"a": (30, 0)}]
    other = [{"a": (3, 9), "b": (2, 5), "c": (1, 1)}, {"a": (3, 9)}]
    inputs = {
        "s1": runs_of(tmp_path, "s1", settings, errors),
        "s2": runs_of(tmp_path, "s2", settings, other),
    }
    frames = study(inputs, ItemInput(settings=settings, n_runs_by_learner={"a": 2}))
    values = frames["values"].set_index(["stream", "part", "learner"])
    assert values.loc[("s1", 1, "a"), "value"] == pytest.approx(0.8)
    assert values["rank"].tolist() == [1.5, 1.5, 3, 1, 2, 3, 3, 2, 1, 3, 2, 1]
    ranks = frames["ranks"].set_index(["part", "learner"])
    assert ranks["mean_rank"].to_dict() == {
        (1, "a"): 2.25,
        (1, "b"): 1.75,
        (1, "c"): 2.0,
        (2, "a"): 2.0,
        (2, "b"): 2.0,
        (2, "c"): 2.0,
    }
    assert set(ranks["streams"]) == {2}


def test_a_learner_that_failed_on_a_stream_is_not_ranked(tmp_path):
    settings = settings_of(streams=["s1", "s2"])
    both = {"a": (1, 3), "b": (2, 1)}
    inputs = {
        "s1": runs_of(tmp_path, "s1", settings, [{**both, "c": (0, 0)}]),
        "s2": runs_of(tmp_path, "s2", settings, [both], failed={"c": "ValueError: no"}),
    }
    frames = study(inputs, ItemInput(settings=settings))
    assert set(frames["values"]["learner"]) == {"a", "b"}
    assert frames["ranks"]["mean_rank"].tolist() == [1, 2, 2, 1]


def test_a_part_in_which_a_learner_has_no_value_has_no_ranks(tmp_path):
    settings = settings_of(measure="kappa")
    # All labels are of one class: kappa of predictions that are all right is undefined.
    inputs = {"s1": runs_of(tmp_path, "s1", settings, [{"a": (1, 0), "b": (2, 0), "c": (0, 0)}])}
    frames = study(inputs, ItemInput(settings=settings))
    assert frames["values"]["rank"].isna().all()
    assert frames["ranks"].empty
    subject = Subject(settings=settings, picture="ranks")
    (axes,) = draw_ranks_over_time(frames, subject).axes
    assert [text.get_text() for text in axes.texts] == [
        "No part of a stream has values of all learners."
    ]


def test_a_stream_that_is_shorter_than_its_parts_is_refused(tmp_path):
    settings = settings_of(parts=201)
    inputs = {"s1": runs_of(tmp_path, "s1", settings, [dict.fromkeys(LEARNERS, (1, 1))])}
    with pytest.raises(DataError, match="expected at least 201 predictions"):
        study(inputs, ItemInput(settings=settings))


def test_the_best_learner_is_on_top_and_points_stand_in_the_middle_of_their_parts(tmp_path):
    settings = settings_of()
    errors = [{"a": (1, 9), "b": (2, 8), "c": (3, 7)}]
    inputs = {"s1": runs_of(tmp_path, "s1", settings, errors)}
    frames = study(inputs, ItemInput(settings=settings))
    titles = {"a": "Learner A", "b": "Learner B", "c": "Learner C"}
    figure = draw_ranks_over_time(frames, Subject(settings=settings, titles=titles))
    (axes,) = figure.axes
    low, high = axes.get_ylim()
    assert low > 3 > 1 > high
    lines = {tuple(line.get_ydata()): tuple(line.get_xdata()) for line in axes.lines}
    assert lines == {(1, 3): (25, 75), (2, 2): (25, 75), (3, 1): (25, 75)}
    assert [text.get_text() for text in figure.legends[0].get_texts()] == [*titles.values()]


@pytest.mark.parametrize(("n", "ticks"), [(3, [1, 2, 3]), (15, [1, 3, 5, 7, 9, 11, 13, 15])])
def test_the_axis_of_ranks_begins_at_one_with_any_number_of_learners(n, ticks):
    names = [f"learner_{i}" for i in range(n)]
    rows = [(part, name, float(place), 4) for part in (1, 2) for place, name in enumerate(names, 1)]
    ranks = pd.DataFrame(rows, columns=list(KIND.frames["ranks"]))
    frames = {"ranks": ranks, "values": pd.DataFrame({"simulated": [False]})}
    subject = Subject(settings=settings_of(learners=names), picture="ranks")
    (axes,) = draw_ranks_over_time(frames, subject).axes
    assert axes.get_yticks().tolist() == ticks


@pytest.mark.parametrize(
    ("more", "objection"),
    [
        ({"learners": ["a"]}, "learners: expected at least two, found 1"),
        ({"measure": "kappa_p_value"}, "measure: expected a measure that says which learner"),
        ({}, ""),
    ],
)
def test_an_item_that_ranks_nothing_is_refused(more, objection):
    (*objections,) = settings_of(**more).setting_faults({})
    assert [text[: len(objection)] for text in objections] == [objection] * bool(objection)
