"""Ensembles predict the same on any number of threads."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from naive import learners as naive

from streameval.base.errors import ConfigError
from streameval.base.memory import threads
from streameval.learners.ensembles.adaptive_random_forest import AdaptiveRandomForest
from streameval.learners.ensembles.bagging import LeveragingBagging, OnlineBagging, RandomForest
from streameval.learners.ensembles.threads import EVENTS
from streameval.learners.learner import Play
from streameval.protocols.prequential import prequential
from streameval.protocols.reevaluation import planned
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.streams.generators.random_rbf import RandomRbf
from streameval.streams.generators.random_tree import RandomTree
from streameval.streams.generators.sea import Sea
from streameval.streams.stream import Stream

N = 3000
NUMBERS = (2, 3, 7)
#: Splits as soon as possible: leaves and unseen branches change within a piece.
EAGER = {"grace_period": 20, "split_confidence": 0.4, "tie_threshold": 0.5}
LEARNERS = {
    "bagging": OnlineBagging(**EAGER),
    "few members": OnlineBagging(**EAGER, members=2),
    "majority": OnlineBagging(**EAGER, leaf_prediction="majority"),
    "bayes": OnlineBagging(**EAGER, leaf_prediction="naive_bayes", members=4),
    "binary splits": OnlineBagging(**EAGER, binary_splits=True),
    "random forest": RandomForest(**EAGER, own_draws=True),
    "adaptive": AdaptiveRandomForest(**EAGER, drift_delta=0.1, warning_delta=0.3),
    "adaptive of 2017": AdaptiveRandomForest(**EAGER, form="2017", drift_delta=0.1),
    "abstaining": AdaptiveRandomForest(**EAGER, abstains=True),
}


def numeric() -> Stream:
    return RandomRbf(classes=3, attributes=5, centroids=30).stream(N)


def mixed() -> Stream:
    """Nominal attributes, so that branches are unseen at first, and missing values."""
    stream = RandomTree(classes=4, nominal=4, numeric=3, values=6).stream(N)
    X = stream.X.copy()
    X[np.random.default_rng(1).random(X.shape) < 0.02] = np.nan
    return replace(stream, X=X)


def many_classes() -> Stream:
    return RandomRbf(classes=30, attributes=4, centroids=90).stream(N)


def changing() -> Stream:
    """The concept and the labels change in the middle."""
    parts = Sea(function=1).stream(N // 2), Sea(function=4, seed=2).stream(N // 2)
    X, y = np.concatenate([p.X for p in parts]), np.concatenate([p.y for p in parts])
    y[N // 2 :] = 1 - y[N // 2 :]
    return replace(parts[0], X=X, y=y)


STREAMS = {make.__name__: make for make in (numeric, mixed, many_classes, changing)}


@pytest.fixture(scope="module", params=STREAMS)
def stream(request):
    return STREAMS[request.param]()


def predicted(learner, stream, tape, number, **options):
    with threads(number):
        return learner.play(stream, tape, **options)


def assert_same(found, expected):
    assert np.array_equal(found.label, expected.label)
    assert np.array_equal(found.row, expected.row)
    assert found.model_bytes == expected.model_bytes
    assert found.size == expected.size
    if expected.scores is not None:
        assert found.scores.tobytes() == expected.scores.tobytes()


@pytest.mark.long("the first test of an adaptive forest compiles it")
@pytest.mark.parametrize(
    ("name", "scores"),
    [*((name, False) for name in LEARNERS), ("bagging", True), ("adaptive", True)],
)
def test_number_of_threads_changes_nothing(stream, name, scores):
    learner, tape = LEARNERS[name], prequential(N)
    expected = predicted(learner, stream, tape, 1, scores=scores)
    for number in NUMBERS:
        assert_same(predicted(learner, stream, tape, number, scores=scores), expected)


@pytest.mark.parametrize("name", ["bagging", "adaptive"])
def test_delayed_labels_and_weights(name):
    """Many predictions of one model, many labels at once, instances without weight."""
    stream, clock = mixed(), np.arange(N)
    tape = planned(clock, clock + 5 * (clock % 90), every=3).whole[0]
    weight = np.where(tape.row % 4 == 0, 0.0, 1.0 + tape.row % 3).astype(np.float32)
    tape = replace(tape, weight=np.where(tape.op & LEARN, weight, tape.weight))
    expected = predicted(LEARNERS[name], stream, tape, 1)
    for number in NUMBERS:
        assert_same(predicted(LEARNERS[name], stream, tape, number), expected)


def test_short_steps_end_pieces():
    """Predictions are there after each step, however short, and the model goes on from there."""
    stream, learner = numeric(), LEARNERS["adaptive"]
    tape = prequential(N)
    expected = predicted(learner, stream, tape, 1)
    with threads(2):
        play = Play(learner, stream, tape)
    stops = np.cumsum(np.tile([1, 7, 2 * EVENTS + 3, EVENTS], 3))
    for stop in stops[stops < N]:
        play.advance(int(stop))
        assert np.array_equal(play.outputs.label[:stop], expected.label[:stop])
    play.advance(N)
    assert_same(play.predictions(0.0), expected)


def test_votes_that_overflow_are_as_in_the_twin():
    """An infinite product of densities makes the sum of votes NaN, and class 0 the prediction."""
    X = np.random.default_rng(3).normal(size=(60, 3)) * [1e-10, 1e-150, 1e-151]
    y = (np.arange(60) % 2).astype(np.int32)
    stream, tape = (
        replace(numeric().take(np.arange(60)), X=np.hstack([X, X[:, :2]]), y=y),
        prequential(60),
    )
    learner = OnlineBagging(members=2, leaf_prediction="naive_bayes")
    expected = naive.play(naive.twin(learner, stream), stream, tape)
    for number in (1, 2):
        assert predicted(learner, stream, tape, number).label.tolist() == expected


def test_predictions_without_learning_and_the_reverse():
    stream = changing()
    op = np.where(np.arange(N) % 700 < 350, LEARN, PREDICT).astype(np.uint8)
    tape = Tape(np.arange(N, dtype=np.int32), op, np.ones(N, dtype=np.float32))
    expected = predicted(LEARNERS["bagging"], stream, tape, 1)
    assert_same(predicted(LEARNERS["bagging"], stream, tape, 3), expected)


@pytest.mark.parametrize(
    "learner",
    [
        LeveragingBagging(),  # a change of one member replaces the worst of all
        AdaptiveRandomForest(own_draws=True),  # one generator has the seeds of all new trees
        OnlineBagging(mean_weight=200.0),  # a weight takes any number of draws
        OnlineBagging(members=1),
    ],
    ids=["leveraging", "own_draws", "mean_weight", "one_member"],
)
def test_members_that_depend_on_each_other_have_one_thread(learner):
    stream, tape = changing(), prequential(N)
    with threads(2):
        play = Play(learner, stream, tape)
    assert len(play._state.groups) == 1
    play.advance(N)
    assert_same(play.predictions(0.0), predicted(learner, stream, tape, 1))


def test_threads_are_used():
    with threads(3):
        play = Play(LEARNERS["bagging"], numeric(), prequential(N))
    assert [len(group.root) for group in play._state.groups] == [3, 3, 4]


@pytest.mark.parametrize("number", [0, -1, 1.5, "2", None])
def test_number_is_checked(number):
    with pytest.raises(ConfigError, match=f"above 0, found {number!r}"), threads(number):
        pass
