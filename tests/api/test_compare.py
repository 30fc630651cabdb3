"""Comparing learners by ``streameval.compare``."""

from __future__ import annotations

import json

import numpy as np
import pytest
import scipy
from helpers.golden import HYPERPLANE, generated, nested_drifts

import streameval as se
from streameval.errors import ConfigError, DataError
from streameval.learners.adapters.moa import run_task, write_for_moa
from streameval.learners.ensembles.random_forest import RandomForest
from streameval.learners.learner import Learner
from streameval.learners.predictions import Predictions
from streameval.significance.significance_test import LEVEL
from streameval.streams.generators.random_tree import random_tree

SMALL_FOREST = RandomForest(members=3)
#: Our schemes and the words of MOA's option -a.
IN_MOA = {
    "bootstrap_validation": "Bootstrap-Validation",
    "cross_validation": "Cross-Validation",
    "split_validation": "Split-Validation",
}


class FirstClass:
    """Predict the first class."""

    def learn(self, x, y, w):
        pass

    def predict(self, x):
        return 0


class Noting(Learner):
    """Predict the first class, and note tapes and seeds."""

    name, reference = "noting", "none"

    def __init__(self):
        self.tapes, self.seeds = [], []

    def play(self, stream, tape, seed=1, *, scores=False, progress=None):
        self.tapes.append(tape)
        self.seeds.append(seed)
        rows = tape.predict_rows
        return Predictions(rows, np.zeros(len(rows), np.int16), stream.n_classes)


def small(**options):
    return se.compare(se.generate("sea", rows=400), ["naive_bayes", "majority"], **options)


@pytest.mark.parametrize("assignment", ["at_random", "moa"])
@pytest.mark.parametrize("validation", IN_MOA)
def test_learners_share_folds(validation, assignment):
    first, second, stream = Noting(), Noting(), se.generate("sea", rows=200)
    options = {"assignment": assignment, "folds": 3, "cores": 1}
    se.compare(stream, {"a": first, "b": second}, validation, **options)
    assert len(first.tapes) == 3
    for ours, theirs in zip(first.tapes, second.tapes, strict=True):
        for part in ("row", "op", "weight"):
            np.testing.assert_array_equal(getattr(ours, part), getattr(theirs, part))
    assert not set(first.seeds) & set(second.seeds)
    assert len(set(first.seeds)) == (1 if assignment == "moa" else 3)


def test_each_run_has_folds_and_seeds_of_its_own():
    noting, stream = Noting(), se.generate("sea", rows=200)
    found = se.compare(stream, [noting, "majority"], folds=2, runs=3, cores=1)
    weights = {tape.weight.tobytes() for tape in noting.tapes}
    assert len(weights) == len(set(noting.seeds)) == 6
    assert found.accuracies("noting").shape == (3, 2)
    assert found.test == found.pairs[0].test == "runs_t"
    again = Noting()
    se.compare(stream, [again, "majority"], folds=2, cores=1)  # the first run is that of one
    assert again.seeds == noting.seeds[:2]
    assert {tape.weight.tobytes() for tape in again.tapes} < weights


def test_the_folds_are_those_of_evaluate():
    stream = se.generate("sea", rows=400)
    found = se.compare(stream, ["naive_bayes", "majority"], "cross_validation", folds=4)
    predictions = se.evaluate(stream, "naive_bayes", "cross_validation:4:learnt").predictions
    is_right = predictions["true"].astype(str) == predictions["naive_bayes"].astype(str)
    expected = is_right.groupby(predictions["fold"]).mean()
    np.testing.assert_array_equal(found.accuracies("naive_bayes")[0], expected)
    np.testing.assert_array_equal(found.folds["naive_bayes"], expected)


def test_two_seeds_of_one_learner_are_rarely_told_apart():
    p_values = [
        se.compare(
            se.generate("sea", rows=500, seed=number),
            [SMALL_FOREST] * 2,
            validation,
            seed=number,
            cores=1,
        )
        .pairs[0]
        .p_value
        for validation in IN_MOA
        for number in range(100)
    ]
    low, high = scipy.stats.binom(len(p_values), LEVEL).interval(0.998)
    assert 0 < low <= np.count_nonzero(np.array(p_values) <= LEVEL) <= high < 0.1 * len(p_values)


def test_the_same_learner_is_named_apart_and_differs_by_seeds():
    found = se.compare(se.generate("sea", rows=500), ["random_forest"] * 2, folds=3)
    assert found.learners == ["random_forest", "random_forest 2"]
    assert (found.accuracies("random_forest") != found.accuracies("random_forest 2")).any()
    same = se.compare(se.generate("sea", rows=500), ["naive_bayes"] * 2, folds=3, rope=0)
    assert same.verdict == "practically equal"
    assert (same.pairs[0].low, same.pairs[0].high, same.pairs[0].p_value) == (0, 0, 1)


# EvaluatePrequentialCV of MOA as packed in CapyMOA 0.15.1, accuracy in percent: the mean over folds
# and the sample standard deviation. Where the streams come from: protocols/test_golden_folds.py.
MOA = [
    ("cross_validation", "naive_bayes", nested_drifts, (83.6925, 0.07119027711391156)),
    ("split_validation", "naive_bayes", nested_drifts, (83.038, 0.324903404448494)),
    ("bootstrap_validation", "naive_bayes", nested_drifts, (83.632, 0.1928038727135247)),
    (
        "cross_validation",
        "hoeffding_tree",
        lambda n: generated(n, **HYPERPLANE),
        (86.259, 0.17505237311540062),
    ),
]


@pytest.mark.parametrize(("validation", "learner", "make", "expected"), MOA)
def test_the_folds_of_moa_give_its_numbers(validation, learner, make, expected):
    found = se.compare(make(20_000), [learner, "no_change"], validation, assignment="moa")
    shown = [100 * value for value in found.accuracy(learner)]
    np.testing.assert_allclose(shown, expected, rtol=0, atol=1e-11)


@pytest.mark.moa
@pytest.mark.parametrize(("validation", "word"), IN_MOA.items())
def test_moa_itself_gives_the_same_numbers(tmp_path, validation, word):
    stream, folds = random_tree(4000, classes=3), 7
    write_for_moa(stream, tmp_path / "stream.arff")
    report = run_task(
        "EvaluatePrequentialCV -l trees.HoeffdingTree -s (ArffFileStream -f stream.arff) "
        f"-e BasicClassificationPerformanceEvaluator -i 4000 -f 4000 -w {folds} -a {word} -r 5",
        tmp_path,
    )
    found = se.compare(
        stream, ["hoeffding_tree", "majority"], validation, folds=folds, assignment="moa", seed=5
    )
    expected = [report[f"[{what}] classifications correct (percent)"] for what in ("avg", "err")]
    shown = [100 * value for value in found.accuracy("hoeffding_tree")]
    np.testing.assert_allclose(shown, expected, rtol=0, atol=1e-11)


def test_a_better_learner_is_found_and_how_much_better():
    found = se.compare(se.generate("sea", rows=3000), ["naive_bayes", "majority"])
    (pair,) = found.pairs
    differences = found.accuracies("naive_bayes")[0] - found.accuracies("majority")[0]
    expected = scipy.stats.ttest_1samp(differences, 0.0)
    assert (found.verdict, found.test) == ("A is better", "paired_t")
    assert pair.p_value == pytest.approx(expected.pvalue)
    assert (pair.low, pair.high) == pytest.approx(tuple(expected.confidence_interval(0.95)))
    time = found.over_time("naive_bayes", "majority")
    assert time.low[-1] <= pair.difference <= time.high[-1]
    assert time.low[-1] > 0


def test_several_runs_are_judged_by_their_means():
    found = small(runs=4, folds=3, reading="held_out")
    differences = found.accuracies("naive_bayes") - found.accuracies("majority")
    expected = scipy.stats.ttest_1samp(differences.mean(axis=1), 0.0)
    assert found.pairs[0].p_value == pytest.approx(expected.pvalue)
    assert "fewer than 5" in found.plan.condition
    assert {"t-test over independent runs", "Paired t"} & {*found.tests["test"]} == {"Paired t"}


def test_all_pairs_of_more_learners():
    learners = ["naive_bayes", "majority", "hoeffding_tree", "no_change"]
    found = se.compare(se.generate("sea", rows=1000), learners, folds=4)
    assert len(found.pairs) == 6
    assert found.with_baselines == learners
    with pytest.raises(ConfigError, match=r"two learners for one verdict, found 4\. Use pairs"):
        _ = found.verdict
    known = found.to_dict()
    first = known["pairs"][0]
    assert (first["first"], first["second"]) == tuple(learners[:2])
    assert "verdict" not in known
    text = "\n".join(found.lines())
    assert "by Holm" in text
    assert text.count("p-value   ") == 6


def test_plain_numbers_for_json():
    one, several = small(folds=3), small(folds=3, runs=2)
    found = json.loads(json.dumps(one.to_dict(), allow_nan=False))
    wanted = {"learners", "folds", "difference", "interval", "p_value", "test", "estimand"}
    wanted |= {"verdict", "confidence_sequence", "effective_size", "runs", "seconds", "rope"}
    assert wanted <= {*found}
    assert {"pairs", "tests"} & {*found} == set()
    assert {*found["learners"]} == {*found["folds"]} == {"naive_bayes", "majority"}
    assert found["folds"]["naive_bayes"] == one.accuracies("naive_bayes")[0].tolist()
    assert np.shape(several.to_dict()["folds"]["majority"]) == (2, 3)
    gain = found["learners"]["naive_bayes"]
    assert gain["over_majority"] == gain["accuracy"] - found["baselines"]["majority"]
    assert found["difference"] == pytest.approx(gain["over_majority"])
    assert len(one.to_dict(more=True)["tests"]) == len(one.tests) > 5


def test_what_is_undefined_is_null():
    stream = se.from_arrays(np.arange(60.0)[:, None], ["a", "b"] * 30)
    found = se.compare(stream, [FirstClass, "majority"], "cross_validation", folds=2).to_dict()
    json.dumps(found, allow_nan=False)
    same = se.compare(stream, [FirstClass, FirstClass], folds=2).to_dict(more=True)
    assert {size["size"] for size in same["effective_size"]} == {None}
    json.dumps(same, allow_nan=False)


def test_with_one_run_nothing_is_said_about_seeds():
    assert "nothing can be said about other seeds" in " ".join(str(small(folds=2)).split())
    moa = small(folds=2, assignment="moa")
    assert "these seeds, and nothing can be said about other seeds" in moa.plan.condition
    assert "share one seed" in moa.plan.estimand


def test_other_tests_say_what_they_are_about():
    tests = small(folds=5).tests
    assert len(tests) == len(set(tests["test"]))
    assert "Paired t" not in set(tests["test"])  # it decides
    assert tests["estimand"].str.len().min() > 10
    bayesian = tests["test"] == "Bayesian correlated t"
    assert tests[~bayesian]["p_value"].between(0, 1).all()
    probabilities = tests[["first_better", "practically_equal", "second_better"]]
    assert probabilities[~bayesian].isna().all(axis=None)
    assert probabilities[bayesian].sum(axis=1).tolist() == pytest.approx([1.0])


def test_the_figure_has_names_and_units():
    figure = small(folds=2, rope=0.02).plot(points=50)
    (axes,) = figure.axes
    assert axes.get_xlabel() == "instances (thousands)"
    assert "A − B (points)" in axes.get_ylabel()
    assert axes.get_title(loc="left") == "A: Naive Bayes, B: Majority"
    (legend,) = figure.legends
    assert "practically equal (±2 points)" in [text.get_text() for text in legend.get_texts()]
    with pytest.raises(ConfigError, match="points: expected a whole number above 0"):
        small(folds=2).plot(points=0)


def test_the_curve_ends_with_the_mean_of_all():
    found = small(folds=2)
    line = found.plot(points=7).axes[0].get_lines()[-1]
    mean = found.over_time("naive_bayes", "majority").mean
    assert line.get_xdata()[-1] == len(mean)
    assert line.get_ydata()[-1] == 100 * mean[-1]
    assert len(line.get_xdata()) == 7


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"validation": "crossvalidation"}, "validation: .*Did you mean 'cross_validation'"),
        ({"validation": "prequential"}, "validation: expected one of cross_validation, split"),
        ({"assignment": "MOA"}, "assignment: expected one of at_random, moa, found 'MOA'"),
        ({"reading": "learned"}, "reading: .*Did you mean 'learnt'"),
        ({"folds": 1}, "folds"),
        ({"runs": 0}, "runs: expected a whole number above 0, found 0"),
        ({"runs": 2, "assignment": "moa"}, "whose folds are the same in every run, found 2"),
        ({"rope": -1}, "rope: expected a difference in accuracy from 0 to 1"),
        ({"cores": 0}, "cores: expected a whole number above 0"),
        ({"seed": 1.5}, "seed: expected a whole number"),
    ],
)
def test_parameters_that_are_wrong(options, said):
    with pytest.raises(ConfigError, match=said):
        small(**options)


@pytest.mark.parametrize("learners", ["naive_bayes", ["naive_bayes"], {"a": "naive_bayes"}, []])
def test_one_learner_is_not_enough(learners):
    with pytest.raises(ConfigError, match="Expected two or more learners to compare, found"):
        se.compare(se.generate("sea", rows=50), learners)


def test_streams_that_cannot_be_compared_on():
    with pytest.raises(DataError, match="found none in fold"):
        se.compare(se.generate("sea", rows=5), ["naive_bayes", "majority"], "split_validation")
    with pytest.raises(DataError, match="Expected a stream, found str"):
        se.compare("sea", ["naive_bayes", "majority"])


def test_models_of_others_are_compared():
    linear = pytest.importorskip("sklearn.linear_model")
    stream = se.generate("sea", rows=200)
    model = linear.SGDClassifier()
    found = se.compare(stream, [model, FirstClass], folds=2)
    assert found.learners == ["SGDClassifier", "FirstClass"]
    assert not hasattr(model, "coef_")
