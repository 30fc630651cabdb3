"""MOA's own numbers on drifting SEA concepts."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.golden import LEARNERS, percent, sea_blocks
from helpers.java import java_hash

from streameval.learners.bayes.ddm import DDMNaiveBayes
from streameval.learners.ensembles.adaptive_random_forest import AdaptiveRandomForest
from streameval.measures.moa import moa_evaluate
from streameval.protocols.prequential import prequential
from streameval.protocols.tape import PREDICT_THEN_LEARN, Tape

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


# MOA 2024.07 (the jar of capymoa 0.15.1), same runs, at the end: "Warning detected" and "Change
# detected"; alternateTrees and switchedAlternateTrees, whose prunedAlternateTrees can be larger
# than our prunings.
SIZES = {
    "ddm_nb": {"warnings": 26, "changes": 5},
    "hoeffding_adaptive_tree": {"alternates": 6, "switches": 2},
    "leveraging_bagging": {"resets": 20},
    "small_forest": {"drifts": 9, "warnings": 13},
}


@pytest.mark.parametrize("name", SEA_BLOCKS)
def test_drifting_sea(name):
    cumulative, window, expected_hash = SEA_BLOCKS[name]
    stream = sea_blocks()
    predictions = LEARNERS[name].run(stream, prequential(len(stream)))
    label = predictions.label
    assert java_hash(label) == expected_hash
    assert predictions.size | SIZES.get(name, {}) == predictions.size
    for evaluator, expected in (("basic", cumulative), ("window", window)):
        accuracies = percent(moa_evaluate(stream.y, label, 2, evaluator, positions=[20_000]))[0]
        np.testing.assert_allclose(accuracies, expected, rtol=0, atol=5e-7)


@pytest.mark.parametrize(
    ("learner", "expected_hash", "size"),
    # Run with MOA 2024.07 over the same stream: -d (DDM -n 100 -w 1.0 -o 2.0) with "Warning
    # detected" and "Change detected" at the end; RandomHoeffdingTree, and OzaBag of it.
    [
        (
            DDMNaiveBayes(100, 1.0, 2.0),
            -5712444350791729981,
            {"warnings": 368, "changes": 10},
        ),
        (LEARNERS["random_hoeffding_tree"], -3612215300366886583, {}),
        (LEARNERS["random_forest"], -5170979930244217832, {}),
    ],
)
def test_hashes_on_drifting_sea(learner, expected_hash, size):
    stream = sea_blocks()
    predictions = learner.run(stream, prequential(len(stream)))
    assert java_hash(predictions.label) == expected_hash
    assert predictions.size | size == predictions.size


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
        assert java_hash(learner.run(stream, Tape(rows, op, weight), seed).label) == expected
