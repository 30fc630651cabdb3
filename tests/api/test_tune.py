"""Parameters are chosen on a prefix, and all learners are judged on the rest."""

from __future__ import annotations

import dataclasses
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive.tuning import chosen, judged

import streameval as se
from streameval.api.tune import MIN_INSTANCES, expand_grid
from streameval.evaluation.tuning import mask_after_pretraining
from streameval.learners.baselines import MovingMajority
from streameval.learners.knn import KNN
from streameval.streams.readers.table import StreamWarning
from streameval.streams.stream import NEVER

PATH = "sklearn.tree.DecisionTreeClassifier"
GRID = {"k": [1, 3, 9], "window": [50, 200]}


@pytest.fixture(scope="module")
def stream():
    return se.generate("sea", rows=2000)


@pytest.fixture(scope="module")
def tuning(stream):
    return se.tune(stream, "knn", GRID, 600)


@pytest.mark.parametrize("delay", [0, 37])
def test_the_choice_and_the_judgement_are_those_made_by_hand(stream, delay):
    tuning = se.tune(stream, "knn", GRID, 600, delay=delay or None)
    learners = [KNN(**parameters) for parameters in expand_grid(GRID)]
    best, accuracies = chosen(stream, learners, 600, delay)
    table = tuning.table()
    np.testing.assert_allclose(table["accuracy"], accuracies, rtol=1e-12)
    assert table["chosen"].tolist() == [place == best for place in range(6)]
    assert (tuning.trials, tuning.instances, tuning.tuned.labels) == (6, 600, 600 - delay)
    if not delay:
        result = se.evaluate(stream, [tuning, "majority"])
        expected = judged(stream, learners[best], 600)
        assert result.measures("accuracy")["accuracy"].iloc[0] == pytest.approx(expected)
        assert len(result.predictions) == 1400


def test_untuned_learners_and_baselines_are_judged_on_the_same_rest(stream, tuning):
    result = se.evaluate(stream, {"tuned": tuning, "plain": "knn"})
    plain = se.evaluate(stream, "knn")
    rest = plain.predictions["row"] >= 600
    for name, other in (("plain", "knn"), ("no_change", "no_change"), ("majority", "majority")):
        expected = plain.predictions[rest][other].tolist()
        assert result.predictions[name].tolist() == expected
    compared = se.compare(stream, {"tuned": tuning, "plain": "knn"})
    for name in ("tuned", "plain", "no_change", "majority"):
        accuracy = result.measures("accuracy")["accuracy"][name]
        assert compared.mean(name)[0] == pytest.approx(accuracy)
    assert compared.pretrain == result.pretrain == 600
    assert se.evaluate(stream, se.augmented(tuning)).pretrain == 600


def test_on_another_stream_all_instances_are_judged(stream, tuning):
    other = se.generate("sea", rows=2000, seed=2)
    elsewhere = se.evaluate(other, tuning)
    assert (elsewhere.pretrain, len(elsewhere.predictions)) == (0, 2000)
    assert "the best of" not in "\n".join(se.compare(other, [tuning, "majority"]).lines())
    assert se.evaluate(stream, tuning, pretrain=900).pretrain == 900
    assert se.evaluate(stream, tuning, pretrain=100).pretrain == 600  # never on what chose


@settings(max_examples=25, deadline=None)
@given(st.integers(170, 600), st.integers(1, 60), st.integers(1, 2**31))
def test_no_label_behind_the_prefix_changes_the_choice(instances, delay, seed):
    stream = se.generate("sea", rows=700)
    rng = np.random.default_rng(seed)
    y = stream.y.copy()
    y[instances - delay :] = rng.integers(0, 2, len(y) - instances + delay)
    changed = dataclasses.replace(stream, y=y)
    original, relabelled = (
        se.tune(data, "knn", GRID, instances, delay=delay) for data in (stream, changed)
    )
    assert original.table().equals(relabelled.table())


@settings(max_examples=25, deadline=None)
@given(st.integers(100, 1900), st.integers(0, 2**31))
def test_the_rest_are_the_instances_that_arrive_last(instances, seed):
    time = np.random.default_rng(seed).permutation(2000) // 3
    stream = dataclasses.replace(se.generate("sea", rows=2000), time=time)
    rest = mask_after_pretraining(stream, instances)
    assert rest.sum() == 2000 - instances
    assert time[rest].min() >= time[~rest].max()
    first = stream.first(instances)
    assert np.array_equal(first.X, stream.X[~rest])


def test_labels_that_arrive_later_are_neither_used_nor_scored_twice():
    stream = se.generate("sea", rows=1500)
    times = {"time": np.arange(1500), "label_time": np.arange(1500) + 90}
    late = dataclasses.replace(stream, **times)
    delayed = se.tune(late, "knn", GRID, 500)
    same = se.tune(stream, "knn", GRID, 500, delay=90)
    assert delayed.table().equals(same.table())
    assert delayed.tuned.labels == 410
    missing = dataclasses.replace(
        late, label_time=np.where(np.arange(1500) % 3, times["label_time"], NEVER)
    )
    tuning = se.tune(missing, "knn", GRID, 500)
    result = se.evaluate(missing, tuning)
    labelled = int((np.arange(500, 1500) % 3 > 0).sum())
    assert result.delays["labels"] == labelled
    assert result.delays["pending"] == 1000 - labelled
    assert result.bins(2)["accuracy"].notna().all()
    compared = se.compare(missing, [tuning, "majority"])
    on_arrival = result.measures("accuracy")["accuracy"].iloc[0]
    assert compared.mean(tuning.best.name)[0] == pytest.approx(on_arrival)


@pytest.mark.parametrize("delay", [None, 30])
def test_class_scores_are_measured_on_the_rest(stream, delay):
    tuning = se.tune(stream, "knn", GRID, 600, delay=delay)
    options = {"delay": delay, "scores": True}
    result = se.evaluate(stream, {"tuned": tuning, "bayes": "naive_bayes"}, **options)
    plain = se.evaluate(stream, {"bayes": "naive_bayes"}, pretrain=600, **options)
    everything = se.evaluate(stream, {"bayes": "naive_bayes"}, **options)
    briers = [
        evaluation.scores().loc["bayes", "brier"] for evaluation in (result, plain, everything)
    ]
    assert briers[0] == briers[1] != briers[2]
    true = stream.y[600:]
    right = result.predictions.drop_duplicates("row")["bayes"] == [f"group{'AB'[y]}" for y in true]
    assert result.measures("accuracy")["accuracy"]["bayes"] == pytest.approx(right.mean())


def test_missing_labels_are_left_out_of_both_parts(stream):
    y = np.where(np.arange(2000) % 4, stream.y, -1)
    gaps = dataclasses.replace(stream, y=y)
    tuning = se.tune(gaps, "knn", GRID, 600)
    assert tuning.tuned.labels == 450
    result, compared = se.evaluate(gaps, tuning), se.compare(gaps, [tuning, "majority"])
    accuracy = result.measures("accuracy")["accuracy"].iloc[0]
    assert compared.mean(tuning.best.name)[0] == pytest.approx(accuracy)
    assert len(compared.over_time(*compared.learners).mean) == 1050


def test_numbers_are_chosen_by_the_smallest_error():
    planes = se.generate("planes", rows=1500)
    tuning = se.tune(planes, "fimt_dd", {"grace_period": [50, 100, 200]}, 0.4)
    table = tuning.table()
    assert table["mean_absolute_error"].idxmin() == int(np.flatnonzero(table["chosen"])[0])
    result = se.evaluate(planes, tuning)
    compared = se.compare(planes, [tuning, "target_mean"])
    error = result.measures("mean_absolute_error")["mean_absolute_error"]["target_mean"]
    assert compared.mean("target_mean")[0] == pytest.approx(error)
    assert len(result.table) == 900
    with pytest.raises(se.StreamevalError, match="predicts classes"):
        se.tune(planes, "hoeffding_tree", {"grace_period": [50, 100]})


def test_of_equally_good_settings_the_first_is_taken(stream):
    tuning = se.tune(stream, "hoeffding_tree", {"grace_period": [1500, 1700, 1900]}, 500)
    assert tuning.table()["accuracy"].nunique() == 1
    assert tuning.table()["chosen"].tolist() == [True, False, False]


def test_every_sort_of_learner_is_tuned():
    pytest.importorskip("sklearn")
    from sklearn.linear_model import SGDClassifier
    from sklearn.naive_bayes import GaussianNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    few = se.generate("markov", rows=600, priors=[0.6, 0.4], persistence=0.8, attributes=2)
    scaled = make_pipeline(StandardScaler(), GaussianNB())
    tree = se.augmented(se.learner("hoeffding_tree", grace_period=100))
    for learner, grid in [
        (KNN(), {"k": [1, 5]}),
        (MovingMajority, {"window": [5, 50]}),
        (tree, {"tie_threshold": [0.1, 0.2]}),
        (se.retrained(scaled, every=200), {"gaussiannb__var_smoothing": [1e-9, 1e-2]}),
        (f"retrained:{PATH}", {"max_depth": [1, 3], "window": [90, 300]}),
        (SGDClassifier(), {"alpha": [1e-4, 1e-2]}),
        ("helpers.foreign_models:Frequencies", {"smoothing": [0.1, 1.0]}),
    ]:
        tuning = se.tune(few, learner, grid)
        assert tuning.trials == np.prod([len(values) for values in grid.values()])
        result = se.evaluate(few, tuning)
        assert len(result.predictions) == 480
        name = tuning.best.name
        assert name in result.learners
        assert all(
            f"{key}={value}" in name for key, value in tuning.to_dict()["parameters"].items()
        )


def test_sentences_say_settings_parameters_and_instances(stream, tuning):
    parameters = tuning.tuned.parameters
    named = se.compare(stream, {"mine": tuning, "other": "majority"}).lines()
    assert named[0].startswith(f"mine (knn with {parameters}, the best of 6 settings")
    wrapped = se.augmented(tuning)
    (sentence, *_) = se.compare(stream, [wrapped, "majority"]).lines()
    assert sentence.startswith(f"{wrapped.name} (knn with {parameters}, the best of")
    assert "after 600 instances of training" in repr(se.evaluate(stream, tuning))


def test_parameters_of_a_retrained_model_stand_in_one_bracket(stream):
    pytest.importorskip("sklearn")
    tuning = se.tune(stream, f"retrained:{PATH}:300", {"max_depth": [1, 4]}, 600)
    text = " ".join(se.compare(stream, [tuning, "majority"]).lines())
    depth = tuning.to_dict()["parameters"]["max_depth"]
    assert text.startswith(
        f"retrained (DecisionTreeClassifier, every=300, max_depth={depth}, the best of 2 settings"
    )


def test_unsupported_uses_of_a_tuned_prefix_are_refused(stream, tuning):
    with pytest.raises(se.StreamevalError, match="protocol with one model, found cross"):
        se.evaluate(stream, tuning, "cross_validation:3")
    with pytest.raises(se.StreamevalError, match="found folds"):
        se.compare(stream, [tuning, "majority"], "cross_validation")
    with pytest.raises(se.StreamevalError, match="not tuned on stream 'sea'"):
        se.detect(stream, tuning, ["ddm"])
    with pytest.raises(se.StreamevalError, match="found bins"):
        se.compare(stream, [tuning, "majority"], delay=30, bins=3)
    with pytest.raises(se.StreamevalError, match=r"2,000.* no instance is left"):
        se.evaluate(stream, "knn", pretrain=2000)


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        ({"k": [3]}, "two settings or more"),
        ({}, "expected a mapping of parameters"),
        ({"k": 3}, "grid, k: expected a list of values"),
        ({"k": "35"}, "grid, k: expected a list of values"),
        ({"k": [3, 3]}, "each setting once"),
        ({"depth": [1, 2]}, "unknown parameter depth. KNN takes: k, window"),
        ({"k": [1, "many"]}, "k must be a whole number|expected a whole number"),
    ],
)
def test_wrong_grids_are_refused_before_a_run(stream, grid, message):
    with pytest.raises(se.StreamevalError, match=message):
        se.tune(stream, "knn", grid)


@pytest.mark.parametrize(
    ("prefix", "message"),
    [
        (99, f"at least {MIN_INSTANCES} instances to tune on"),
        (1901, f"{MIN_INSTANCES} to score after them"),
        (1.5, "a proportion between 0 and 1"),
        (0.0, "a proportion between 0 and 1"),
    ],
)
def test_wrong_prefixes_are_refused(stream, prefix, message):
    with pytest.raises(se.StreamevalError, match=message):
        se.tune(stream, "knn", GRID, prefix)


def test_a_prefix_that_can_choose_nothing_is_refused(stream):
    y = np.where(np.arange(2000) < 500, 0, stream.y)
    alone = dataclasses.replace(stream, y=y)
    with pytest.raises(se.StreamevalError, match=r"at least two classes.*groupA"):
        se.tune(alone, "knn", GRID, 400)
    with pytest.raises(se.StreamevalError, match="at least 100 labels that have arrived"):
        se.tune(stream, "knn", GRID, 400, delay=350)


def test_the_cost_of_many_settings_is_said_before(stream):
    grid = {"k": range(1, 8), "window": [50, 60, 70, 80, 90]}
    with pytest.warns(StreamWarning, match=r"knn: 35 settings .* 100 instances each, 1\.8 times"):
        se.tune(stream, "knn", grid, 100)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        se.tune(stream, "knn", GRID, 100)
