"""MOA's own numbers, to the digits that it printed, on generated streams."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from helpers.golden import HYPERPLANE, LEARNERS, drift, generated, nested_drifts, percent

from streameval.learners.bayes.ddm import DDMNaiveBayes
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.trees.hoeffding_adaptive_tree import HoeffdingAdaptiveTree
from streameval.learners.trees.hoeffding_tree import HoeffdingTree
from streameval.measures.moa import moa_evaluate
from streameval.protocols.prequential import prequential
from streameval.protocols.tape import PREDICT, Tape
from streameval.streams.generators.random_tree import RandomTree
from streameval.streams.stream import Stream

# --- MOA's unit tests -------------------------------------------------------------------

# MOA's regression tests, moa/src/test/resources/moa/classifiers/**/*.ref (Waikato/moa at
# 76107cf): percentage of correct predictions at "Index" 10000, 20000, 30000 and 100000. Their
# classification.arff is RandomTreeGenerator with its defaults, in six decimals.
UNIT_TEST_ACCURACY = {
    "no_change": (52.55525553, 52.10260513, 51.74172472, 51.45551456),
    "majority": (59.01590159, 58.27291365, 58.3619454, 57.81457815),
    "naive_bayes": (72.89728973, 73.16865843, 73.27244241, 73.38573386),
    "ddm_nb": (72.89728973, 73.16865843, 73.27244241, 73.38573386),
    "hoeffding_tree": (80.3980398, 83.74418721, 85.57618587, 88.98488985),
    "online_bagging": (81.73817382, 84.36421821, 85.97286576, 89.34689347),
    "leveraging_bagging": (86.04860486, 87.88439422, 89.25964199, 92.77692777),
    "hoeffding_adaptive_tree": (80.4580458, 84.06420321, 85.76619221, 89.499895),
    "random_hoeffding_tree": (66.42664266, 69.08845442, 71.60572019, 76.70476705),
    "small_forest": (76.07760776, 78.18890945, 79.79932664, 83.31583316),
    # No such test; run with MOA 2024.07 on the same stream: OzaBag -l RandomHoeffdingTree.
    "random_forest": (66.15661566, 68.61843092, 70.77569252, 76.59276593),
}
INDEX = (10_000, 20_000, 30_000, 100_000)

# The same files at 10000: kappa, kappa temporal, kappa M.
UNIT_TEST_KAPPAS = {
    "naive_bayes": (41.81847765, 42.87521079, 33.82173382),
    "majority": (-0.05999805, 13.61720067, -0.07326007),
}


@cache
def unit_test_stream():
    stream = RandomTree().stream(100_000)
    return Stream(np.round(stream.X, 6), stream.y, stream.schema)


def unit_test_predictions(name):
    """True and predicted labels; the first instance is only learnt."""
    stream = unit_test_stream()
    predictions = LEARNERS[name].run(stream, prequential(len(stream), pretrain=1))
    return stream.y[predictions.row], predictions.label


@pytest.mark.parametrize("name", UNIT_TEST_ACCURACY)
def test_measures_of_the_unit_tests(name):
    # At index 10000, 9,999 instances have been evaluated.
    positions = np.array(INDEX) - 1
    measures = percent(moa_evaluate(*unit_test_predictions(name), 2, positions=positions))
    np.testing.assert_allclose(measures[:, 0], UNIT_TEST_ACCURACY[name], rtol=0, atol=5e-9)
    if name in UNIT_TEST_KAPPAS:
        np.testing.assert_allclose(measures[0, 1:], UNIT_TEST_KAPPAS[name], rtol=0, atol=5e-9)
    if name == "no_change":  # kappa temporal is 0 at every index
        assert measures[:, 2].tolist() == [0.0] * 4


def up_to(index):
    """The tape of a unit test at an index: the last instance is predicted, not learnt yet."""
    tape = prequential(index, pretrain=1)
    op = tape.op.copy()
    op[-1] = PREDICT
    return Tape(tape.row, op, tape.weight)


@pytest.mark.parametrize(
    ("index", "nodes", "leaves", "depth"),
    # HoeffdingTree.ref
    [(10_000, 38, 30, 3), (20_000, 63, 47, 3), (30_000, 74, 54, 4)],
)
def test_size_of_the_tree_of_the_unit_tests(index, nodes, leaves, depth):
    predictions = HoeffdingTree().run(unit_test_stream(), up_to(index))
    assert predictions.size == {"nodes": nodes, "leaves": leaves, "depth": depth}


def test_alarms_of_the_unit_tests():
    # DriftDetectionMethodClassifier.ref: "Warning detected" and "Change detected" at 10000.
    predictions = DDMNaiveBayes().run(unit_test_stream(), up_to(10_000))
    assert predictions.size == {"warnings": 52, "changes": 0}


@pytest.mark.parametrize(("index", "nodes", "leaves"), [(10_000, 59, 45), (100_000, 213, 131)])
def test_size_of_the_adaptive_tree_of_the_unit_tests(index, nodes, leaves):
    # HoeffdingAdaptiveTree.ref
    size = HoeffdingAdaptiveTree().run(unit_test_stream(), up_to(index)).size
    assert (size["nodes"], size["leaves"]) == (nodes, leaves)


@pytest.mark.parametrize(
    ("name", "index", "votes"),
    [
        ("majority", 10_000, (4095, 5904)),  # MajorityClass.ref
        ("hoeffding_tree", 30_000, (2.81739256, 973.15434597)),  # HoeffdingTree.ref
    ],
)
def test_votes_of_the_unit_tests(name, index, votes):
    predictions = LEARNERS[name].run(unit_test_stream(), up_to(index), scores=True)
    # Scores are votes scaled to sum to one, in single precision.
    expected = np.array(votes) / sum(votes)
    np.testing.assert_allclose(predictions.scores[-1], expected, rtol=1e-6)


# --- MOA's evaluators on a drifting stream ----------------------------------------------

# Run with MOA at 76107cf: EvaluatePrequential -l bayes.NaiveBayes -i 20000 on three nested
# ConceptDriftStreams, each -p 5000 -w 50 -r 1, of SEAGenerators -f 1, 2, 3, 4; the last line.
# Accuracy, kappa, kappa temporal, kappa M in percent.
EVALUATORS = {
    ("window", 1000): (80.5, 59.4169358, 60.7645875, 56.3758389),
    ("fading", 0.999): (80.5588365, 59.9052825, 61.1295912, 57.4651484),
    ("adwin", 0.002): (80.2789548, 59.4073967, 59.9506525, 57.2014985),
}


@pytest.mark.parametrize(("evaluator", "parameter"), EVALUATORS)
def test_evaluators_on_drifting_sea(evaluator, parameter):
    stream = nested_drifts(20_000)
    label = NaiveBayes().run(stream, prequential(20_000)).label
    accuracies = percent(
        moa_evaluate(stream.y, label, 2, evaluator, parameter, positions=[20_000])
    )[0]
    expected = EVALUATORS[evaluator, parameter]
    np.testing.assert_allclose(accuracies, expected, rtol=0, atol=5e-8)


# --- Other generators -------------------------------------------------------------------

# Run with MOA 24.07: EvaluatePrequential with BasicClassificationPerformanceEvaluator,
# -i 20000; the last line. Streams: HyperplaneGenerator -k 10 -t 0.001; RandomRBFGeneratorDrift
# -c 5 -s 0.0001; ConceptDriftStream -p 10000 -w 5000 of LEDGeneratorDrift -d 1 and -d 3;
# AgrawalGenerator -f 2. Accuracy, and kappa, kappa temporal, kappa M, in percent.
RBF = {"generator": "random_rbf_drift", "classes": 5, "speed": 0.0001}
LED = drift(*({"generator": "led_drift", "drifting": d} for d in (1, 3)), 10_000, 5000)
AGRAWAL = {"generator": "agrawal", "function": 2}
GENERATED = [
    ("naive_bayes", HYPERPLANE, (88.67, 77.33948334022, 77.12266532055, 77.07637835104)),
    ("naive_bayes", RBF, (48.86, 31.50619363514, 34.08519688084, 26.70727337872)),
    ("naive_bayes", LED, (64.3, 60.32795005656, 60.54158607350, 60.05817856344)),
    ("naive_bayes", AGRAWAL, (64.1, 21.48259752539, 24.30152872957, 6.49824195859)),
    ("hoeffding_tree", RBF, (50.53, 33.83107802519, 36.23767480827, 29.10068075958)),
]


@pytest.mark.parametrize(("name", "row", "expected"), GENERATED)
def test_learners_on_generated_streams(name, row, expected):
    stream = generated(20_000, **row)
    label = LEARNERS[name].run(stream, prequential(20_000)).label
    accuracies = percent(moa_evaluate(stream.y, label, stream.n_classes, positions=[20_000]))[0]
    np.testing.assert_allclose(accuracies, expected, rtol=0, atol=1e-11)
