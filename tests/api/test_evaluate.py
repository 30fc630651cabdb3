"""Evaluation of learners of all sorts, and its result."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
import river.linear_model
import river.preprocessing
import river.tree
import sklearn.linear_model
import sklearn.pipeline
import sklearn.preprocessing
from helpers.foreign_models import Last
from sklearn import metrics

import streameval as se
from streameval.base.settings import ROOT
from streameval.learners.registry import load_learners
from streameval.learners.trees.hoeffding_tree import HoeffdingTree
from streameval.measures.registry import MEASURES
from streameval.protocols.prequential import Delayed, delays_in_instances, typical_delay
from streameval.significance.stream_mean import stream_mean

STREAM = se.generate("markov", rows=600, priors=[0.6, 0.4], persistence=0.8, attributes=3)
PLANES = se.generate("planes", rows=600)
of_both = pytest.mark.parametrize("stream", [STREAM, PLANES], ids=["classes", "numbers"])


def learner_for(stream):
    return "naive_bayes" if stream is STREAM else "amrules"


@pytest.fixture(scope="module")
def result():
    return se.evaluate(STREAM, ["naive_bayes", Last, se.augmented("naive_bayes")])


def test_the_numbers_are_those_of_moa(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    # Source: MOA as packed in CapyMOA 0.15.1, over the whole of elecNormNew.arff.
    correct = {"no_change": 38665, "naive_bayes": 33242, "hoeffding_tree": 35885}
    accuracies = se.evaluate(se.load("elec2"), list(correct)).measures("accuracy")["accuracy"]
    assert {name: round(accuracies[name] * 45312) for name in correct} == correct


def test_the_wrappers_are_those_of_the_registry():
    stream = se.load("markov_ozone")
    ours = [se.augmented("naive_bayes"), se.corrected("naive_bayes")]
    names = ["naive_bayes_augmented", "naive_bayes_corrected"]
    assert se.evaluate(stream, ours).learners[:2] == names
    ours, theirs = (se.evaluate(stream, each).predictions for each in (ours, names))
    pd.testing.assert_frame_equal(ours, theirs)


def test_the_smoothing_weight_is_that_of_the_stream():
    rows = load_learners(ROOT / "config" / "learners.yaml")
    recipe = se.corrected(se.learner("naive_bayes"))
    for smoothing in (0.001, 0.0001):
        assert recipe.make(smoothing) == rows["naive_bayes_corrected"].make(smoothing)
        nested = se.augmented("naive_bayes_corrected").make(smoothing)
        assert nested.learner == rows["naive_bayes_corrected"].make(smoothing)
    assert se.corrected("naive_bayes", smoothing=0.5).make(0.1).smoothing == 0.5


def test_all_forms_of_learners_are_accepted_and_objects_left_alone():
    scaler, model = sklearn.preprocessing.StandardScaler(), sklearn.linear_model.Perceptron()
    river_scaler = river.preprocessing.StandardScaler()
    learners = {
        "naive_bayes": "naive_bayes",
        "helpers.foreign_models:Last": "helpers.foreign_models:Last",
        "hoeffding_tree(grace_period=100)": se.learner("hoeffding_tree", grace_period=100),
        "hoeffding_tree(grace_period=100) 2": HoeffdingTree(grace_period=100),
        "hoeffding_tree": HoeffdingTree,
        "Perceptron": sklearn.linear_model.Perceptron,
        "Perceptron 2": sklearn.linear_model.Perceptron(),
        "StandardScaler | Perceptron": sklearn.pipeline.make_pipeline(scaler, model),
        "HoeffdingTreeClassifier": river.tree.HoeffdingTreeClassifier,
        "HoeffdingTreeClassifier 2": river.tree.HoeffdingTreeClassifier(),
        "StandardScaler | LogisticRegression": river_scaler
        | river.linear_model.LogisticRegression(),
        "Last": Last,
        "Last 2": Last(),
        "Last_augmented(lags=2)": se.augmented(Last, lags=2),
    }
    before, stream = pickle.dumps(learners), STREAM.first(150)
    result, again = (se.evaluate(stream, [*learners.values()]) for _ in range(2))
    assert result.learners == [*learners, "no_change", "majority"]
    assert pickle.dumps(learners) == before
    predictions = result.predictions
    pd.testing.assert_frame_equal(again.predictions, predictions)
    for name in ("hoeffding_tree(grace_period=100)", "Perceptron", "Last"):
        assert predictions[name].equals(predictions[f"{name} 2"])


def test_one_learner_or_a_mapping(result):
    assert se.evaluate(STREAM, "naive_bayes").learners == ["naive_bayes", "no_change", "majority"]
    named = se.evaluate(STREAM, {"mine": Last, "majority": "majority"})
    assert named.learners == ["mine", "majority", "no_change"]
    assert named.predictions["mine"].equals(result.predictions["Last"])


@pytest.mark.parametrize(
    ("stream", "learners", "said"),
    [
        (STREAM, [], "learner.* found none"),
        (STREAM, "naive_bays", "no learner 'naive_bays'.*'naive_bayes'"),
        (STREAM, 5, "learner, found 5 of type int"),
        (STREAM, {"no_change": "naive_bayes"}, "found 'no_change', the name of a baseline"),
        (STREAM, {"row": "naive_bayes"}, "called row"),
        (STREAM, "nowhere:Mine", "cannot import 'nowhere:Mine'"),
        (STREAM, sklearn.linear_model.LogisticRegression(), "cannot learn from a stream"),
        (STREAM, "amrules", r"'amrules' predicts numbers, .*nominal: .*numeric_target"),
        (PLANES, {"target_mean": "amrules"}, "a different name .*, found 'target_mean'"),
        (PLANES, "knn", r"Learner 'knn' predicts classes, .*numeric: .*fimt_dd"),
        (PLANES, se.augmented("naive_bayes"), "'naive_bayes_augmented' predicts classes, "),
    ],
)
def test_unsuitable_learners_are_refused(stream, learners, said):
    with pytest.raises(se.StreamevalError, match=said) as error:
        se.evaluate(stream, learners)
    assert len(str(error.value)) < 2000


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: se.learner("hoeffding_tree", grace=1), "unknown parameter grace"),
        (lambda: se.augmented("amrules"), "found the regressor 'amrules'"),
        (lambda: se.evaluate(PLANES, "amrules").measures("r2"), "no measure 'r2'"),
        (lambda: se.evaluate("elec2", "naive_bayes"), "Expected a stream, found str 'elec2'"),
        (lambda: se.evaluate(STREAM, "naive_bayes").plot([]), "measures: expected one or more"),
        (
            lambda: se.evaluate(STREAM, "knn").curve("kappa", 0),
            "window: expected a whole number",
        ),
        (
            lambda: se.evaluate(STREAM, "knn").curve("kappa", points=True),
            "points: expected a whole",
        ),
        (lambda: se.evaluate(STREAM, "knn").curve("kappa", learners=["L"]), "no learner 'L'"),
    ],
)
def test_mistakes_are_said_at_once(call, said):
    with pytest.raises(se.StreamevalError, match=said):
        call()


def test_protocols_are_texts_mappings_or_objects():
    late = se.evaluate(STREAM, Last, protocol="delayed:48")
    assert late.protocol == "delayed:48"
    for protocol in ({"name": "delayed", "delay": 48}, Delayed(48)):
        again = se.evaluate(STREAM, Last, protocol)
        pd.testing.assert_frame_equal(again.predictions, late.predictions)
    assert late.measures().loc["no_change", "kappa_temporal"] == 0
    folds = se.evaluate(
        STREAM, "naive_bayes", {"name": "cross_validation", "folds": 3, "tested": "all"}
    )
    assert list(folds.predictions.columns[:3]) == ["row", "fold", "true"]
    unscored = 3 * len(STREAM) - len(folds.predictions)
    assert unscored == folds.before_first_label < 10
    for draw in (lambda: folds.curve("accuracy"), lambda: folds.differences()):
        with pytest.raises(se.StreamevalError, match="several folds"):
            draw()


def test_predictions_have_the_names_of_the_classes(result):
    predictions = result.predictions
    assert list(predictions.columns) == ["row", "true", *result.learners]
    assert predictions["row"].tolist() == list(range(600))
    true = np.array(STREAM.schema.classes)[STREAM.y].tolist()
    assert predictions["true"].tolist() == true
    assert predictions["Last"].isna().tolist() == [True] + [False] * 599
    assert predictions["Last"].tolist()[1:] == true[:-1]
    assert predictions.loc[1, "no_change"] == true[0]


def test_measures_are_a_table(result):
    table = result.measures()
    assert list(table.index) == result.learners
    assert list(table.columns) == list(MEASURES)
    assert list(result.measures("mcc", "macro_f1").columns) == ["mcc", "macro_f1"]
    assert table.loc["no_change", "kappa_temporal"] == table.loc["majority", "kappa_m"] == 0
    assert (result.reasons() == "").all(axis=None)
    for base, differences in (
        ("majority", result.differences("majority")),
        ("no_change", result.differences()),
    ):
        assert list(differences.index) == [name for name in result.learners if name != base]
    with pytest.raises(se.StreamevalError, match=r"'kapa'.*kappa_temporal.*kappa"):
        result.measures("kapa")
    assert list(result.costs.columns) == ["instances", "seconds", "model_bytes"]
    assert (result.costs["instances"] == 600).all()
    assert (result.costs[["seconds", "model_bytes"]] > 0).all(axis=None)


def test_undefined_measures_have_reasons():
    with pytest.warns(se.StreamWarning):
        stream = se.from_arrays([[1.0], [2.0]], ["u", "u"])
    evaluation = se.evaluate(stream, "majority")
    undefined = evaluation.measures().isna()
    assert undefined.loc["majority", "kappa"]
    pd.testing.assert_frame_equal(undefined, evaluation.reasons() != "")


@of_both
def test_curves_are_measures_of_windows(stream):
    result = se.evaluate(stream, learner_for(stream))
    # The first target comes before any prediction of it; of classes the first row is scored.
    begins = 300 if stream is STREAM else 299
    part = result.predictions.iloc[begins : begins + 100]
    true, predicted = part["true"], part[learner_for(stream)]
    if stream is STREAM:
        before = result.predictions["true"].iloc[299:399].to_numpy()
        right, same = (predicted == true).mean(), (before == true.to_numpy()).mean()
        expected = {"accuracy": right, "kappa_temporal": (right - same) / (1 - same)}
    else:
        errors = [
            metrics.mean_absolute_error(true, values) for values in (predicted, stream.y[299:399])
        ]
        expected = {
            "mean_absolute_error": errors[0],
            "r_squared": metrics.r2_score(true, predicted),
            "skill_over_previous_target": 1 - errors[0] / errors[1],
        }
    ends = [100, 200, 300] if stream is STREAM else [101, 201, 301]
    for name, value in expected.items():
        curve = result.curve(name, window=100, points=6)
        assert curve.index.tolist() == [*ends, 400, 500, 600]
        assert curve.columns.tolist() == result.learners
        assert curve.loc[400, result.learners[0]] == pytest.approx(value)


def test_delayed_labels_are_taken_for_known_only_where_that_is_asked_for():
    stream = se.load("led_delayed").take(slice(0, 2000))
    wait = typical_delay(stream)
    early = np.count_nonzero(delays_in_instances(stream) > wait - 9)
    for protocol in ("prequential", "cross_validation:3", "delayed:0"):
        with pytest.raises(se.StreamevalError, match=rf"delayed:{wait}.*--ignore-label-times"):
            se.evaluate(stream, "majority", protocol)
    with pytest.warns(se.StreamWarning, match=rf"uses {early:,} labels .* before they"):
        se.evaluate(stream, "majority", f"delayed:{wait - 9}")
    at_once = se.evaluate(stream, "majority", ignore_label_times=True)
    assert (at_once.protocol, at_once.delays) == ("prequential", None)
    with pytest.raises(se.StreamevalError, match="Expected either ignore_label_times"):
        se.evaluate(stream, "majority", "reevaluation", ignore_label_times=True)
    with pytest.raises(se.StreamevalError, match="Expected times of labels"):
        se.evaluate(STREAM, "majority", ignore_label_times=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error", se.StreamWarning)
        se.evaluate(stream, "majority", protocol=f"delayed:{wait}")
        se.evaluate(stream, "majority")


def test_a_bar_is_shown_where_it_is_asked_for_and_reaches_the_end(capsys):
    se.evaluate(STREAM, "naive_bayes")
    assert capsys.readouterr().err == ""
    se.evaluate(STREAM, "naive_bayes", progress=True)
    assert "1.80k" in capsys.readouterr().err  # a learner and two baselines


#: What bins call the measures of a protocol, where they are called otherwise.
IN_BINS = {"kappa_temporal": "kappa_temporal_delayed", "kappa_m": "kappa_m_delayed"}


@of_both
@pytest.mark.parametrize(("delay", "first"), [(40, 41), (0, None)])
def test_bins_begin_with_the_delay_and_end_without_it(stream, delay, first):
    learners = [learner_for(stream), "majority" if stream is STREAM else "fimt_dd"]
    result = se.evaluate(stream, learners, delay=delay, every=7)
    bins = result.bins(3)
    by_bin = bins.set_index(["learner", "bin"])
    assert bins["learner"].unique().tolist() == result.learners
    assert bins["bin"].tolist() == [*range(5)] * len(result.learners)
    assert (bins["predictions"] == 600 - (first or stream is PLANES)).all()
    for b, protocol, pretrain in ((0, f"delayed:{delay}", None), (4, "prequential", first)):
        other = se.evaluate(stream, learners, protocol, pretrain=pretrain)
        for name in other.learners:
            row, measures = by_bin.loc[(name, b)], other.measures().loc[name].rename(IN_BINS)
            names = [*{*measures.index} & {*by_bin.columns}]
            assert len(names) > 3
            assert row[names].tolist() == pytest.approx(measures[names].tolist(), abs=1e-12)
            true, predicted = other.predictions["true"], other.predictions[name]
            values = predicted == true if stream is STREAM else abs(predicted - true).dropna()
            ends = stream_mean(values.astype(float))[1:3]
            assert tuple(by_bin.loc[(name, b), ["low", "high"]]) == pytest.approx(ends, nan_ok=True)
    few = result.bins(3, "published", [learners[1]])
    assert few["learner"].tolist() == [learners[1]] * 5


def test_a_result_is_shown_with_its_measures(result):
    first, heads, *rows = repr(result).splitlines()
    for fact in (", ".join(result.learners), "'markov'", "prequential", "600 predictions"):
        assert fact in first
    assert heads.split() == ["accuracy", "kappa", "kappa_temporal", "kappa_m", "kappa_combined"]
    assert len(rows) == 1 + len(result.learners)
    first, heads, *rows = repr(se.evaluate(STREAM, "majority", delay=50, every=5)).splitlines()
    assert "reevaluation:5" in first
    assert heads.split() == ["accuracy", "in", "bin", *map(str, range(10))]
    assert len(rows) == 3


def test_bins_need_delayed_labels(result):
    with pytest.raises(se.StreamevalError, match=r"Bins: .* found prequential\. .*delay=N"):
        result.bins()
    late = se.evaluate(STREAM, "majority", "reevaluation:50", delay=20)
    assert late.delays["every"] == 50
    for call, message in (
        (lambda: late.bins(rule="mine"), "published or paper|published, paper"),
        (lambda: late.bins(learners=["majorty"]), "Did you mean 'majority'"),
        (lambda: late.plot_bins("mcc"), "no measure of bins 'mcc'"),
    ):
        with pytest.raises(se.StreamevalError, match=message):
            call()


def test_a_frame_has_the_times_of_its_labels():
    frame = pd.DataFrame(
        {
            "sold": pd.date_range("2024-01-01", periods=200, freq="min"),
            "x": np.arange(200) % 7,
            "y": np.where((np.arange(200) % 7 > 3) ^ (np.arange(200) % 11 == 0), "a", "b"),
        }
    )
    frame["paid"] = frame["sold"] + pd.Timedelta("30min")
    stream = se.from_pandas(frame, "y", time="sold", label_time="paid")
    evaluation = se.evaluate(stream, "naive_bayes", "reevaluation:10")
    expected = se.evaluate(se.from_pandas(frame[["x", "y"]], "y"), "naive_bayes", delay=30)
    pd.testing.assert_frame_equal(evaluation.bins(6), expected.bins(6))
    with pytest.raises(se.StreamevalError, match=r"delay .*label times.* both"):
        se.evaluate(stream, "naive_bayes", delay=30)
    first = se.evaluate(stream, "naive_bayes", label_first=True).bins(6)
    expected = se.evaluate(se.from_pandas(frame[["x", "y"]], "y"), "naive_bayes", delay=29)
    measures = ["learner", "bin", "accuracy"]
    ends = first["bin"].isin([0, 7])
    assert first[ends][measures].equals(expected.bins(6)[ends][measures])
