"""The hold-out of the current concept, and the estimates compared with it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from helpers.shown_tables import cells_of

from streameval.base.errors import ConfigError
from streameval.base.settings import ROOT
from streameval.base.table_files import write_csv
from streameval.drawing.subject import Subject
from streameval.items import kinds
from streameval.items.inputs import ItemInput, StreamInput
from streameval.items.performance.holdout import (
    fresh_sample,
    noise_floor,
    run_with_tests,
    study,
    times_of_tests,
)
from streameval.items.performance.show import layout_holdout_distances as layout
from streameval.items.performance.show import study_holdout_distances as table_study
from streameval.learners.baselines import Majority, NoChange
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.registry import load_learners
from streameval.learners.trees.hoeffding_tree import HoeffdingTree
from streameval.protocols.prequential import prequential
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.streams.making import synthesise
from streameval.streams.registry import GeneratorSpec

SPEC = GeneratorSpec(
    id="moving",
    title="Moving clouds",
    rows=3000,
    generator="random_rbf_drift",
    parameters={"classes": 3, "centroids": 10, "drifting": 10, "speed": 0.001},
)
LEARNERS = [NoChange(), Majority(), NaiveBayes(), HoeffdingTree()]


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: learner.name)
def test_a_test_is_what_the_model_of_that_time_predicts_and_changes_nothing(learner):
    stream, times = synthesise(SPEC), times_of_tests(3000, 6)
    fresh = fresh_sample(SPEC, times, 40, seed=1)
    tested = run_with_tests(learner, stream, fresh, times)
    plain = learner.run(stream, prequential(3000)).label
    assert (tested.on_stream == (plain == stream.y)).all()
    for place, time in enumerate(times):  # learn the first instances, then predict the fresh ones
        part = fresh.take(slice(40 * place, 40 * (place + 1)))
        joined = replace(
            stream,
            X=np.concatenate((stream.X[:time], part.X)),
            y=np.concatenate((stream.y[:time], part.y)),
        )
        op = np.where(np.arange(time + 40) < time, LEARN, PREDICT)
        tape = Tape(np.arange(time + 40), op, np.ones(time + 40))
        assert (tested.held_out[place] == (learner.run(joined, tape).label == part.y)).all()


def test_tests_are_evenly_spaced_up_to_the_end():
    assert times_of_tests(1000, 4).tolist() == [250, 500, 750, 1000]
    assert times_of_tests(3, 8).tolist() == [1, 2, 3]


def test_the_floor_is_the_distance_of_an_estimate_without_error():
    draws = np.random.default_rng(1)
    true = np.linspace(0.55, 0.95, 4000)
    samples = draws.binomial(200, true) / 200
    assert noise_floor(samples, 200) == pytest.approx(np.abs(samples - true).mean(), rel=0.05)
    # Two halves of a sample differ by twice that on the mean.
    halves = draws.binomial(100, true, size=(2, 4000)) / 100
    assert np.abs(halves[0] - halves[1]).mean() == pytest.approx(
        2 * noise_floor(halves.mean(axis=0), 200), rel=0.05
    )


def stream_input_of(**settings) -> StreamInput:
    kind = kinds()["holdout"]
    plain = {"streams": ["moving"], "learners": ["hoeffding_tree"], "windows": [20, 500]} | settings
    rows = load_learners(ROOT / "config" / "learners.yaml")
    hold_out = kind.settings_from(plain)
    return StreamInput(
        name="moving",
        settings=hold_out,
        learner_specs={n: rows[n] for n in hold_out.learners},
        spec=SPEC,
    )


def test_a_section_of_a_stream_is_its_first_instances():
    whole = study(stream_input_of(tests=30, fresh=20))["following"]
    part = study(stream_input_of(instances=1500, tests=15, fresh=20))["following"]
    keys = ["estimator", "instance"]
    both = whole[whole["instance"] <= 1500].merge(part, on=keys)
    assert len(both) == len(part)
    ours = both[both["estimator"] != "hold_out"]
    assert (ours["accuracy_x"] == ours["accuracy_y"]).all()


def test_streams_from_files_have_no_fresh_instances():
    stream_input = replace(stream_input_of(), spec=None)
    with pytest.raises(ConfigError, match="'moving': expected a generated stream"):
        study(stream_input)


def test_the_table_joins_the_streams(tmp_path):
    kind, nothing = kinds()["holdout_distances"], float("nan")
    columns = kinds()["holdout"].frames["distances"]
    ends = {"adwin": (0.01, 0.03), "window_500": (nothing, nothing)}
    rows = [("tree", name, 2000, 0.02, *pair, 20, 0.008) for name, pair in ends.items()]
    write_csv(pd.DataFrame(rows, columns=columns), tmp_path / "distances.csv")
    frames = {
        f"{stream}.{part}": tmp_path / "distances.csv" if part == "distances" else ""
        for stream in ("one", "two")
        for part in ("distances", "closer")
    }
    item = ItemInput(settings=None, columns=kind.columns, frames=frames, titles={"tree": "Tree"})
    table = layout(table_study({}, item), Subject(settings=None, streams={"one": "The first"}))
    cells = cells_of(table)
    assert cells.iloc[:, [0, 1]].to_numpy().tolist() == [["The first", "Tree"], ["two", "Tree"]]
    assert list(cells)[3:] == ["ADWIN", "Window of 500", "Hold-out's own"]
    assert cells.iloc[0, 3:].tolist() == ["0.0200 ± 0.0100", "0.0200", "0.0080"]
    assert len(table.alignment) == len(cells.columns)
    empty = table_study({}, ItemInput(settings=None, columns=kind.columns))
    assert tuple(empty.columns) == kind.columns
    assert len(cells_of(layout(empty, Subject(settings=None)))) == 0
