"""Comparing learners by ``streameval.compare``."""

from __future__ import annotations

import copy
import json
from dataclasses import replace

import numpy as np
import pytest
import scipy

import streameval as se
from streameval.base.errors import ConfigError, DataError
from streameval.evaluation.verdict_words import BEATS, LOSES_TO, UNDECIDED
from streameval.learners.ensembles.bagging import RandomForest
from streameval.significance.significance_test import LEVEL

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
    assert np.isnan(comparison.pairs[0].low)
    text, drawing = " ".join("\n".join(comparison.lines()).split()), "random_forest(members=3)"
    assert f"{drawing} draws at random, and one run does not cover other seeds" in text
    assert f"one run, although {drawing} draws at random" in text
    assert f"95 %, of the instances, but not of the seeds of {drawing}" in text
    assert "no learner draws" not in text


@pytest.mark.parametrize("scheme", [None, *BY_FOLDS])
def test_two_seeds_of_one_learner_are_rarely_told_apart(scheme):
    """With a rope of 0 the interval excludes 0 in at most 5 % of runs, or sampling error above."""
    verdicts = [
        se.compare(
            se.generate("sea", rows=300, seed=number),
            [SMALL_FOREST] * 2,
            scheme and f"{scheme}:4:seed={number}",
            rope=0,
            seed=number,
            cores=1,
        ).verdict
        for number in range(40)
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


class Until(FirstClass):
    """Predict the second class after so many labels, the first one before."""

    known = 0

    def learn(self, x, y, w):
        self.known += 1

    def predict(self, x):
        return int(self.known >= 300)


def verdict_sentences(comparison, pair, plain):
    """The sentences of a comparison with other verdicts, the second of prequential runs."""
    other = copy.copy(comparison)
    other.__dict__ |= {"pairs": [pair], "prequential": [plain]}
    return " ".join(other.sentences())


def test_signs_that_differ_are_said_in_the_first_line():
    """By few labels the learner predicts the frequent class, by many the rare one."""
    stream = se.from_arrays(np.arange(2000.0)[:, None], ["a", "b", "a", "a"] * 500)
    other = se.compare(stream, [Until, "no_change"], "split_validation:10")
    assert other.prequential[0].difference < 0 < other.pairs[0].difference
    (pair,), (plain,) = other.pairs, other.prequential
    assert (pair.verdict, plain.verdict) == (BEATS, UNDECIDED)
    said = f"In prequential runs, which learn from all instances, {plain.sentence}."
    assert said in other.sentences()[0]
    opposite = verdict_sentences(other, pair, replace(plain, verdict=LOSES_TO))
    assert "show the opposite" in opposite
    # Two that are undecided do not contradict each other, whatever their signs.
    undecided = replace(pair, verdict=UNDECIDED, reason="few")
    assert "requential runs" not in verdict_sentences(other, undecided, plain)


def test_all_pairs_of_more_learners():
    learners = ["naive_bayes", "majority", "hoeffding_tree", "no_change"]
    stream = se.generate("sea", rows=1000)
    comparison, alone = se.compare(stream, learners), se.compare(stream, learners[:2])
    assert len(comparison.pairs) == 6
    assert comparison.learners_and_baselines == learners
    with pytest.raises(ConfigError, match=r"two learners .*found 4\b.* pairs"):
        _ = comparison.verdict
    known = comparison.to_dict()
    assert [known["pairs"][0][place] for place in ("first", "second")] == learners[:2]
    assert "verdict" not in known
    for pair in comparison.pairs:
        if not np.isnan(pair.low):
            assert (pair.p_value < LEVEL) == (not pair.low <= 0 <= pair.high)
    # Confidence sequences hold for all pairs at once, too.
    widest, narrow = (each.over_time(*learners[:2]) for each in (comparison, alone))
    assert widest.low[-1] < narrow.low[-1]
    assert 0 < narrow.low[-1] <= alone.pairs[0].difference <= narrow.high[-1]


def test_plain_numbers_for_json():
    single, several = (small("bootstrap_validation:3", runs=runs) for runs in (1, 2))
    assert single.to_dict()["folds"]["naive_bayes"] == single.by_fold("naive_bayes")[0].tolist()
    assert np.shape(several.to_dict()["folds"]["majority"]) == (2, 3)
    gain = small().to_dict()
    over = gain["learners"]["naive_bayes"]
    expected = over["accuracy"] - gain["baselines"]["majority"]
    assert over["over_majority"] == gain["difference"] == pytest.approx(expected)
    assert over["over_majority_interval"] == gain["interval"]


def test_undefined_values_are_null():
    stream = se.from_arrays(np.arange(60.0)[:, None], ["a", "b"] * 30)
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


def test_the_figure_ends_with_the_mean_of_all_and_names_the_region():
    comparison = small()
    axes = comparison.plot(points=7)
    line, mean = axes.get_lines()[-1], comparison.over_time("naive_bayes", "majority").mean
    assert line.get_xdata()[-1] == len(mean)
    assert line.get_ydata()[-1] == 100 * mean[-1]
    assert len(line.get_xdata()) == 7
    assert axes.get_xlabel() == "instances"  # few of them are not counted in thousands
    for rope, region in ((0.01, "±1 point"), (0.02, "±2 points")):
        (legend,) = small(rope=rope).plot(points=7).figure.legends
        assert f"practically equal ({region})" in [text.get_text() for text in legend.get_texts()]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"protocol": "prequential:50"}, "protocol: expected prequential, .*pretrain=N"),
        ({"protocol": "delayed:5"}, "protocol: expected prequential, .*--delay for delayed labels"),
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


@pytest.mark.parametrize("learners", ["naive_bayes", {"a": "naive_bayes"}, []])
def test_one_learner_is_not_enough(learners):
    with pytest.raises(ConfigError, match=r"[Tt]wo .*learners .*found"):
        se.compare(se.generate("sea", rows=50), learners)


def test_folds_without_instances_and_plots_without_points_are_refused():
    with pytest.raises(DataError, match="found none in fold"):
        se.compare(se.generate("sea", rows=5), ["naive_bayes", "majority"], "split_validation")
    with pytest.raises(ConfigError, match="points: expected a whole number above 0"):
        small().plot(points=0)


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
    assert f"{over_majority.pairs[0].predicate('Majority')}." in result.sentences()[0]


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
    skills += [] if numeric else [result.estimate("copy", "kappa_temporal")]
    assert {bool(interval.reason) for interval in (over, *skills)} == {is_short}
