"""Comparing learners by ``streameval.compare`` over folds, as MOA does."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.golden import HYPERPLANE, generated, nested_drifts

import streameval as se
from streameval.learners.adapters.moa import run_task, write_for_moa
from streameval.learners.learner import Learner
from streameval.learners.predictions import Predictions
from streameval.significance.stream_mean import Sample, stream_mean
from streameval.streams.generators.random_tree import RandomTree

#: Our schemes and the words of MOA's option -a.
IN_MOA = {
    "bootstrap_validation": "Bootstrap-Validation",
    "cross_validation": "Cross-Validation",
    "split_validation": "Split-Validation",
}


def folded(protocol, **options):
    return se.compare(
        se.generate("sea", rows=400), ["naive_bayes", "majority"], protocol, **options
    )


class Noting(Learner):
    """Predict the first class, and note tapes and seeds."""

    name, reference = "noting", "none"

    def __init__(self):
        self.tapes, self.seeds = [], []

    def run(self, stream, tape, seed=1, *, scores=False, progress=None):
        self.tapes.append(tape)
        self.seeds.append(seed)
        rows = tape.predict_rows
        return Predictions(rows, np.zeros(len(rows), np.int16), stream.n_classes)


@pytest.mark.parametrize("allotment", ["at_random", "in_turn"])
@pytest.mark.parametrize("scheme", IN_MOA)
def test_learners_share_folds(scheme, allotment):
    first, second, stream = Noting(), Noting(), se.generate("sea", rows=200)
    protocol = {"name": scheme, "folds": 3, "allotment": allotment}
    se.compare(stream, {"a": first, "b": second}, protocol, cores=1)
    plain, folds = first.tapes[:2], first.tapes[2:]
    assert {len(tape) for tape in plain} == {200}
    assert len(folds) == 3
    for ours, theirs in zip(first.tapes, second.tapes, strict=True):
        for part in ("row", "op", "weight"):
            np.testing.assert_array_equal(getattr(ours, part), getattr(theirs, part))
    assert not set(first.seeds) & set(second.seeds)
    assert len(set(first.seeds[2:])) == (1 if allotment == "in_turn" else 3)


def test_each_run_has_folds_and_seeds_of_its_own():
    noting, stream = Noting(), se.generate("sea", rows=200)
    options = {"protocol": "bootstrap_validation:2", "cores": 1}
    comparison = se.compare(stream, [noting, "majority"], runs=3, **options)
    tapes, seeds = noting.tapes[2:], noting.seeds[2:]
    weights = {tape.weight.tobytes() for tape in tapes}
    assert len(weights) == len(set(seeds)) == 6
    assert comparison.by_fold("noting").shape == (3, 2)
    again = Noting()
    se.compare(stream, [again, "majority"], **options)  # the first run is that of one
    assert again.seeds[2:] == seeds[:2]
    assert {tape.weight.tobytes() for tape in again.tapes[2:]} < weights


def test_the_folds_are_those_of_evaluate():
    stream = se.generate("sea", rows=400)
    comparison = se.compare(stream, ["naive_bayes", "majority"], "cross_validation:4")
    predictions = se.evaluate(stream, "naive_bayes", "cross_validation:4").predictions
    is_right = predictions["true"].astype(str) == predictions["naive_bayes"].astype(str)
    expected = is_right.groupby(predictions["fold"]).mean()
    np.testing.assert_array_equal(comparison.by_fold("naive_bayes")[0], expected)
    np.testing.assert_array_equal(comparison.folds["naive_bayes"], expected)


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


@pytest.mark.parametrize(("scheme", "learner", "make", "expected"), MOA)
def test_the_folds_of_moa_give_its_numbers(scheme, learner, make, expected):
    comparison = se.compare(make(20_000), [learner, "no_change"], f"{scheme}:allotment=in_turn")
    percentages = [100 * value for value in comparison.mean(learner)]
    np.testing.assert_allclose(percentages, expected, rtol=0, atol=1e-11)


@pytest.mark.moa
@pytest.mark.parametrize(("scheme", "word"), IN_MOA.items())
def test_moa_itself_gives_the_same_numbers(tmp_path, scheme, word):
    stream, folds = RandomTree(classes=3).stream(4000), 7
    write_for_moa(stream, tmp_path / "stream.arff")
    report = run_task(
        "EvaluatePrequentialCV -l trees.HoeffdingTree -s (ArffFileStream -f stream.arff) "
        f"-e BasicClassificationPerformanceEvaluator -i 4000 -f 4000 -w {folds} -a {word} -r 5",
        tmp_path,
    )
    protocol = f"{scheme}:{folds}:all:in_turn:5"
    comparison = se.compare(stream, ["hoeffding_tree", "majority"], protocol, seed=5)
    expected = [report[f"[{what}] classifications correct (percent)"] for what in ("avg", "err")]
    percentages = [100 * value for value in comparison.mean("hoeffding_tree")]
    np.testing.assert_allclose(percentages, expected, rtol=0, atol=1e-11)


def test_several_runs_with_folds_are_judged_by_their_means():
    comparison = folded("bootstrap_validation:3:held_out", runs=4)
    spread = comparison.by_fold("naive_bayes") - comparison.by_fold("majority")
    series = comparison._runs.advantages("naive_bayes", "majority")
    expected = stream_mean(Sample(series, spread.mean(axis=1)))
    assert comparison.pairs[0].low == pytest.approx(expected.low)
    assert "4 runs" in "\n".join(comparison.lines())


def test_models_are_tested_on_what_they_learn_and_in_turn_on_all():
    ours, learnt, everything, of_moa = (
        folded(f"bootstrap_validation:3{more}").by_fold("naive_bayes").tolist()
        for more in ("", ":learnt", ":all", ":allotment=in_turn")
    )
    assert ours == learnt != everything
    assert of_moa == folded("bootstrap_validation:3:all:in_turn").by_fold("naive_bayes").tolist()
    assert of_moa != folded("bootstrap_validation:3:learnt:in_turn").by_fold("naive_bayes").tolist()


def test_the_seed_of_the_folds_is_that_of_the_protocol():
    first, same, other = (
        folded(f"cross_validation:3{option}", seed=seed).by_fold("naive_bayes").tolist()
        for option, seed in (("", 1), ("", 2), (":seed=2", 1))
    )
    assert first == same != other


def test_folds_name_their_training_fraction_and_the_prequential_verdict():
    comparison = se.compare(
        se.generate("sea", rows=3000), ["hoeffding_tree", "no_change"], "split_validation"
    )
    text = " ".join("\n".join(comparison.lines()).split())
    assert "models that learn from about 10 % of the instances" in text
    assert "in prequential runs" in text
    known = comparison.to_dict()
    alone = se.compare(se.generate("sea", rows=3000), ["hoeffding_tree", "no_change"]).to_dict()
    assert known["prequential"] == alone["prequential"]
