"""Evaluation of learners of all sorts, and its result."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import warnings
from dataclasses import replace

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
from streameval import cli
from streameval.base.settings import ROOT
from streameval.learners.registry import load_learners
from streameval.learners.trees.hoeffding_tree import HoeffdingTree
from streameval.measures.registry import MEASURES
from streameval.protocols.prequential import Delayed, delays_in_instances, typical_delay
from streameval.significance.series import error_runs
from streameval.significance.stream_mean import Sample, stream_mean

STREAM = se.generate("markov", rows=600, priors=[0.6, 0.4], persistence=0.8, attributes=3)
PLANES = se.generate("planes", rows=600)
of_both = pytest.mark.parametrize("stream", [STREAM, PLANES], ids=["classes", "numbers"])


def learner_for(stream):
    return "naive_bayes" if stream is STREAM else "amrules"


def late(stream, delay):
    """A stream whose labels arrive so many instances later."""
    time = np.arange(len(stream))
    return replace(stream, name="late", time=time, label_time=time + delay)


@pytest.fixture(scope="module")
def result():
    return se.evaluate(STREAM, ["naive_bayes", Last, se.augmented("naive_bayes")])


def test_the_numbers_are_those_of_moa_and_of_the_command(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    stream = se.load("elec2")
    # Source: MOA as packed in CapyMOA 0.15.1, over the whole of elecNormNew.arff.
    correct = {"no_change": 38665, "naive_bayes": 33242, "hoeffding_tree": 35885}
    result = se.evaluate(stream, list(correct))
    measures = result.measures()
    for name, number in correct.items():
        assert round(measures.loc[name, "accuracy"] * 45312) == number
        cli.main(["evaluate", "elec2", "--learner", name, "--json"])
        said = json.loads(capsys.readouterr().out)["learners"][name]
        for measure in ("accuracy", "kappa", "kappa_temporal", "kappa_m", "kappa_combined"):
            assert said[measure] == measures.loc[name, measure]


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


def test_models_of_others_are_left_alone():
    scaler, model = sklearn.preprocessing.StandardScaler(), sklearn.linear_model.Perceptron()
    objects = [
        river.preprocessing.StandardScaler() | river.linear_model.LogisticRegression(),
        river.tree.HoeffdingTreeClassifier(),
        sklearn.pipeline.make_pipeline(scaler, model),
        sklearn.linear_model.Perceptron(),
        Last(),
    ]
    before = [pickle.dumps(each) for each in objects]
    first, second = (se.evaluate(STREAM, objects) for _ in range(2))
    assert [pickle.dumps(each) for each in objects] == before
    pd.testing.assert_frame_equal(first.predictions, second.predictions)
    assert first.learners == [
        "StandardScaler | LogisticRegression",
        "HoeffdingTreeClassifier",
        "StandardScaler | Perceptron",
        "Perceptron",
        "Last",
        "no_change",
        "majority",
    ]


def test_all_forms_of_learners_are_accepted():
    learners = [
        "naive_bayes",
        "helpers.foreign_models:Last",
        se.learner("hoeffding_tree", grace_period=100),
        HoeffdingTree(grace_period=100),
        HoeffdingTree,
        sklearn.linear_model.Perceptron,
        river.tree.HoeffdingTreeClassifier,
        Last,
        Last(),
        se.augmented(Last, lags=2),
    ]
    result = se.evaluate(STREAM, learners)
    assert result.learners == [
        "naive_bayes",
        "helpers.foreign_models:Last",
        "hoeffding_tree(grace_period=100)",
        "hoeffding_tree(grace_period=100) 2",
        "hoeffding_tree",
        "Perceptron",
        "HoeffdingTreeClassifier",
        "Last",
        "Last 2",
        "Last_augmented(lags=2)",
        "no_change",
        "majority",
    ]
    predictions = result.predictions
    assert predictions["hoeffding_tree(grace_period=100)"].equals(
        predictions["hoeffding_tree(grace_period=100) 2"]
    )
    assert predictions["Last"].equals(predictions["Last 2"])


def test_one_learner_or_a_mapping(result):
    assert se.evaluate(STREAM, "naive_bayes").learners == ["naive_bayes", "no_change", "majority"]
    named = se.evaluate(STREAM, {"mine": Last, "bayes": "naive_bayes", "majority": "majority"})
    assert named.learners == ["mine", "bayes", "majority", "no_change"]
    assert named.predictions["mine"].equals(result.predictions["Last"])
    asked = se.evaluate(STREAM, ["majority", "no_change", "naive_bayes"])
    assert asked.learners == ["majority", "no_change", "naive_bayes"]


def test_the_same_regressor_twice_has_two_names():
    result = se.evaluate(PLANES, ["target_mean", "target_mean"])
    assert result.learners == ["target_mean", "target_mean 2", "previous_target"]
    assert result.measures().loc["target_mean"].equals(result.measures().loc["target_mean 2"])


@pytest.mark.parametrize(
    ("stream", "learners", "said"),
    [
        (STREAM, [], "learner.* found none"),
        (STREAM, "naive_bays", "no learner 'naive_bays'.*'naive_bayes'"),
        (STREAM, 5, "learner, found 5 of type int"),
        (STREAM, [None], "Expected a learner, found None"),
        (STREAM, {"no_change": "naive_bayes"}, "found 'no_change', the name of a baseline"),
        (STREAM, {"row": "naive_bayes"}, "called row"),
        (STREAM, "nowhere:Mine", "cannot import 'nowhere:Mine'"),
        (STREAM, sklearn.linear_model.LogisticRegression(), "cannot learn from a stream"),
        (STREAM, river.linear_model.LinearRegression(), "expected a classifier"),
        (STREAM, "amrules", r"'amrules' predicts numbers, .*nominal: .*numeric_target"),
        (PLANES, [], "learner.* found none"),
        (PLANES, "fimt", "learner 'fimt'.*'fimt_dd'"),
        (PLANES, 7, "learner, found 7 of type int"),
        (PLANES, {"target_mean": "amrules"}, "a different name .*, found 'target_mean'"),
        (PLANES, {"true": "amrules"}, "called true"),
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
        (lambda: se.augmented("naive_bayes", lags=0), r"lags: .* found 0"),
        (lambda: se.augmented("naive_bayes", lags=1.5), r"lags: .* found 1\.5"),
        (lambda: se.augmented("amrules"), "found the regressor 'amrules'"),
        (lambda: se.evaluate(PLANES, "amrules").measures("r2"), "no measure 'r2'"),
        (lambda: se.evaluate(PLANES, "amrules").curve("accuracy"), "no measure 'accuracy'"),
        (
            lambda: se.evaluate(PLANES, "amrules", delay=9).plot_bins("accuracy"),
            r"measure .*'accuracy'",
        ),
        (
            lambda: se.corrected("naive_bayes", smoothing=7),
            "at smoothing: expected a number above 0 and below 1",
        ),
        (lambda: se.evaluate("elec2", "naive_bayes"), "Expected a stream, found str 'elec2'"),
        (lambda: se.evaluate(STREAM, "naive_bayes", "delaid:4"), "There is no protocol 'delaid'"),
        (lambda: se.evaluate(STREAM, "naive_bayes", seed=0.5), "seed: expected a whole number"),
    ],
)
def test_mistakes_are_said_at_once(call, said):
    with pytest.raises(se.StreamevalError, match=said):
        call()


def test_protocols_are_texts_mappings_or_objects(result):
    late = se.evaluate(STREAM, Last, protocol="delayed:48")
    assert late.protocol == "delayed:48"
    for protocol in ({"name": "delayed", "delay": 48}, Delayed(48)):
        again = se.evaluate(STREAM, Last, protocol)
        pd.testing.assert_frame_equal(again.predictions, late.predictions)
    assert late.measures().loc["no_change", "kappa_temporal"] == 0
    labels = result.predictions["Last"].iloc[1:].to_numpy()
    np.testing.assert_array_equal(labels, result.predictions["true"].iloc[:-1].to_numpy())
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
    names = np.array(STREAM.schema.classes)
    np.testing.assert_array_equal(predictions["true"].to_numpy(), names[STREAM.y])
    assert predictions["Last"].isna().tolist() == [True] + [False] * 599
    assert predictions.loc[1, "no_change"] == predictions.loc[0, "true"]


def test_measures_are_a_table(result):
    table = result.measures()
    assert (
        list(table.index)
        == result.learners
        == ["naive_bayes", "Last", "naive_bayes_augmented", "no_change", "majority"]
    )
    assert list(table.columns) == list(MEASURES)
    assert list(result.measures("mcc", "macro_f1").columns) == ["mcc", "macro_f1"]
    assert table.loc["no_change", "kappa_temporal"] == 0
    assert table.loc["majority", "kappa_m"] == 0
    assert (result.reasons() == "").all(axis=None)
    with pytest.raises(se.StreamevalError, match=r"'kapa'.*kappa_temporal.*kappa"):
        result.measures("kapa")


def test_undefined_measures_have_reasons():
    with pytest.warns(se.StreamWarning):
        stream = se.from_arrays([[1.0], [2.0]], ["u", "u"])
    evaluation = se.evaluate(stream, "majority")
    undefined = evaluation.measures().isna()
    assert undefined.loc["majority", "kappa"]
    pd.testing.assert_frame_equal(undefined, evaluation.reasons() != "")
    assert "undefined" in evaluation._repr_html_()


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
        error = metrics.mean_absolute_error(true, predicted)
        expected = {
            "mean_absolute_error": error,
            "r_squared": metrics.r2_score(true, predicted),
            "skill_over_previous_target": 1
            - error / metrics.mean_absolute_error(true, stream.y[299:399]),
        }
    for name, value in expected.items():
        curve = result.curve(name, window=100, points=6)
        ends = [100, 200, 300] if stream is STREAM else [101, 201, 301]
        assert curve.index.tolist() == [*ends, 400, 500, 600]
        assert curve.columns.tolist() == result.learners
        assert curve.loc[400, result.learners[0]] == pytest.approx(value)
    assert len(result.plot(window=100)) == 2


def test_curves_are_of_learners_that_are_there(result):
    for options, said in (
        ({"window": 0}, "window: expected a whole number above 0"),
        ({"points": True}, "points: expected a whole number"),
        ({"learners": ["L"]}, "no learner 'L'"),
    ):
        with pytest.raises(se.StreamevalError, match=said):
            result.curve("accuracy", **options)
    with pytest.raises(se.StreamevalError, match="no measure 'x'"):
        result.curve("x")


def test_differences_have_intervals(result):
    differences = result.differences("majority")
    assert list(differences.index) == [name for name in result.learners if name != "majority"]
    hits = result.predictions
    right = {n: (hits[n] == hits["true"]).to_numpy(float) for n in ("Last", "majority")}
    errors = error_runs(right["Last"], right["majority"])
    expected = stream_mean(Sample(right["Last"] - right["majority"], run_lengths=errors))
    assert tuple(differences.loc["Last", ["difference", "low", "high"]]) == expected[:3]
    assert list(result.differences().index) == [n for n in result.learners if n != "no_change"]


def test_costs_are_known_or_missing(result):
    assert list(result.costs.columns) == ["instances", "seconds", "model_bytes"]
    assert (result.costs["instances"] == 600).all()
    assert (result.costs[["seconds", "model_bytes"]] > 0).all(axis=None)


def test_a_result_is_shown_with_its_measures(result):
    first, *table = repr(result).splitlines()
    for fact in (", ".join(result.learners), "'markov'", "prequential", "600 predictions"):
        assert fact in first
    assert table[0].split() == ["accuracy", "kappa", "kappa_temporal", "kappa_m", "kappa_combined"]
    assert len(table) == 7
    assert "Result on &#x27;markov&#x27;, prequential, 600 predictions" in result._repr_html_()


@of_both
def test_delays_of_a_stream_are_ignored_only_where_that_is_asked_for(stream):
    with pytest.raises(se.StreamevalError, match="--ignore-label-times"):
        se.evaluate(late(stream, 30), learner_for(stream), "prequential")
    evaluation = se.evaluate(late(stream, 30), learner_for(stream), ignore_label_times=True)
    assert (evaluation.protocol, evaluation.delays) == ("prequential", None)
    assert se.evaluate(late(stream, 30), learner_for(stream)).delays is not None


@of_both
@pytest.mark.parametrize("is_timed", [False, True])
def test_a_re_evaluation_predicts_an_instance_several_times(stream, is_timed):
    arguments = (late(stream, 30), "reevaluation:5") if is_timed else (stream,)
    options = {} if is_timed else {"delay": 30, "every": 5}
    result = se.evaluate(arguments[0], learner_for(stream), *arguments[1:], **options)
    assert result.protocol == "reevaluation:5"
    assert len(result.predictions) > 2 * len(stream)
    assert result.delays == {
        "every": 5,
        "labels": 600,
        "pending": 0,
        "delay": 30,
        "before_first_label": 31,
    }


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
    assert at_once.protocol == "prequential"
    with pytest.raises(se.StreamevalError, match="Expected either ignore_label_times"):
        se.evaluate(stream, "majority", "reevaluation", ignore_label_times=True)
    with pytest.raises(se.StreamevalError, match="Expected times of labels"):
        se.evaluate(STREAM, "majority", ignore_label_times=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error", se.StreamWarning)
        se.evaluate(stream, "majority", protocol=f"delayed:{wait}")
        se.evaluate(stream, "majority")


@of_both
def test_a_bar_is_shown_where_it_is_asked_for_and_reaches_the_end(capsys, stream):
    se.evaluate(stream, learner_for(stream))
    assert capsys.readouterr().err == ""
    se.evaluate(stream, learner_for(stream), progress=True)
    said = capsys.readouterr().err
    assert "instances" in said
    assert "1.80k" in said  # a learner and two baselines


def test_a_plot_is_a_figure_that_a_notebook_shows(result, tmp_path):
    axes = result.plot(["accuracy", "mcc"], window=100, learners=["Last", "majority"])
    assert axes.figure.axes == [*axes]
    assert len(axes) == 2
    assert axes._repr_png_().startswith(b"\x89PNG")
    axes.figure.savefig(tmp_path / "a.svg")
    assert "Last" in (tmp_path / "a.svg").read_text() or (tmp_path / "a.svg").stat().st_size > 1000
    (single,) = result.plot("kappa").figure.axes
    assert single._repr_png_().startswith(b"\x89PNG")
    with pytest.raises(se.StreamevalError, match="measures: expected one or more"):
        result.plot([])


def test_a_plot_without_the_extra_says_what_to_install():
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "import streameval as se\n"
        "r = se.evaluate(se.generate('sea', rows=100), 'majority')\n"
        "try: r.plot()\n"
        "except se.StreamevalError as e: print(e)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert 'pip install "streameval[pipeline]"' in done.stdout


#: What bins call the measures of a protocol, by task.
IN_BINS = {
    **{name: name for name in ("mean_absolute_error", "root_mean_squared_error", "r_squared")},
    **{name: name for name in ("skill_over_previous_target", "skill_over_target_mean")},
    "accuracy": "accuracy",
    "kappa": "kappa",
    "kappa_temporal": "kappa_temporal_delayed",
    "kappa_m": "kappa_m_delayed",
}


def check_same(row, measures):
    """Compare a bin of a learner with its measures over all predictions of a protocol."""
    of = [name for name in IN_BINS if name in measures]
    assert len(of) > 3
    assert [row[IN_BINS[name]] for name in of] == pytest.approx([*measures[of]], abs=1e-12)
    assert row.get("accuracy") == measures.get("accuracy")


@of_both
def test_bins_begin_with_the_delay_and_end_without_it(stream):
    learners = [learner_for(stream), "majority" if stream is STREAM else "fimt_dd"]
    result = se.evaluate(stream, learners, delay=40, every=7)
    bins = result.bins(3)
    by_bin = bins.set_index(["learner", "bin"])
    assert bins["learner"].unique().tolist() == result.learners
    assert bins["bin"].tolist() == [*range(5)] * len(result.learners)
    assert (bins["predictions"] == 559).all()
    for b, protocol, first in ((0, "delayed:40", None), (4, "prequential", 41)):
        other = se.evaluate(stream, learners, protocol, pretrain=first)
        for name in other.learners:
            check_same(by_bin.loc[(name, b)], other.measures().loc[name])
            true, predicted = other.predictions["true"], other.predictions[name]
            values = predicted == true if stream is STREAM else abs(predicted - true).dropna()
            ends = stream_mean(values.astype(float))[1:3]
            assert tuple(by_bin.loc[(name, b), ["low", "high"]]) == pytest.approx(ends, nan_ok=True)
    few = result.bins(3, "published", [learners[1]])
    assert few["learner"].tolist() == [learners[1]] * 5
    if stream is STREAM:
        assert (by_bin.loc["no_change", "kappa_temporal_delayed"] == 0).all()


@of_both
def test_without_a_delay_predictions_are_prequential_in_all_bins(stream):
    result = se.evaluate(stream, learner_for(stream), delay=0)
    plain = se.evaluate(stream, learner_for(stream)).measures()
    for name, rows in result.bins(3).groupby("learner"):
        assert len(rows) == 5
        for _, row in rows.iterrows():
            check_same(row, plain.loc[name])
            assert row[result.task.measure] == plain.loc[name, result.task.measure]


@of_both
def test_a_result_in_bins_is_shown_and_drawn(stream):
    result = se.evaluate(stream, learner_for(stream), delay=50, every=5)
    measures, labels = ["accuracy", "kappa_m_delayed"], ["Accuracy", "same delay"]
    if stream is PLANES:
        measures = ["mean_absolute_error", "r_squared"]
        labels = ["Mean absolute error MAE\nin units of y", "Coefficient of determination R²"]
    printed = repr(result).splitlines()
    assert "reevaluation:5" in printed[0]
    in_words = measures[0].replace("_", " ").split()
    assert printed[1].split() == [*in_words, "in", "bin", *map(str, range(10))]
    assert len(printed) == 3 + len(result.learners)
    assert "<table" in result._repr_html_()
    all_axes = result.plot_bins(measures, bins=4)
    assert len(all_axes) == 2
    assert len(all_axes.figure.axes) == (3 if stream is STREAM else 6)
    for axes, label in zip(all_axes, labels, strict=True):
        assert label in axes.get_ylabel()
    assert all_axes._repr_png_().startswith(b"\x89PNG")


def test_bins_need_delayed_labels(result):
    for undelayed in (result, se.evaluate(PLANES, "amrules")):
        assert undelayed.delays is None
        with pytest.raises(se.StreamevalError, match=r"Bins: .* found prequential\. .*delay=N"):
            undelayed.bins()
    late = se.evaluate(STREAM, "majority", "reevaluation:50", delay=20)
    assert late.delays["every"] == 50
    for wrong, message in (
        ({"bins": -1}, "bins: expected"),
        ({"rule": "mine"}, "published or paper|published, paper"),
        ({"learners": ["majorty"]}, "Did you mean 'majority'"),
    ):
        with pytest.raises(se.StreamevalError, match=message):
            late.bins(**wrong)
    with pytest.raises(se.StreamevalError, match="no measure of bins 'mcc'"):
        late.plot_bins("mcc")


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
    evaluation = se.evaluate(stream, "naive_bayes")
    expected = se.evaluate(se.from_pandas(frame[["x", "y"]], "y"), "naive_bayes", delay=30)
    pd.testing.assert_frame_equal(evaluation.bins(6), expected.bins(6))
    with pytest.raises(se.StreamevalError, match=r"delay .*label times.* both"):
        se.evaluate(stream, "naive_bayes", delay=30)
    first = se.evaluate(stream, "naive_bayes", label_first=True).bins(6)
    expected = se.evaluate(se.from_pandas(frame[["x", "y"]], "y"), "naive_bayes", delay=29)
    measures = ["learner", "bin", "accuracy"]
    ends = first["bin"].isin([0, 7])
    assert first[ends][measures].equals(expected.bins(6)[ends][measures])
