"""Predicted numbers equal those of MOA, bit for bit, and those printed in papers."""

from __future__ import annotations

import csv
import hashlib
from dataclasses import replace

import numpy as np
import pytest
from helpers.numbers import friedman

import streameval as se
from streameval.base.settings import ROOT
from streameval.learners.adapters import moa
from streameval.learners.adapters.moa import write_arff
from streameval.learners.regression.adaptive_random_forest import AdaptiveRandomForestRegressor
from streameval.learners.regression.amrules import AMRules
from streameval.learners.regression.baselines import TargetMean
from streameval.learners.regression.fimt_dd import FimtDD
from streameval.learners.regression.orto import Orto
from streameval.measures.regression import mean_absolute_error
from streameval.protocols.prequential import delayed
from streameval.protocols.tape import PREDICT_THEN_LEARN, Tape


def digest(values):
    """The first digits of the SHA-256 of the doubles as Java writes them."""
    return hashlib.sha256(values.astype(">f8").tobytes()).hexdigest()[:16]


# Parameters that let trees change often, as options on MOA's command line, and ours.
SOON = "-h 5 -g 50 -c 0.1 -y 50 -u 300"
SOONER = "-h 2 -g 30 -c 0.5 -y 20 -u 200 -t 0.2"
OURS = {
    SOON: {
        "change_threshold": 5,
        "grace_period": 50,
        "split_confidence": 0.1,
        "comparison_period": 50,
        "alternate_time": 300,
    },
    SOONER: {
        "change_threshold": 2,
        "grace_period": 30,
        "split_confidence": 0.5,
        "comparison_period": 20,
        "alternate_time": 200,
        "tie_threshold": 0.2,
    },
}
# Names on MOA's command line.
MEAN, TREE, OPTIONS = "rules.functions.TargetMean", "trees.FIMTDD", "trees.ORTO"
RULES, FOREST = "rules.AMRulesRegressor", "meta.AdaptiveRandomForestRegressor"
TREE_SOON, TREE_SOONER, OPTIONS_10 = f"{TREE} {SOON}", f"{TREE} {SOONER}", f"{OPTIONS} {SOON}"
TREE_OF_MEANS = f"{TREE_SOON} -e"
OPTIONS_30 = f"{OPTIONS} {SOONER} -m 30"
OPTIONS_50 = f"{OPTIONS} -h 3 -g 100 -c 0.001 -y 20 -u 200 -m 50 -x 20 -z 1.0"
EAGER_RULES = f"{RULES} -g 50 -c 0.1 -t 0.2 -H (PageHinkleyDM -d 0.01 -l 5.0)"
FOREST_2018 = (
    f"{FOREST} -s 10 -o (sqrt(M)+1) -l (ARFFIMTDD -s VarianceReductionSplitCriterion)"
    " -x (ADWINChangeDetector -a 1.0E-5) -p (ADWINChangeDetector -a 1.0E-4)"
)
FOREST_2024 = f"{FOREST} -s 10"
FOREST_ALONE = (
    f"{FOREST} -s 5 -u"
    " -l (ARFFIMTDD -s VarianceReductionSplitCriterion -g 50 -c 0.01 -h 5 -y 50 -u 300)"
)

#: Learners by these names.
LEARNERS = {
    MEAN: TargetMean(),
    TREE: FimtDD(form="moa"),
    TREE_SOON: FimtDD(form="moa", **OURS[SOON]),
    TREE_SOONER: FimtDD(form="moa", **OURS[SOONER]),
    TREE_OF_MEANS: FimtDD(form="moa", **OURS[SOON], regression_tree=True),
    OPTIONS: Orto(form="moa"),
    OPTIONS_10: Orto(form="moa", **OURS[SOON]),
    OPTIONS_30: Orto(form="moa", **OURS[SOONER], max_trees=30),
    OPTIONS_50: Orto(
        form="moa",
        change_threshold=3,
        grace_period=100,
        split_confidence=0.001,
        comparison_period=20,
        alternate_time=200,
        max_trees=50,
        max_level=20,
        option_decay=1.0,
    ),
    RULES: AMRules(form="moa"),
    EAGER_RULES: AMRules(
        form="moa",
        grace_period=50,
        split_confidence=0.1,
        tie_threshold=0.2,
        change_tolerance=0.01,
        change_threshold=5.0,
    ),
    FOREST_2018: AdaptiveRandomForestRegressor(
        form="moa",
        members=10,
        grace_period=200,
        split_confidence=1e-7,
        subspace_mode="sqrt",
        drift_delta=1e-5,
        warning_delta=1e-4,
    ),
    FOREST_2024: AdaptiveRandomForestRegressor(form="moa", members=10),
    FOREST_ALONE: AdaptiveRandomForestRegressor(
        form="moa",
        members=5,
        drift_detection=False,
        change_threshold=5,
        comparison_period=50,
        alternate_time=300,
    ),
}

GENERATED = {
    "friedman": friedman(),
    "nominal": friedman(seed=3, kinds=(0, 0, 0, 4, 5, 3, 0, 2)),
}

# MOA 2024.07 as packed in CapyMOA 0.15.1: `getVotesForInstance` of instance t, then
# `trainOnInstance` of instance t - delay, whose weight is its number modulo the last number
# unless that is 0. The digest is that of all predictions.
PREDICTIONS = {
    ("bike", OPTIONS, 0, 0): "f82d88ce58890f2a",
    ("bike", OPTIONS, 167, 0): "30eed6f739409e8e",
    ("friedman", OPTIONS, 0, 0): "6ff56dd69a35a729",
    ("friedman", OPTIONS_10, 0, 0): "f819fca2dbc50efb",
    ("friedman", OPTIONS_10, 0, 4): "1e5a936f6b24c213",
    ("bike", OPTIONS_10, 0, 0): "a01825e744114467",
    ("friedman", OPTIONS_30, 0, 0): "b0a35c6a4d720636",
    ("bike", OPTIONS_30, 0, 4): "415119f171aa8507",
    ("friedman", OPTIONS_50, 0, 0): "c475f7d4ebd087b9",
    ("friedman", OPTIONS_50, 0, 4): "24b77c4759f74676",
    ("bike", RULES, 0, 0): "685c0f11387c8c26",
    ("bike", RULES, 167, 0): "8c54586397b7ef5f",
    ("bike", EAGER_RULES, 0, 0): "c11c70002315be84",
    ("friedman", RULES, 0, 0): "171a18d5408ccf89",
    ("friedman", EAGER_RULES, 0, 0): "25de1180164e425b",
    ("friedman", EAGER_RULES, 0, 4): "d33d7a89defde6c0",
    ("nominal", RULES, 0, 0): "3280381d0f378c29",
    ("nominal", EAGER_RULES, 0, 0): "2f123818d00897d9",
    ("bike", FOREST_2018, 0, 0): "a0962519006e6247",
    ("friedman", FOREST_2018, 0, 0): "3677eed6b0732903",
    ("bike", FOREST_2024, 167, 0): "306796a57b42ce10",
    ("friedman", FOREST_2024, 0, 0): "256eb14e2fecd178",
    ("friedman", FOREST_ALONE, 0, 4): "626b43ad42640c13",
    ("bike", MEAN, 0, 0): "7b1de49e47103cff",
    ("bike", MEAN, 167, 0): "a8a5c17420ee1500",
    ("friedman", MEAN, 0, 0): "dc58acb40896b868",
    ("bike", TREE, 0, 0): "fe16738cb8b54108",
    ("bike", TREE, 167, 0): "aed47ca92b862bb6",
    ("friedman", TREE, 0, 0): "9c21960a8c094c3e",
    ("bike", TREE_SOON, 0, 0): "58a683747ff5af79",
    ("friedman", TREE_SOON, 0, 0): "2c9057c1761e4dbf",
    ("bike", TREE_SOON, 0, 4): "eb519b37564e2b6a",
    ("friedman", TREE_SOON, 0, 4): "626d68cfaa088789",
    ("friedman", TREE_SOONER, 0, 0): "66f4103e3fb557a3",
    ("friedman", TREE_SOONER, 0, 4): "58b3b799eeb18c72",
    ("bike", TREE_OF_MEANS, 0, 0): "72e958b51e8f35c9",
    ("friedman", TREE_OF_MEANS, 0, 0): "ec7ca309e977d315",
    ("friedman", TREE_OF_MEANS, 0, 4): "30e15179637925d6",
}


def tape_of(n, delay, weights):
    if not weights:
        return delayed(n, delay)
    return Tape(np.arange(n), np.full(n, PREDICT_THEN_LEARN), np.arange(n) % weights)


def check(stream, key):
    _, words, delay, weights = key
    predictions = LEARNERS[words].run(stream, tape_of(len(stream), delay, weights))
    assert digest(predictions.value) == PREDICTIONS[key]


@pytest.mark.parametrize("key", [key for key in PREDICTIONS if key[0] in GENERATED])
def test_predictions_on_a_generated_stream(key):
    check(GENERATED[key[0]], key)


@pytest.mark.parametrize("key", [key for key in PREDICTIONS if key[0] == "bike"])
def test_predictions_on_bike(real_stream, key):
    check(real_stream("bike"), key)


@pytest.mark.parametrize("form", ["moa", "corrected"])
def test_rules_predict_absurd_numbers_after_a_constant_input_as_moa_does(form):
    # MOA 2024.07: `setRandomSeed`, `resetLearning`, then each row predicted and learnt.
    expected = {1: 16.0, 4: -642779.3062303176, 7: -9987042.319731658, 8: 544339.8251980612}
    X = [[0.0, 12.1]] * 11 + [[1.0, 11.5]]
    y = [35.0, 6, 42, 14, 16, 15, 2, 14, 3, 12, 17, 31]
    stream = se.from_arrays(X, y, numeric_target=True)
    for seed, last in expected.items():
        assert AMRules(form=form).run(stream, delayed(12, 0), seed).value[-1] == last
    with pytest.warns(se.StreamWarning, match=r"amrules.*: 1 of 11 .* worst by 642,810"):
        se.evaluate(stream, AMRules(form=form), seed=4, progress=False)


@pytest.mark.moa
@pytest.mark.parametrize("words", LEARNERS)
def test_moa_itself(words, tmp_path):
    stream, n = friedman(4000, seed=7), 4000
    write_arff(stream, tmp_path / "stream.arff")
    task = (
        f"EvaluatePrequentialRegression -l ({words}) -s (ArffFileStream -f stream.arff) "
        f"-i {n} -f {n} -o predictions.csv"
    )
    moa.run_task(task, tmp_path)
    text = (tmp_path / "predictions.csv").read_text(encoding="utf-8")
    text = text.replace("Out 0: ", "").replace("null", "0.0")  # before the first instance
    predicted, true = np.loadtxt(text.splitlines(), delimiter=",").T
    np.testing.assert_array_equal(true, stream.y)
    predictions = LEARNERS[words].run(stream, delayed(n, 0)).value
    # MOA cuts its output after three decimals.
    np.testing.assert_allclose(predictions, predicted, rtol=0, atol=1e-3)


# --- Grzenda, Gomes, Bifet (2019), Table 2 ------------------------------------------------


#: A week, where a label comes before the instance of the same time.
DELAY = 167
PUBLISHED = {
    "target_mean": LEARNERS[MEAN],
    "fimt_dd": LEARNERS[TREE],
    "amrules": LEARNERS[RULES],
    "orto": LEARNERS[OPTIONS],
}


def published(learner):
    """The errors of the first and of the last bin."""
    path = ROOT / "resources" / "published" / "grzenda2019" / "table2.csv"
    with path.open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["learner"] == learner]
    return [row["mean_absolute_error"] for row in (rows[0], rows[-1])]


@pytest.mark.parametrize("name", PUBLISHED)
def test_first_and_last_predictions_of_table_2(real_stream, name):
    # Predictions of the last bin are made just before the label is learnt: test-then-train.
    # The columns of instance numbers and times, which the authors' reader leaves at 0.
    constants = {} if name == "target_mean" else {"constant_inputs": 2}
    stream, learner = real_stream("bike"), replace(PUBLISHED[name], **constants)
    for delay, expected in zip((DELAY, 0), published(name), strict=True):
        predictions = learner.run(stream, delayed(len(stream), delay))
        assert f"{mean_absolute_error(stream.y, predictions.value):.2f}" == expected
