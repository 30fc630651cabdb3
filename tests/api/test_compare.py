"""Comparing learners by ``streameval.compare``."""

from __future__ import annotations

import copy
import json
from dataclasses import replace

import numpy as np
import pytest
import scipy

import streameval as se
from streameval.api.comparison import _contrary_runs
from streameval.base.errors import ConfigError, DataError
from streameval.evaluation.verdict_words import BEATS, LOSES_TO, UNDECIDED, baseline_sentences
from streameval.learners.ensembles.bagging import RandomForest
from streameval.significance.significance_test import LEVEL
from streameval.significance.stream_mean import stream_mean

SMALL_FOREST = RandomForest(members=3)
BY_FOLDS = ("bootstrap_validation", "cross_validation", "split_validation")


class FirstClass:
    """Predict the first class."""

    def learn(self, x, y, w):
        pass

    def predict(self, x):
        return 0


def small(protocol="prequential", **options):
    stream = se.generate("sea", rows=400)
    return se.compare(stream, ["naive_bayes", "majority"], protocol, **options)


def test_prequential_runs_are_those_of_evaluate():
    stream = se.generate("sea", rows=400)
    comparison = se.compare(stream, ["naive_bayes", "majority"])
    expected = se.evaluate(stream, "naive_bayes").measures("accuracy")["accuracy"]
    for learner in ("naive_bayes", "majority"):
        assert comparison.mean(learner)[0] == pytest.approx(expected[learner], abs=1e-15)
    assert comparison.runs == 1
    assert comparison.pairs == comparison.prequential


def test_learners_that_draw_run_five_times():
    comparison = se.compare(
        se.generate("sea", rows=400), {"forest": SMALL_FOREST, "naive_bayes": "naive_bayes"}
    )
    assert (comparison.runs, comparison.random_learners) == (5, ["forest"])
    assert comparison.by_fold("forest").shape == (5, 1)
    assert len(set(comparison.by_fold("forest").ravel())) > 1
    assert len(set(comparison.by_fold("naive_bayes").ravel())) == 1
    assert "5 runs of forest" in "\n".join(comparison.lines())
    assert "of the instances and the seeds" in "\n".join(comparison.lines())


def test_one_run_of_a_learner_that_draws_decides_nothing():
    comparison = se.compare(se.generate("sea", rows=2000), [SMALL_FOREST, "majority"], runs=1)
    assert comparison.verdict == "cannot be told from"
    assert "one run does not cover other seeds" in comparison.pairs[0].reason
    assert np.isnan(comparison.pairs[0].low)


@pytest.mark.parametrize("scheme", [None, *BY_FOLDS])
def test_two_seeds_of_one_learner_are_rarely_told_apart(scheme):
    """With a rope of 0 the interval excludes 0 in at most 5 % of runs, or sampling error above."""
    verdicts = [
        se.compare(
            se.generate("sea", rows=500, seed=number),
            [SMALL_FOREST] * 2,
            scheme and f"{scheme}:seed={number}",
            rope=0,
            seed=number,
            cores=1,
        ).verdict
        for number in range(60)
    ]
    wrong = sum(verdict in ("beats", "loses to") for verdict in verdicts)
    assert wrong <= scipy.stats.binom(len(verdicts), LEVEL).ppf(0.999)


def test_the_same_learner_is_named_apart_and_differs_by_seeds():
    comparison = se.compare(se.generate("sea", rows=500), ["random_forest"] * 2)
    assert comparison.learners == ["random_forest", "random_forest 2"]
    assert (comparison.by_fold("random_forest") != comparison.by_fold("random_forest 2")).any()
    same = se.compare(se.generate("sea", rows=500), ["naive_bayes"] * 2, rope=0)
    assert same.verdict == "cannot be told from"
    assert same.pairs[0].reason == "all 500 values are equal"
    assert same.pairs[0].signs == (0, 500, 0)


def test_twenty_instances_decide_nothing():
    comparison = se.compare(se.generate("sea", rows=20, seed=3), ["hoeffding_tree", "naive_bayes"])
    assert comparison.verdict == "cannot be told from"
    assert comparison.to_dict()["interval"] is None


@pytest.mark.parametrize("options", [{}, {"runs": 5}, {"protocol": "cross_validation"}])
def test_one_instance_of_a_thousand_decides_nothing(options):
    """Two constant learners that differ in one prediction, with no region of equivalence."""

    class Almost(FirstClass):
        def predict(self, x):
            return int(x[0] == 500)

    labels = np.array(["a", "b"] * 500)
    stream = se.from_arrays(np.arange(1000.0)[:, None], labels)
    comparison = se.compare(stream, [FirstClass, Almost], rope=0, **options)
    assert comparison.verdict == "cannot be told from"
    assert np.isnan(comparison.pairs[0].p_value)


def test_a_better_learner_is_found_and_how_much_better():
    stream = se.generate("sea", rows=3000)
    comparison = se.compare(stream, ["naive_bayes", "majority"])
    (pair,) = comparison.pairs
    predictions = se.evaluate(stream, "naive_bayes").predictions.astype(str)
    right = {name: predictions[name] == predictions["true"] for name in comparison.learners}
    expected = stream_mean(right["naive_bayes"].astype(float) - right["majority"])
    assert comparison.verdict == "beats"
    assert (pair.low, pair.high, pair.p_value) == (expected.low, expected.high, expected.p_value)
    over = comparison.difference("naive_bayes", "majority")
    assert (over.low, over.high) == (pair.low, pair.high)
    time = comparison.over_time("naive_bayes", "majority")
    assert 0 < time.low[-1] <= pair.difference <= time.high[-1]


class Until(FirstClass):
    """Predict the second class after so many labels, the first one before."""

    known = 0

    def learn(self, x, y, w):
        self.known += 1

    def predict(self, x):
        return int(self.known >= 300)


def with_verdicts(comparison, pair, plain):
    """A comparison with another verdict, and another one of its prequential runs."""
    other = copy.copy(comparison)
    other.__dict__ |= {"pairs": [pair], "prequential": [plain]}
    return other


def test_signs_that_differ_are_said_in_the_first_line():
    """By few labels the learner predicts the frequent class, by many the rare one."""
    stream = se.from_arrays(np.arange(2000.0)[:, None], ["a", "b", "a", "a"] * 500)
    other = se.compare(stream, [Until, "no_change"], "split_validation:10")
    assert other.prequential[0].difference < 0 < other.pairs[0].difference
    (pair,), (plain,) = other.pairs, other.prequential
    assert (pair.verdict, plain.verdict) == (BEATS, UNDECIDED)
    assert (
        f"In prequential runs, which learn from all instances, {plain.sentence}."
        in other._sentence(pair)
    )
    opposite = _contrary_runs(with_verdicts(other, pair, replace(plain, verdict=LOSES_TO)), pair)
    assert "show the opposite" in opposite
    # Two that are undecided do not contradict each other, whatever their signs.
    undecided = replace(pair, verdict=UNDECIDED, reason="few")
    assert not _contrary_runs(with_verdicts(other, undecided, plain), undecided)


def test_all_pairs_of_more_learners():
    learners = ["naive_bayes", "majority", "hoeffding_tree", "no_change"]
    comparison = se.compare(se.generate("sea", rows=1000), learners)
    assert len(comparison.pairs) == 6
    assert comparison.learners_and_baselines == learners
    with pytest.raises(ConfigError, match=r"two learners .*found 4\b.* pairs"):
        _ = comparison.verdict
    known = comparison.to_dict()
    first = known["pairs"][0]
    assert (first["first"], first["second"]) == tuple(learners[:2])
    assert "verdict" not in known
    text = "\n".join(comparison.lines())
    assert "for all 6 pairs at once (Bonferroni)" in " ".join(text.split())
    assert text.count("A and B   ") == 6
    for pair in comparison.pairs:
        if not np.isnan(pair.low):
            assert (pair.p_value < LEVEL) == (not pair.low <= 0 <= pair.high)


def test_confidence_sequences_hold_for_all_pairs_at_once():
    stream = se.generate("sea", rows=1000)
    alone = se.compare(stream, ["naive_bayes", "majority"])
    more = se.compare(stream, ["naive_bayes", "majority", "no_change"])
    pair = ("naive_bayes", "majority")
    assert more.over_time(*pair).low[-1] < alone.over_time(*pair).low[-1]
    text = " ".join("\n".join(more.lines()).split())
    assert text.count("of these runs, at all times at once, for all 3 pairs") == 3


def test_plain_numbers_for_json():
    single, several = (small("bootstrap_validation:3", runs=runs) for runs in (1, 2))
    plain = json.loads(json.dumps(single.to_dict(), allow_nan=False))
    wanted = {"learners", "folds", "difference", "interval", "p_value", "estimand", "learnt"}
    wanted |= {"verdict", "reason", "confidence_sequence", "effective_size", "runs", "rope"}
    assert wanted <= {*plain}
    assert {"pairs", "tests"} & {*plain} == set()
    assert {*plain["learners"]} == {*plain["folds"]} == {"naive_bayes", "majority"}
    assert plain["folds"]["naive_bayes"] == single.by_fold("naive_bayes")[0].tolist()
    assert np.shape(several.to_dict()["folds"]["majority"]) == (2, 3)
    gain = small().to_dict()
    over = gain["learners"]["naive_bayes"]
    expected = over["accuracy"] - gain["baselines"]["majority"]
    assert over["over_majority"] == gain["difference"] == pytest.approx(expected)
    assert over["over_majority_interval"] == gain["interval"]
    tests = single.to_dict(more=True)["tests"]
    assert len(tests) == len(single.tests) > 5
    keys = {"first", "second", "test", "estimand", "p_value"}
    assert {*tests[0]} == keys | {"first_better", "practically_equal", "second_better"}
    held_out = small("cross_validation:3:held_out:seed=7")
    assert held_out.to_dict()["protocol"] == "cross_validation:3:held_out:at_random:7"
    moa = small("bootstrap_validation:allotment=in_turn")
    assert moa.to_dict()["protocol"] == "bootstrap_validation:10:all:in_turn"


def test_undefined_values_are_null():
    stream = se.from_arrays(np.arange(60.0)[:, None], ["a", "b"] * 30)
    plain = se.compare(stream, [FirstClass, "majority"], "cross_validation:2").to_dict()
    json.dumps(plain, allow_nan=False)
    same = se.compare(stream, [FirstClass, FirstClass]).to_dict(more=True)
    assert (same["interval"], same["p_value"]) == (None, None)
    json.dumps(same, allow_nan=False)


def test_models_with_one_seed_say_nothing_about_others():
    moa = se.compare(
        se.generate("sea", rows=400),
        [SMALL_FOREST, "naive_bayes", "majority"],
        "bootstrap_validation:allotment=in_turn",
    )
    why = "all models of random_forest(members=3) have one seed"
    drawing, _, steady = moa.pairs
    assert drawing.reason.startswith(why)
    assert "other seeds" in drawing.reason
    assert np.isnan(drawing.low)
    assert steady.low < steady.high  # neither draws, so that there are no other seeds
    text = " ".join("\n".join(moa.lines(more=True)).split())
    assert "and the folds, but not of the seeds of random_forest(members=3)" in text
    # Tests over the seeds are not shown where there is one.
    said, _, silent = text.partition("Tests that do not apply here:")
    assert "over their seeds" not in said
    for title in ("Paired t", "Sign test, exact", "Wilcoxon signed-rank"):
        assert f"{title} is about other seeds, too; {why}" in silent
    # The prequential runs beside it have seeds of their own.
    assert moa._prequential_runs.differences("random_forest(members=3)", "naive_bayes").shape == (
        5,
        1,
    )
    assert np.isfinite(moa.prequential[0].low)


def test_one_run_of_a_learner_that_draws_is_not_called_a_learner_that_does_not():
    stream = se.generate("sea", rows=400)
    comparison = se.compare(stream, [SMALL_FOREST, "naive_bayes"], runs=1)
    text = " ".join("\n".join(comparison.lines()).split())
    drawing = "random_forest(members=3)"
    assert f"{drawing} draws at random, and one run does not cover other seeds" in text
    assert f"one run, although {drawing} draws at random" in text
    assert f"95 %, of the instances, but not of the seeds of {drawing}" in text
    assert "no learner draws" not in text


def test_other_tests_say_what_they_are_about():
    tests = small("bootstrap_validation:5:held_out").tests
    assert len(tests) == len(set(tests["test"]))
    assert tests["estimand"].str.len().min() > 10
    bayesian = tests["test"] == "Bayesian correlated t"
    assert tests[~bayesian]["p_value"].between(0, 1).all()
    probabilities = tests[["first_better", "practically_equal", "second_better"]]
    assert probabilities[~bayesian].isna().all(axis=None)
    assert probabilities[bayesian].sum(axis=1).tolist() == pytest.approx([1.0])


@pytest.mark.parametrize(("rope", "region"), [(0.01, "±1 point"), (0.02, "±2 points")])
def test_the_figure_has_names_and_units(rope, region):
    axes = small(rope=rope).plot(points=50)
    assert axes.figure.axes == [axes]
    assert axes.get_xlabel() == "instances"  # few of them are not counted in thousands
    assert "A − B (points)" in axes.get_ylabel()
    assert axes.get_title(loc="left") == "A: Naive Bayes, B: Majority"
    (legend,) = axes.figure.legends
    assert f"practically equal ({region})" in [text.get_text() for text in legend.get_texts()]
    with pytest.raises(ConfigError, match="points: expected a whole number above 0"):
        small().plot(points=0)


def test_the_curve_ends_with_the_mean_of_all():
    comparison = small()
    line = comparison.plot(points=7).get_lines()[-1]
    mean = comparison.over_time("naive_bayes", "majority").mean
    assert line.get_xdata()[-1] == len(mean)
    assert line.get_ydata()[-1] == 100 * mean[-1]
    assert len(line.get_xdata()) == 7


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"protocol": "crossvalidation"}, "no protocol .*'cross_validation'"),
        ({"protocol": "prequential:folds=3"}, "unknown key 'folds'; known are pretrain"),
        ({"protocol": "prequential:tested=all"}, "unknown key 'tested'; known are pretrain"),
        ({"protocol": "prequential:allotment=in_turn"}, "unknown key 'allotment'"),
        (
            {"protocol": "bootstrap_validation:allotment=MOA"},
            "at allotment: expected one of at_random, in_turn, found 'MOA'",
        ),
        ({"protocol": "bootstrap_validation:10:learned"}, "tested: .*Did you mean 'learnt'"),
        ({"protocol": "bootstrap_validation:1"}, "at folds: .*from 2 .*, found '1'"),
        ({"protocol": "prequential:50"}, "protocol: expected prequential, .*pretrain=N"),
        ({"protocol": "delayed:5"}, "protocol: expected prequential, .*--delay for delayed labels"),
        (
            {"protocol": "reevaluation"},
            "protocol: expected prequential, .*--delay for delayed labels",
        ),
        ({"runs": 0}, "runs: .*above 0 .*, found 0"),
        (
            {"protocol": "bootstrap_validation:allotment=in_turn", "runs": 2},
            "whose folds are the same in every run, found 2",
        ),
        ({"rope": -1}, "rope: .*from 0 to 1"),
        ({"cores": 0}, "cores: expected a whole number above 0"),
        ({"seed": 1.5}, "seed: expected a whole number"),
    ],
)
def test_parameters_that_are_wrong(options, said):
    with pytest.raises(ConfigError, match=said):
        small(**options)


@pytest.mark.parametrize("learners", ["naive_bayes", ["naive_bayes"], {"a": "naive_bayes"}, []])
def test_one_learner_is_not_enough(learners):
    with pytest.raises(ConfigError, match=r"[Tt]wo .*learners .*found"):
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
    comparison = se.compare(stream, [model, FirstClass])
    assert comparison.learners == ["SGDClassifier", "FirstClass"]
    assert not hasattr(model, "coef_")


class Flags(FirstClass):
    """Predict the rare class from the input that holds it."""

    def predict(self, x):
        return int(x[0] > 0.5)


@pytest.mark.filterwarnings("ignore::streameval.StreamWarning")  # one input gives the target
def test_a_perfect_detector_of_a_rare_class_beats_one_that_never_flags():
    """With 0.5 % in the rare class the gain of 0.5 points is all that there is to gain."""
    rare = np.random.default_rng(1).random(20_000) < 0.005
    stream = se.from_arrays(np.c_[rare, np.arange(20_000) % 7], np.where(rare, "rare", "frequent"))
    comparison = se.compare(stream, {"perfect": Flags, "never": FirstClass})
    assert comparison.verdict == "beats"
    assert comparison.plan.rope == pytest.approx(0.02 * (1 - comparison.mean("majority")[0]))
    assert comparison.plan.rope < 0.0002
    # A point, where the user asks for it, is more than all there is to gain.
    wide = se.compare(stream, {"perfect": Flags, "never": FirstClass}, rope=0.01)
    assert wide.verdict == "practically equal"
    assert "within ±1 point)" in wide.lines()[0]
    # Evaluations say it with the same region and the same words.
    result = se.evaluate(stream, {"perfect": Flags, "majority": "majority"})
    assert result.rope == comparison.plan.rope
    over_majority = se.compare(stream, {"perfect": Flags, "majority": "majority"})
    said = baseline_sentences("perfect", result.over_baselines()["perfect"], result.rope)
    assert f"{over_majority.pairs[0].predicate('Majority')}." in said[0]


def test_nearly_equal_classes_have_a_region_of_about_a_point():
    stream = se.from_arrays(
        np.arange(4000.0)[:, None], np.random.default_rng(2).choice([*"ab"], 4000)
    )
    comparison = se.compare(stream, ["majority", "no_change"])
    assert comparison.plan.rope == pytest.approx(0.01, abs=0.0005)
    assert "2 % of the error of" in comparison.plan.rule


class _Copy:
    """Predict the input, which is the label or target, but where it is wrong."""

    def __init__(self, schema):
        self.kind = int if schema.classes else float

    def learn(self, x, y, w):
        """Learn nothing."""

    def predict(self, x):
        """The first input."""
        return self.kind(x[0])


def _stretches(n, *, numeric):
    """Independent labels, and an input that is wrong for 20 instances at a time in the mean."""
    draws = np.random.default_rng(4)
    wrong = np.repeat(draws.random(n) < 0.25, draws.geometric(1 / 20, n))[:n]
    y = draws.integers(0, 2, n)
    X = np.where(wrong, 1 - y, y)[:, None].astype(float)
    return se.from_arrays(X, y.astype(float) if numeric else y, numeric_target=numeric)


@pytest.mark.parametrize(
    ("numeric", "base", "other"),
    [(False, "no_change", "naive_bayes"), (True, "previous_target", "target_mean")],
    ids=["classes", "numbers"],
)
@pytest.mark.parametrize(("n", "is_short"), [(400, True), (20_000, False)])
def test_errors_in_few_runs_have_no_interval_over_baselines(n, is_short, numeric, base, other):
    stream = _stretches(n, numeric=numeric)
    result = se.evaluate(stream, {"copy": _Copy}, progress=False)
    difference = result.differences(base).loc["copy"]
    assert np.isnan(difference["low"]) == is_short
    assert difference["reason"].startswith("errors come in") == is_short
    compared = se.compare(stream, {"copy": _Copy, "other": other}, progress=False)
    over = compared.difference("copy", base)
    assert over.reason.startswith("errors come in") == is_short
    skills = [compared.skill("copy", base)]
    skills += [] if numeric else [result.level("copy", "kappa_temporal")]
    assert {bool(interval.reason) for interval in (over, *skills)} == {is_short}
