"""Regressors from Python."""

from __future__ import annotations

import numpy as np
import pytest

import streameval as se
from streameval.learners.regression.fimt_dd import FimtDD
from streameval.measures.regression import mean_absolute_error
from streameval.protocols.delayed import delayed


@pytest.fixture(scope="module")
def stream():
    return se.generate("planes", rows=600)


def test_measures_are_of_the_predictions(stream):
    tree = se.learner("fimt_dd", grace_period=50)
    result = se.evaluate_regressors(stream, {"tree": tree}, "delayed:5", seed=3)
    expected = FimtDD(grace_period=50).play(stream, delayed(600, 5), 3).value
    assert result.learners == ["tree", "target_mean"]
    assert result.predictions["tree"].tolist() == expected.tolist()
    assert result.predictions["true"].tolist() == stream.y.tolist()
    found = result.measures("mean_absolute_error").loc["tree", "mean_absolute_error"]
    assert found == float(mean_absolute_error(stream.y, expected))
    assert result.measures().columns.tolist() == [
        *("mean_absolute_error", "root_mean_squared_error", "r_squared")
    ]
    assert (result.costs["seconds"] >= 0).all()
    assert "tree, target_mean on 'planes', delayed-5, 600 predictions" in repr(result)
    assert "<table" in result._repr_html_()


def test_a_re_evaluation_predicts_an_instance_several_times(stream):
    time = np.arange(len(stream))
    late = se.Stream(stream.X, stream.y, stream.schema, "late", time=time, label_time=time + 30)
    result = se.evaluate_regressors(late, "target_mean", "reevaluation:10")
    assert result.learners == ["target_mean"]
    assert len(result.predictions) > 2 * len(stream)


def test_progress_reaches_the_end(stream, capsys):
    se.evaluate_regressors(stream, "amrules", progress=True)
    assert "1.20k" in capsys.readouterr().err  # two regressors


@pytest.mark.parametrize(
    ("learners", "protocol", "message"),
    [
        ("fimt", "prequential", "There is no learner 'fimt'.*Did you mean 'fimt_dd'"),
        ("knn", "prequential", r"Learner 'knn' is no regressor\. There are .*fimt_dd"),
        (se.augmented("naive_bayes"), "prequential", "found the classifier 'naive_bayes_augm"),
        (7, "prequential", "Expected the id of a regressor, such as 'fimt_dd', .* found 7"),
        ([], "prequential", "Expected one regressor or more, found none"),
        ({"target_mean": "amrules"}, "prequential", "a name of its own .*, found 'target_mean'"),
        ({"true": "amrules"}, "prequential", "No learner can be called true"),
        ("amrules", "cross_validation:3", "without folds, found 'cross_validation-3'"),
    ],
)
def test_what_cannot_be_run_is_an_error(stream, learners, protocol, message):
    with pytest.raises(se.StreamevalError, match=message):
        se.evaluate_regressors(stream, learners, protocol)


def test_wrong_names_and_streams_are_errors(stream):
    result = se.evaluate_regressors(stream, "amrules")
    with pytest.raises(se.StreamevalError, match="no measure 'r2' of predicted numbers"):
        result.measures("r2")
    with pytest.raises(se.StreamevalError, match="is a regressor, and the target 'class'"):
        se.evaluate_regressors(se.generate("sea", rows=9), "amrules")
    with pytest.raises(se.StreamevalError, match="is a regressor"):
        se.augmented("amrules")
    with pytest.raises(se.StreamevalError, match="is a regressor, which predicts numbers"):
        se.evaluate(stream, "amrules")
