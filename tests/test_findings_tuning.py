"""The numbers of docs/findings.md on batch models that are retrained, and on tuning."""

from __future__ import annotations

import dataclasses

import pytest
from helpers.findings import number, said
from helpers.tuned_nulls import WAYS, rates, right_of, stream_of, verdicts_of

import streameval as se
from calibration.verdict_laws import NearestMean
from streameval.evaluation.verdict_words import UNDECIDED

#: Instances of a stream, numbers of settings, dependences, and streams of a cell.
N, SETTINGS, DEPENDENCES, STREAMS = 5000, (5, 20), (0.0, 0.9), 200
#: Fixed before the run, as for all verdicts: an interval may exclude 0 in so many null streams.
LIMIT = 0.09


@pytest.mark.parametrize("way", WAYS)
def test_the_simulation_is_about_what_tune_and_compare_do(way):
    stream = stream_of(1500, 6, 0.9, "check")
    right = right_of(stream)
    tuning = se.tune(stream, NearestMean(), {"attribute": range(6)}, 300)
    best = tuning.to_dict()["parameters"]["attribute"]
    assert best == right[:300, :-1].mean(axis=0).argmax()
    learners = {"best": NearestMean(best), "rival": NearestMean(6)}
    if way == "rest":
        found = se.compare(stream, {"best": tuning, "rival": NearestMean(6)}, rope=0.0)
    elif way == "prefix":
        found = se.compare(stream.first(300), learners, rope=0.0)
    else:
        learners["best"] = NearestMean(int(right[:, :-1].mean(axis=0).argmax()))
        found = se.compare(stream, learners, rope=0.0)
    assert verdicts_of(right, 300)[way] == (found.verdict != UNDECIDED)


def test_verdicts_after_tuning():
    found = {
        (settings, dependence): rates(N, settings, dependence, STREAMS)
        for settings in SETTINGS
        for dependence in DEPENDENCES
    }
    worst = {way: 100 * max(one[way] for one in found.values()) for way in WAYS}
    assert worst["rest"] <= 100 * LIMIT
    assert worst["prefix"] > 100 * LIMIT
    assert worst["whole"] > 100 * LIMIT
    assert said(
        f"judged on the rest, the verdict is false in at most {worst['rest']:.1f} % of simulated "
        f"streams ({STREAMS} streams of {N:,} instances a cell, {len(found)} cells)."
    )
    assert said(
        f"Judged on the prefix that chose, the best of {max(SETTINGS)} settings seems to be better "
        f"than an equal rival, or worse, in up to {worst['prefix']:.1f} %."
    )
    assert said(
        "Chosen and judged on the whole stream, as is often done, it does in up to "
        f"{worst['whole']:.1f} %."
    )


def test_a_tree_that_is_retrained_on_electricity():
    pytest.importorskip("sklearn")
    stream = se.load("elec2")
    batch = se.retrained("sklearn.tree.DecisionTreeClassifier")
    learners = {"batch": batch, "tree": "hoeffding_tree", "last": "no_change"}
    found = se.compare(stream, learners)
    accuracy = {name: f"{100 * found.mean(name)[0]:.2f}" for name in learners}
    fits = se.evaluate(stream, {"batch": batch}).to_dict("accuracy")["batch"]["fits"]
    assert said(
        "On electricity a decision tree that is retrained every 1,000 labels on the last 5,000, "
        f"in {fits} fits, has an accuracy of {accuracy['batch']} %, a Hoeffding tree "
        f"{accuracy['tree']} % and No-Change {accuracy['last']} %."
    )
    verdict = next(one for one in found.pairs if (one.first, one.second) == ("batch", "tree"))
    assert verdict.verdict == "loses to"
    gap, low, high = (
        number(100 * value) for value in (-verdict.difference, -verdict.high, -verdict.low)
    )
    assert said(f"The Hoeffding tree is better by {gap} points ({low} to {high}).")
    late = se.compare(stream, learners, delay=48)
    pairs = {(one.first, one.second): one for one in late.pairs}
    assert pairs["batch", "last"].verdict == "beats"
    assert pairs["batch", "tree"].verdict == UNDECIDED
    days = {name: f"{100 * late.mean(name)[0]:.2f}" for name in learners}
    assert said(
        f"With labels a day (48 instances) later it has {days['batch']} %, the Hoeffding tree "
        f"{days['tree']} % and No-Change {days['last']} %"
    )


def test_what_tuning_is_worth_to_it():
    pytest.importorskip("sklearn")
    stream = se.load("elec2")
    batch = se.retrained("sklearn.tree.DecisionTreeClassifier")
    tuning = se.tune(stream, batch, {"every": [300, 1000], "window": [300, 1000, 5000]})
    chosen = tuning.to_dict()["parameters"]
    found = se.compare(stream, {"tuned": tuning, "plain": batch})
    (verdict,) = found.pairs
    gain, low, high = (number(100 * one) for one in (verdict.difference, verdict.low, verdict.high))
    assert verdict.verdict == UNDECIDED
    assert said(
        f"Tuned on the first {tuning.instances:,} instances, the best of {tuning.trials} settings "
        f"is a fit every {chosen['every']:,} labels on the last {chosen['window']:,}. On the rest "
        f"it is worth {gain} points ({low} to {high}), too little to tell."
    )
    assert dataclasses.asdict(verdict)["first"] == "tuned"
