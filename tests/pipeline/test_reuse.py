"""Predictions of learners that nothing has changed are kept."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from streameval.base.errors import DataError
from streameval.base.settings import ROOT
from streameval.base.table_files import write_csv
from streameval.evaluation.predictions import write_predictions
from streameval.evaluation.run import Cost, run_learners
from streameval.learners.registry import load_learners
from streameval.pipeline.reuse import EarlierPredictions, learner_keys, valid_predictions
from streameval.protocols.registry import parse
from streameval.streams.generators import generate_instances

SCRIPT = ROOT / "workflow" / "scripts" / "evaluate_learners.py"
ROWS = load_learners(ROOT / "config" / "learners.yaml")
NAMES = ("no_change", "majority", "naive_bayes", "moving_majority")


@pytest.fixture(scope="module")
def table():
    return predictions("sea")


def predictions(generator, **parameters):
    """The predictions of these learners over a stream."""
    learners = {name: ROWS[name].make() for name in NAMES}
    stream = generate_instances(generator, 300, **parameters)
    return run_learners(stream, parse("prequential"), learners)[0]


def write(table, keys_by_learner, folder):
    """Write the files of a run of these learners, with their keys; return the paths."""
    paths = [str(folder / name) for name in ("predictions.parquet", "costs.csv")]
    table, costs = EarlierPredictions().with_new_results(
        table, [Cost(name, 300, 1.0, 1) for name in NAMES], keys_by_learner, {}
    )
    write_predictions(table, paths[0])
    write_csv(costs, paths[1])
    return paths


@pytest.fixture
def files(table, tmp_path):
    """The files of a run of these learners, and their keys."""
    known_keys = learner_keys({name: ROWS[name].recipe() for name in NAMES}, SCRIPT, (), "a stream")
    return write(table, known_keys, tmp_path), known_keys


def test_what_predictions_follow_from_is_in_their_key(tmp_path):
    recipe = ROWS["moving_majority"].recipe()
    other = {**recipe, "parameters": {"window": 999}}
    code = tmp_path / "own.py"
    code.write_text("1")
    calls = [
        ({"a": recipe}, SCRIPT, (), "stream"),
        ({"a": other}, SCRIPT, (), "stream"),
        ({"a": recipe}, SCRIPT, (), "other stream"),
        ({"a": recipe}, SCRIPT, (str(code),), "stream"),
        ({"a": recipe}, SCRIPT.with_name("draw.py"), (), "stream"),
    ]
    own_recipe = {**recipe, "learner": "own_learner:Own", "folder": str(tmp_path)}
    (tmp_path / "own_learner.py").write_text("import own_helper\n")
    helper = tmp_path / "own_helper.py"
    helper.write_text("1")
    calls.append(({"a": own_recipe}, SCRIPT, (), "stream"))
    known_keys = [learner_keys(*call)["a"] for call in calls]
    code.write_text("2")
    helper.write_text("2")
    known_keys += [learner_keys(*calls[at])["a"] for at in (3, -1)]
    assert len(set(known_keys)) == len(known_keys)
    assert learner_keys(*calls[0])["a"] == known_keys[0]


def test_only_what_has_changed_is_run_again(files, table):
    paths, known_keys = files
    wanted = {**known_keys, "naive_bayes": "other", "knn": "new"}
    kept = valid_predictions(*paths, wanted)
    assert set(kept.learners) == set(kept.costs["learner"]) == {*NAMES} - {"naive_bayes"}
    others = {name: ROWS[name].make() for name in ("naive_bayes", "knn")}
    new = run_learners(generate_instances("sea", 300), parse("prequential"), others)
    again, costs = kept.with_new_results(*new, wanted, {})
    assert list(again.predicted) == list(costs["learner"]) == list(wanted)
    paths = [f"{path}.new" for path in paths]
    write_predictions(again, paths[0])
    write_csv(costs, paths[1])
    assert valid_predictions(*paths, wanted).learners == tuple(wanted)
    for name in NAMES:
        np.testing.assert_array_equal(again.predicted[name], table.predicted[name])
    assert set(costs.set_index("learner").loc[[*kept.learners], "seconds"]) == {1.0}


def test_predictions_of_one_run_are_not_kept_with_the_costs_of_another(files, table, tmp_path):
    """A job that is killed between its two files leaves that, and its settings may be reverted."""
    paths, known_keys = files
    later = replace(table, predicted={**table.predicted, "naive_bayes": table.true})
    write_predictions(later, paths[0])
    assert set(valid_predictions(*paths, known_keys).learners) == {*NAMES} - {"naive_bayes"}
    write_predictions(predictions("sea", seed=9), paths[0])  # of another content of the stream
    assert valid_predictions(*paths, known_keys).learners == ()


def test_nothing_is_kept_of_files_without_keys_or_that_are_damaged(files, table, tmp_path):
    paths, known_keys = files
    assert valid_predictions(str(tmp_path / "none.parquet"), paths[1], known_keys).table is None
    write_csv(pd.DataFrame({"learner": NAMES, "seconds": 1.0}), paths[1])
    assert valid_predictions(*paths, known_keys).table is None
    (tmp_path / "predictions.parquet").write_bytes(b"half")
    assert valid_predictions(*paths, known_keys).table is None


def test_predictions_of_numbers_are_put_together_although_targets_are_missing(tmp_path):
    stream = generate_instances("planes", 200)
    targets = np.where(np.arange(200) % 7 == 3, np.nan, stream.y)
    stream = replace(stream, y=targets)
    protocol = parse("prequential")
    known_keys = dict.fromkeys(("previous_target", "target_mean", "amrules"), "a")
    first = {name: ROWS[name].make() for name in ("previous_target", "target_mean")}
    paths = [str(tmp_path / name) for name in ("predictions.parquet", "costs.csv")]
    table, costs = EarlierPredictions().with_new_results(
        *run_learners(stream, protocol, first), known_keys, {"amrules": "no"}
    )
    write_predictions(table, paths[0])
    write_csv(costs, paths[1])
    kept = valid_predictions(*paths, known_keys)
    assert kept.learners == ("previous_target", "target_mean")
    new = run_learners(stream, protocol, {"amrules": ROWS["amrules"].make()})
    again, _ = kept.with_new_results(*new, known_keys, {})
    assert [*again.predicted] == [*known_keys]
    assert np.isnan(again.true).any()


def test_predictions_for_other_instances_are_not_put_together(table):
    other = run_learners(generate_instances("sea", 300, seed=9), parse("prequential"), {})
    with pytest.raises(DataError, match="other instances"):
        EarlierPredictions(table).with_new_results(*other, dict.fromkeys(NAMES, ""), {})
