"""MOA's own numbers, to the digits that it printed."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from streameval.learners.adaptive_random_forest import AdaptiveRandomForest
from streameval.learners.bagging import LeveragingBagging, OnlineBagging
from streameval.learners.baselines import Majority, NoChange
from streameval.learners.ddm import DDMNaiveBayes
from streameval.learners.hoeffding_adaptive_tree import HoeffdingAdaptiveTree
from streameval.learners.hoeffding_tree import HoeffdingTree
from streameval.learners.knn import KNN
from streameval.learners.naive_bayes import NaiveBayes
from streameval.learners.random_forest import RandomForest
from streameval.learners.random_hoeffding_tree import RandomHoeffdingTree
from streameval.measures.moa import moa_evaluate
from streameval.protocols.prequential import prequential
from streameval.protocols.tape import PREDICT, PREDICT_THEN_LEARN, Tape
from streameval.streams.generators import generate
from streameval.streams.generators.random_tree import random_tree
from streameval.streams.generators.sea import sea
from streameval.streams.stream import Stream

LEARNERS = {
    learner.name: learner
    for learner in (
        *(NoChange(), Majority(), NaiveBayes(), DDMNaiveBayes(), HoeffdingTree()),
        *(HoeffdingAdaptiveTree(), OnlineBagging(), LeveragingBagging(), KNN()),
        *(RandomHoeffdingTree(), RandomForest(), AdaptiveRandomForest()),
    )
}
#: AdaptiveRandomForest -s 5 -o (Specified m (integer value)) -m 2, as in its unit test.
LEARNERS["small_forest"] = AdaptiveRandomForest(members=5, subspace_mode="size", subspace=2)


def percent(values):
    """Accuracy, kappa, kappa temporal and kappa M in percent, shape (s, 4)."""
    return 100 * np.stack(values, axis=1)


# --- MOA's unit tests -------------------------------------------------------------------

# MOA's regression tests, moa/src/test/resources/moa/classifiers/**/*.ref (Waikato/moa at
# 76107cf): per cent of right answers at "Index" 10000, 20000, 30000 and 100000. Their
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
    stream = random_tree(100_000)
    return Stream(np.round(stream.X, 6), stream.y, stream.schema)


@cache
def unit_test_answers(name):
    """True and predicted labels; the first instance is only learnt."""
    stream = unit_test_stream()
    found = LEARNERS[name].play(stream, prequential(len(stream), pretrain=1))
    return stream.y[found.row], found.label


@pytest.mark.parametrize("name", UNIT_TEST_ACCURACY)
def test_accuracy_of_the_unit_tests(name):
    true, predicted = unit_test_answers(name)
    # At index 10000, 9,999 instances have been evaluated.
    found = moa_evaluate(true, predicted, 2, at=np.array(INDEX) - 1).accuracy
    np.testing.assert_allclose(100 * found, UNIT_TEST_ACCURACY[name], rtol=0, atol=5e-9)


@pytest.mark.parametrize("name", UNIT_TEST_KAPPAS)
def test_kappas_of_the_unit_tests(name):
    found = percent(moa_evaluate(*unit_test_answers(name), 2, at=[9999]))[0]
    np.testing.assert_allclose(found[1:], UNIT_TEST_KAPPAS[name], rtol=0, atol=5e-9)


def test_no_change_has_no_skill_over_itself():
    # NoChange.ref: kappa temporal is 0 at every index.
    found = moa_evaluate(*unit_test_answers("no_change"), 2, at=np.array(INDEX) - 1)
    assert found.kappa_temporal.tolist() == [0.0] * 4


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
    found = HoeffdingTree().play(unit_test_stream(), up_to(index))
    assert found.size == {"nodes": nodes, "leaves": leaves, "depth": depth}


def test_alarms_of_the_unit_tests():
    # DriftDetectionMethodClassifier.ref: "Warning detected" and "Change detected" at 10000.
    found = DDMNaiveBayes().play(unit_test_stream(), up_to(10_000))
    assert found.size == {"warnings": 52, "changes": 0}


@pytest.mark.parametrize(("index", "nodes", "leaves"), [(10_000, 59, 45), (100_000, 213, 131)])
def test_size_of_the_adaptive_tree_of_the_unit_tests(index, nodes, leaves):
    # HoeffdingAdaptiveTree.ref
    size = HoeffdingAdaptiveTree().play(unit_test_stream(), up_to(index)).size
    assert (size["nodes"], size["leaves"]) == (nodes, leaves)


@pytest.mark.parametrize(
    ("name", "index", "votes"),
    [
        ("majority", 10_000, (4095, 5904)),  # MajorityClass.ref
        ("hoeffding_tree", 30_000, (2.81739256, 973.15434597)),  # HoeffdingTree.ref
    ],
)
def test_votes_of_the_unit_tests(name, index, votes):
    found = LEARNERS[name].play(unit_test_stream(), up_to(index), scores=True)
    # Scores are votes scaled to sum to one, in single precision.
    expected = np.array(votes) / sum(votes)
    np.testing.assert_allclose(found.scores[-1], expected, rtol=1e-6)


# --- Drifting SEA concepts --------------------------------------------------------------

# Run with MOA at 76107cf: four SEAGenerators, -f 1 to 4, instance i from generator
# floor(i / 5000) mod 4, 20,000 instances, predict, evaluate, train. In percent: accuracy,
# kappa, kappa temporal, kappa M of BasicClassificationPerformanceEvaluator, the same of
# WindowClassificationPerformanceEvaluator -w 1000 at the end; hash = 31 hash + answer, 64 bits.
SEA_BLOCKS = {
    "naive_bayes": (
        (83.670, 64.312170, 64.968358, 57.540302),
        (81.1, 60.504869, 61.585366, 57.239819),
        6249304570870062910,
    ),
    "ddm_nb": (
        (87.615, 73.188552, 73.431299, 67.797712),
        (89.2, 78.012313, 78.048780, 75.565611),
        -3165630032626022769,
    ),
    "hoeffding_tree": (
        (83.715, 64.900035, 65.064893, 57.657306),
        (84.1, 67.171821, 67.682927, 64.027149),
        -431889984378744279,
    ),
    "knn": (
        (86.360, 70.794903, 70.739033, 64.534581),
        (87.4, 74.408137, 74.390244, 71.493213),
        4189600873390019926,
    ),
    "leveraging_bagging": (
        (86.630, 71.072813, 71.318245, 65.236609),
        (88.3, 76.117965, 76.219512, 73.529412),
        5372946360861769244,
    ),
    "hoeffding_adaptive_tree": (
        (85.640, 68.981974, 69.194465, 62.662507),
        (89.0, 77.562743, 77.642276, 75.113122),
        -5555266028721162728,
    ),
    "small_forest": (
        (86.295, 70.531218, 70.599592, 64.365575),
        (88.4, 76.372436, 76.422764, 73.755656),
        3679435558079490705,
    ),
}


@cache
def sea_blocks():
    parts = [sea(5000, function) for function in (1, 2, 3, 4)]
    X, y = (np.concatenate([getattr(part, name) for part in parts]) for name in ("X", "y"))
    return Stream(X, y, parts[0].schema)


def java_hash(answers):
    """Java's 64-bit arithmetic, which wraps around."""
    value = 0
    for answer in answers:
        value = (31 * value + int(answer)) % 2**64
    return value - 2**64 if value >= 2**63 else value


def test_alternates_on_drifting_sea():
    # MOA 2024.07 (the jar of capymoa 0.15.1), same run, 17128 right: alternateTrees and
    # switchedAlternateTrees. Its prunedAlternateTrees can be larger than our prunings.
    stream = sea_blocks()
    size = HoeffdingAdaptiveTree().play(stream, prequential(len(stream))).size
    assert (size["alternates"], size["switches"]) == (6, 2)


@pytest.mark.parametrize("name", SEA_BLOCKS)
def test_drifting_sea(name):
    cumulative, window, expected_hash = SEA_BLOCKS[name]
    stream = sea_blocks()
    label = LEARNERS[name].play(stream, prequential(len(stream))).label
    assert java_hash(label) == expected_hash
    for evaluator, expected in (("basic", cumulative), ("window", window)):
        found = percent(moa_evaluate(stream.y, label, 2, evaluator, at=[20_000]))[0]
        np.testing.assert_allclose(found, expected, rtol=0, atol=5e-7)


@pytest.mark.parametrize(
    ("learner", "expected_hash", "warnings", "changes"),
    # DriftDetectionMethodClassifier of the same stream, and with -d (DDM -n 100 -w 1.0 -o 2.0):
    # hash of the answers, "Warning detected" and "Change detected" at the end.
    [
        (DDMNaiveBayes(), -3165630032626022769, 26, 5),
        (DDMNaiveBayes(100, 1.0, 2.0), -5712444350791729981, 368, 10),
    ],
)
def test_alarms_on_drifting_sea(learner, expected_hash, warnings, changes):
    stream = sea_blocks()
    found = learner.play(stream, prequential(len(stream)))
    assert java_hash(found.label) == expected_hash
    assert found.size == {"warnings": warnings, "changes": changes}


def test_resets_of_leveraging_bagging_on_drifting_sea():
    stream = sea_blocks()
    assert LeveragingBagging().play(stream, prequential(len(stream))).size["resets"] == 20


# Run with MOA 2024.07 over the same stream, instance i learnt with weight 1, or with (i mod 4)/2:
# hash of the answers. AdaptiveRandomForest with -s 5; -s 5 and seed 7; -s 4 -o (sqrt(M)+1);
# -s 4 -o (M-(sqrt(M)+1)) and ADWIN -a 0.05 as -x, -a 0.2 as -p; -s 4 -m 30 and trees -l MC.
FORESTS = [
    (AdaptiveRandomForest(members=5), 1, 3679435558079490705, 6520158228110906487),
    (AdaptiveRandomForest(members=5), 7, -1736375907049801371, 4550896071836541512),
    (
        *(AdaptiveRandomForest(members=4, subspace_mode="sqrt"), 1),
        *(-5553161418436280895, -5457103457184629880),
    ),
    (
        AdaptiveRandomForest(
            members=4, subspace_mode="sqrt_inverse", drift_delta=0.05, warning_delta=0.2
        ),
        *(1, -395128418681619506, 3056231939942308233),
    ),
    (
        *(AdaptiveRandomForest(members=4, subspace=30, leaf_prediction="majority"), 1),
        *(3152191847731999301, 847331773315337235),
    ),
]


@pytest.mark.parametrize(("learner", "seed", "plain", "weighted"), FORESTS)
def test_adaptive_random_forests_on_drifting_sea(learner, seed, plain, weighted):
    stream = sea_blocks()
    rows = np.arange(len(stream))
    op = np.full(len(stream), PREDICT_THEN_LEARN)
    for weight, expected in ((np.ones(len(stream)), plain), (rows % 4 / 2, weighted)):
        assert java_hash(learner.play(stream, Tape(rows, op, weight), seed).label) == expected


def test_alarms_of_the_adaptive_random_forest_on_drifting_sea():
    # The same run as "small_forest".
    stream = sea_blocks()
    size = LEARNERS["small_forest"].play(stream, prequential(len(stream))).size
    assert (size["drifts"], size["warnings"]) == (9, 13)


@pytest.mark.parametrize(
    ("name", "correct", "expected_hash"),
    # Run with MOA 2024.07 over the same stream: RandomHoeffdingTree, and OzaBag of it.
    [
        ("random_hoeffding_tree", 15497, -3612215300366886583),
        ("random_forest", 16518, -5170979930244217832),
    ],
)
def test_random_trees_on_drifting_sea(name, correct, expected_hash):
    stream = sea_blocks()
    label = LEARNERS[name].play(stream, prequential(len(stream))).label
    assert np.count_nonzero(label == stream.y) == correct
    assert java_hash(label) == expected_hash


# --- MOA's evaluators on a drifting stream ----------------------------------------------

# Run with MOA at 76107cf: EvaluatePrequential -l bayes.NaiveBayes -i 20000 on three nested
# ConceptDriftStreams, each -p 5000 -w 50 -r 1, of SEAGenerators -f 1, 2, 3, 4; the last line.
# Accuracy, kappa, kappa temporal, kappa M in percent.
EVALUATORS = {
    ("window", 1000): (80.5, 59.4169358, 60.7645875, 56.3758389),
    ("fading", 0.999): (80.5588365, 59.9052825, 61.1295912, 57.4651484),
    ("adwin", 0.002): (80.2789548, 59.4073967, 59.9506525, 57.2014985),
}


def drift(before, after, position, width):
    """A concept drift as a part of another one."""
    parts = {"before": before, "after": after}
    return {"generator": "concept_drift", "position": position, "width": width} | parts


def generated(n, generator, **parameters):
    return generate(generator, n, **parameters)


@cache
def nested_drifts(n):
    drifting = {"generator": "sea", "function": 4}
    for function in (3, 2, 1):
        drifting = drift({"generator": "sea", "function": function}, drifting, 5000, 50)
    return generated(n, **drifting)


@pytest.mark.parametrize(("evaluator", "parameter"), EVALUATORS)
def test_evaluators_on_drifting_sea(evaluator, parameter):
    stream = nested_drifts(20_000)
    label = NaiveBayes().play(stream, prequential(20_000)).label
    found = percent(moa_evaluate(stream.y, label, 2, evaluator, parameter, at=[20_000]))[0]
    expected = EVALUATORS[evaluator, parameter]
    np.testing.assert_allclose(found, expected, rtol=0, atol=5e-8)


# --- Other generators -------------------------------------------------------------------

# Run with MOA 24.07: EvaluatePrequential with BasicClassificationPerformanceEvaluator,
# -i 20000; the last line. Streams: HyperplaneGenerator -k 10 -t 0.001; RandomRBFGeneratorDrift
# -c 5 -s 0.0001; ConceptDriftStream -p 10000 -w 5000 of LEDGeneratorDrift -d 1 and -d 3;
# AgrawalGenerator -f 2. Accuracy, and kappa, kappa temporal, kappa M, in percent.
HYPERPLANE = {"generator": "hyperplane", "drifting": 10, "magnitude": 0.001}
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
    label = LEARNERS[name].play(stream, prequential(20_000)).label
    found = percent(moa_evaluate(stream.y, label, stream.n_classes, at=[20_000]))[0]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11)


# --- Neighbours in a window --------------------------------------------------------------


@cache
def stream_with_gaps():
    """Numbers with ties, gaps everywhere, and columns that are empty or constant for a while."""
    stream = random_tree(3000, classes=3)
    X = np.round(stream.X, 1)
    row, column = np.indices(X.shape)
    X[(3 * row + 5 * column) % 7 == 0] = np.nan
    one, two, three = np.flatnonzero(stream.schema.n_values == 0)[:3]
    X[:200, one] = np.nan
    X[500:1000, two] = np.nan
    X[1200:1700, three] = 0.5
    return Stream(X, stream.y, stream.schema)


# Run with MOA as packed in CapyMOA 0.15.1: lazy.kNN -k k -w w on the stream above as ARFF,
# predict, then train: right answers, and hash = 31 hash + answer in 64 bits.
NEIGHBOURS = {
    (10, 1000): (1683, 8756184852517148948),
    (1, 1): (1086, -1164855772094915302),
    (3, 7): (1109, 71603929619912772),
    (10, 100): (1448, 8744030286598355035),
    (5, 300): (1531, 4917007520646190040),
    (40, 30): (1298, 3271165577953127904),
    (33, 257): (1518, -5128987454341720380),
}
# The same, but instance i is trained with the weight i mod 3.
NEIGHBOURS_WEIGHTED = {(10, 1000): -2521862052917141244, (3, 50): 6847581917640730600}


@pytest.mark.parametrize(("k", "window"), NEIGHBOURS)
def test_neighbours_with_gaps(k, window):
    stream = stream_with_gaps()
    label = KNN(k, window).play(stream, prequential(len(stream))).label
    assert (np.count_nonzero(label == stream.y), java_hash(label)) == NEIGHBOURS[k, window]


@pytest.mark.parametrize(("k", "window"), NEIGHBOURS_WEIGHTED)
def test_neighbours_with_weights(k, window):
    stream = stream_with_gaps()
    n = len(stream)
    tape = Tape(np.arange(n), np.full(n, PREDICT_THEN_LEARN), np.arange(n) % 3)
    assert java_hash(KNN(k, window).play(stream, tape).label) == NEIGHBOURS_WEIGHTED[k, window]


# --- Real streams -----------------------------------------------------------------------

# MOA as packed in CapyMOA 0.15.1, EvaluatePrequential with
# BasicClassificationPerformanceEvaluator over the whole of each stream, default options:
# right answers, and kappa, kappa temporal, kappa M in percent.
REAL = {
    ("elec2", "no_change"): (38665, 69.977677, 0.0, 65.439609),
    ("elec2", "majority"): (26070, 0.017147, -189.483978, -0.046795),
    ("elec2", "naive_bayes"): (33242, 42.541351, -81.585678, 37.24328),
    ("elec2", "ddm_nb"): (36783, 61.144659, -28.313525, 55.654344),
    ("elec2", "hoeffding_tree"): (35885, 57.226574, -41.823379, 50.985286),
    ("elec2", "knn"): (35515, 55.823629, -47.3898, 49.061509),
    ("elec2", "online_bagging"): (37345, 63.768714, -19.858583, 58.576405),
    ("elec2", "leveraging_bagging"): (40690, 78.996382, 30.464871, 75.968388),
    ("elec2", "hoeffding_adaptive_tree"): (37784, 65.556892, -13.2541, 60.85894),
    ("elec2_mlj", "no_change"): (38665, 69.977677, 0.0, 65.439609),
    ("elec2_mlj", "majority"): (26070, 0.017147, -189.483978, -0.046795),
    ("elec2_mlj", "naive_bayes"): (28303, 22.524264, -155.889875, 11.563459),
    ("elec2_mlj", "ddm_nb"): (30711, 34.20991, -119.663006, 24.083606),
    ("elec2_mlj", "hoeffding_tree"): (30488, 31.983654, -123.017903, 22.924141),
    ("elec2_mlj", "knn"): (33648, 47.535311, -75.477659, 39.354235),
    ("elec2_mlj", "online_bagging"): (31249, 35.28398, -111.569129, 26.880882),
    ("elec2_mlj", "leveraging_bagging"): (35495, 55.199335, -47.690688, 48.957521),
    ("elec2_mlj", "hoeffding_adaptive_tree"): (31928, 39.188658, -101.353994, 30.411272),
    ("ozone", "no_change"): (2406, 8.319846, 0.0, -78.082192),
    ("ozone", "majority"): (2463, 0.0, 43.846154, 0.0),
    ("ozone", "naive_bayes"): (1783, 8.103915, -479.230769, -931.506849),
    ("ozone", "ddm_nb"): (2409, 15.490622, 2.307692, -73.972603),
    ("ozone", "hoeffding_tree"): (2461, -0.153759, 42.307692, -2.739726),
    ("ozone", "knn"): (2463, 4.910421, 43.846154, 0.0),
    ("ozone", "online_bagging"): (2463, 0.0, 43.846154, 0.0),
    ("ozone", "leveraging_bagging"): (2459, -0.299967, 40.769231, -5.479452),
    ("ozone", "hoeffding_adaptive_tree"): (2461, -0.153759, 42.307692, -2.739726),
    ("kdd99", "no_change"): (493487, 99.817114, 0.0, 99.749567),
    ("kdd99", "majority"): (280788, 24.932959, -39831.273408, -0.000938),
    ("kdd99", "naive_bayes"): (476472, 94.059868, -3186.329588, 91.769958),
    ("kdd99", "ddm_nb"): (492755, 99.566616, -137.078652, 99.406278),
    ("kdd99", "hoeffding_tree"): (491936, 99.286469, -290.449438, 99.022187),
    ("kdd99", "knn"): (493169, 99.708138, -59.550562, 99.600433),
    ("kdd99", "leveraging_bagging"): (493316, 99.758532, -32.022472, 99.669373),
    ("kdd99", "hoeffding_adaptive_tree"): (492321, 99.418082, -218.35206, 99.202743),
    # AdaptiveRandomForest -s 10
    ("elec2", "adaptive_random_forest"): (40477, 78.045465, 27.260418, 74.860916),
    ("elec2_mlj", "adaptive_random_forest"): (36077, 57.930667, -38.934858, 51.98357),
    ("ozone", "adaptive_random_forest"): (2461, 6.877913, 42.307692, -2.739726),
    # MOA 2024.07: OzaBag -l RandomHoeffdingTree, and RandomHoeffdingTree
    ("elec2", "random_forest"): (36225, 57.783549, -36.708289, 52.753081),
    ("elec2_mlj", "random_forest"): (31192, 34.105068, -112.426659, 26.584516),
    ("ozone", "random_forest"): (2462, -0.077859, 43.076923, -1.369863),
    ("kdd99", "random_forest"): (489518, 98.453851, -743.258427, 97.888206),
    ("elec2", "random_hoeffding_tree"): (33621, 45.842302, -75.883857, 39.213851),
    ("elec2_mlj", "random_hoeffding_tree"): (29049, 23.804189, -144.666767, 15.442209),
    ("ozone", "random_hoeffding_tree"): (2461, -0.153759, 42.307692, -2.739726),
    ("kdd99", "random_hoeffding_tree"): (488800, 98.208659, -877.715356, 97.551482),
}


@pytest.mark.realdata
@pytest.mark.parametrize(("name", "learner"), REAL)
def test_real_streams(real_stream, name, learner):
    correct, *kappas = REAL[name, learner]
    stream = real_stream(name)
    n = len(stream)
    label = LEARNERS[learner].play(stream, prequential(n)).label
    assert np.count_nonzero(label == stream.y) == correct
    found = percent(moa_evaluate(stream.y, label, stream.n_classes, at=[n]))[0]
    np.testing.assert_allclose(found[1:], kappas, rtol=0, atol=5e-7)


# The same class, run over the same streams: hash of the answers, "Warning detected" and
# "Change detected" at the end.
REAL_ALARMS = {
    "elec2": (-7292125257912568936, 394, 143),
    "elec2_mlj": (-2933130503684526810, 410, 103),
    "ozone": (4717313348969180102, 17, 16),
    "kdd99": (-8744904948343563725, 100, 44),
}


@pytest.mark.realdata
@pytest.mark.parametrize("name", REAL_ALARMS)
def test_alarms_on_real_streams(real_stream, name):
    expected_hash, warnings, changes = REAL_ALARMS[name]
    stream = real_stream(name)
    found = DDMNaiveBayes().play(stream, prequential(len(stream)))
    assert java_hash(found.label) == expected_hash
    assert found.size == {"warnings": warnings, "changes": changes}
