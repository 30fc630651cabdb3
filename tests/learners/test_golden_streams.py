"""MOA's own numbers on real streams, and on one with gaps."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from helpers.golden import LEARNERS, clouds, percent
from helpers.java import java_hash

from streameval.learners.ensembles.bagging import OnlineBagging, RandomForest
from streameval.learners.knn import KNN
from streameval.learners.trees.hoeffding_tree import HoeffdingTree
from streameval.measures.moa import moa_evaluate
from streameval.protocols.prequential import prequential
from streameval.protocols.tape import PREDICT_THEN_LEARN, Tape
from streameval.streams.generators.random_tree import RandomTree
from streameval.streams.stream import Stream

# --- Neighbours in a window --------------------------------------------------------------


@cache
def stream_with_gaps():
    """Numbers with ties, gaps everywhere, and columns that are empty or constant for a while."""
    stream = RandomTree(classes=3).stream(3000)
    X = np.round(stream.X, 1)
    row, column = np.indices(X.shape)
    X[(3 * row + 5 * column) % 7 == 0] = np.nan
    first, second, third = np.flatnonzero(stream.schema.n_values == 0)[:3]
    X[:200, first] = np.nan
    X[500:1000, second] = np.nan
    X[1200:1700, third] = 0.5
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
    label = KNN(k, window).run(stream, prequential(len(stream))).label
    assert (np.count_nonzero(label == stream.y), java_hash(label)) == NEIGHBOURS[k, window]


@pytest.mark.parametrize(("k", "window"), NEIGHBOURS_WEIGHTED)
def test_neighbours_with_weights(k, window):
    stream = stream_with_gaps()
    n = len(stream)
    tape = Tape(np.arange(n), np.full(n, PREDICT_THEN_LEARN), np.arange(n) % 3)
    assert java_hash(KNN(k, window).run(stream, tape).label) == NEIGHBOURS_WEIGHTED[k, window]


# --- Where the last bit of an exponential decides ----------------------------------------

# Run with MOA as packed in CapyMOA 0.15.1 and OpenJDK 17.0.15 on x86-64, EvaluatePrequential:
# HoeffdingTree -g 10 -t 1.0, OzaBag -l of RandomHoeffdingTree and of HoeffdingTree with these
# options, on RandomRBFGenerator -i seed -c 5 -a 4: correct predictions and hash, as above. With the
# C library's exponential a leaf splits at another time, and 15, 201 and 3 predictions differ.
LAST_BIT = [
    (392, HoeffdingTree, 949, 1172242838043193766),
    (235, RandomForest, 1081, 1047679867387622287),
    (313, OnlineBagging, 1139, -7179738917749392952),
]


@pytest.mark.parametrize(("seed", "learner", "correct", "expected_hash"), LAST_BIT)
def test_the_last_bit_of_an_exponential(seed, learner, correct, expected_hash):
    stream = clouds(seed)
    eager = learner(grace_period=10, tie_threshold=1.0)
    label = eager.run(stream, prequential(len(stream))).label
    assert (np.count_nonzero(label == stream.y), java_hash(label)) == (correct, expected_hash)


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


# In the same runs, at the end: "Warning detected" and "Change detected"; alternateTrees and
# switchedAlternateTrees.
REAL_SIZES = {
    ("elec2", "ddm_nb"): {"warnings": 394, "changes": 143},
    ("elec2_mlj", "ddm_nb"): {"warnings": 410, "changes": 103},
    ("ozone", "ddm_nb"): {"warnings": 17, "changes": 16},
    ("kdd99", "ddm_nb"): {"warnings": 100, "changes": 44},
    ("elec2", "hoeffding_adaptive_tree"): {"alternates": 85, "switches": 4},
    ("elec2_mlj", "hoeffding_adaptive_tree"): {"alternates": 53, "switches": 5},
    ("ozone", "hoeffding_adaptive_tree"): {"alternates": 0, "switches": 0},
    ("kdd99", "hoeffding_adaptive_tree"): {"alternates": 42, "switches": 6},
}
# Hashes of all predictions of DDM.
REAL_HASHES = {
    "elec2": -7292125257912568936,
    "elec2_mlj": -2933130503684526810,
    "ozone": 4717313348969180102,
    "kdd99": -8744904948343563725,
}


@pytest.mark.parametrize(("name", "learner"), REAL)
def test_real_streams(real_stream, name, learner):
    correct, *kappas = REAL[name, learner]
    stream = real_stream(name)
    n = len(stream)
    predictions = LEARNERS[learner].run(stream, prequential(n))
    label = predictions.label
    assert np.count_nonzero(label == stream.y) == correct
    assert predictions.size | REAL_SIZES.get((name, learner), {}) == predictions.size
    accuracies = percent(moa_evaluate(stream.y, label, stream.n_classes, positions=[n]))[0]
    np.testing.assert_allclose(accuracies[1:], kappas, rtol=0, atol=5e-7)
    if learner == "ddm_nb":
        assert java_hash(label) == REAL_HASHES[name]
