"""The studies of temporal dependence: estimators, lags, false alarms."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.accuracies import accuracy, values
from helpers.study_inputs import stream_input_of

from streameval.evaluation.measurements import overall_measures
from streameval.evaluation.run import run_learners
from streameval.items.dependence import STREAM_ORDERS, Lags, false_alarms, lags
from streameval.items.performance.estimates import estimate_measures
from streameval.learners.baselines import Majority, NoChange
from streameval.learners.bayes.ddm import DDMRandom
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.wrappers.temporal_correction import TemporalCorrection
from streameval.learners.wrappers.temporally_augmented import TemporallyAugmented
from streameval.measures.fading import smoothed_kappas
from streameval.protocols.prequential import prequential
from streameval.streams.generators.markov import Markov
from streameval.streams.variants import shuffled

N = 1_500
MEASURES = ["accuracy", "kappa", "kappa_temporal", "kappa_combined", "kappa_z"]


@pytest.fixture(scope="module")
def stream():
    return Markov(priors=[0.6, 0.4], persistence=0.85, attributes=3, seed=5, separation=1.0).stream(
        N
    )


@pytest.fixture(scope="module")
def predictions(stream):
    learners = {"no_change": NoChange(), "majority": Majority(), "naive_bayes": NaiveBayes()}
    return run_learners(stream, prequential(N), learners)[0]


def test_estimates_weigh_predictions_as_they_say(predictions):
    frame = estimate_measures(predictions, ["naive_bayes"], MEASURES, window=500, smoothing=0.01)
    values = frame.set_index(["estimator", "measure"])["value"]
    right = predictions.predicted["naive_bayes"] == predictions.true
    weight = 0.99 ** np.arange(N)[::-1]
    overall = overall_measures(predictions, ["naive_bayes"]).set_index("measure")["value"]
    for name in MEASURES:
        assert values["cumulative", name] == overall[name]
    assert values["windowed", "accuracy"] == right[-500:].mean()
    assert values["faded", "accuracy"] == pytest.approx(right @ weight / weight.sum())
    point = smoothed_kappas(
        predictions.true, predictions.predicted["naive_bayes"], 2, smoothing=0.01, positions=[N]
    )
    assert values["algorithm_1", "kappa_temporal"] == point.kappa_temporal[0]
    assert ("algorithm_1", "kappa_z") not in values.index  # it has no number of predictions
    long = estimate_measures(predictions, ["naive_bayes"], ["kappa"], window=10 * N, smoothing=0.01)
    values = long.set_index("estimator")["value"]
    assert values["windowed"] == values["cumulative"]  # the stream is shorter than the window


def test_lags_are_those_of_the_wrappers(stream):
    messages, learner = [], NaiveBayes()
    stream_input = stream_input_of(
        "lags",
        stream,
        {"naive_bayes": learner},
        learners=("naive_bayes",),
        lags=Lags(labels=(0, 2), labels_and_inputs=(2,), correction=(0, 2)),
        measures=("accuracy", "kappa_temporal"),
        smoothing=0.005,
        announce=messages.append,
    )
    frames = lags.study(stream_input)
    values = frames["lags"].set_index(["learner", "kind", "lags", "measure"])["value"]
    assert values["no_change", "", 0, "kappa_temporal"] == 0
    for kind, lag, wrapped in (
        ("labels", 0, learner),
        ("correction", 0, learner),
        ("labels", 2, TemporallyAugmented(learner, 2)),
        ("labels_and_inputs", 2, TemporallyAugmented(learner, 2, features=2)),
        ("correction", 2, TemporalCorrection(learner, 0.005, 2)),
    ):
        assert values["naive_bayes", kind, lag, "accuracy"] == accuracy(wrapped, stream)
    assert len(messages) == len(frames["costs"]) == 5
    assert (frames["costs"][["seconds", "model_bytes"]] > 0).all(axis=None)


def alarms_of(stream, probabilities, seeds):
    stream_input = stream_input_of("false_alarms", stream, probabilities=probabilities, seeds=seeds)
    return false_alarms.study(stream_input)["false_alarms"]


def test_false_alarms_are_counted_in_every_order(stream):
    frame = alarms_of(stream, (0.0, 0.01, 1.0), (1, 2))
    assert list(frame["variant"].unique()) == list(STREAM_ORDERS)
    bayes = {order: values(frame, variant=order, learner="naive_bayes") for order in STREAM_ORDERS}
    assert bayes["original"].tolist() == [accuracy(NaiveBayes(), stream)]  # nothing is drawn
    assert [len(accuracies) for accuracies in bayes.values()] == [1, 2, 2]
    expected = [accuracy(NaiveBayes(), shuffled(stream, seed)) for seed in (1, 2)]
    assert bayes["shuffled"].tolist() == expected
    for order in STREAM_ORDERS:  # without alarms it is Naive Bayes
        never = values(frame, variant=order, learner="ddm_random", probability=0.0)
        assert (never == bayes[order]).all()
    always = {order: values(frame, variant=order, probability=1.0) for order in STREAM_ORDERS}
    assert (always["original"] == accuracy(DDMRandom(alarm_probability=1.0), stream)).all()
    no_change = values(frame, variant="temporal", learner="no_change")
    assert (no_change == accuracy(NoChange(), stream)).all()


def test_draws_of_false_alarms_do_not_depend_on_what_else_is_run(stream):
    several = alarms_of(stream, (0.01, 0.1), (1, 2))
    other = alarms_of(stream, (0.1,), (2,))
    for order in STREAM_ORDERS:
        where = {"variant": order, "seed": 2, "learner": "ddm_random", "probability": 0.1}
        assert values(several, **where) == values(other, **where)
