"""Compute values from simulations and evaluations that take many seconds."""

from __future__ import annotations

import numpy as np

import streameval as se
from findings.groups import LONG, Values
from findings.recorded import LIMIT
from findings.text import interval, percent, texts, upper_bound
from findings.tuned_nulls import WAYS, rates
from streameval.evaluation.verdict_words import UNDECIDED
from streameval.significance.bounded_mean import bounded_mean_interval
from streameval.significance.intervals import mean_interval

#: Instances of a stream, numbers of settings, dependences, and streams of a cell.
_INSTANCES, _SETTINGS, _DEPENDENCES, _STREAMS = 5000, (5, 20), (0.0, 0.9), 200
_TREE = "sklearn.tree.DecisionTreeClassifier"


@LONG.add
def tuned() -> Values:
    """Rates of false verdicts after tuning, where all settings and their rival are equally good."""
    cells = [
        rates(_INSTANCES, settings, dependence, _STREAMS)
        for settings in _SETTINGS
        for dependence in _DEPENDENCES
    ]
    worst = {way: max(cell[way] for cell in cells) for way in WAYS}
    assert worst["rest"] <= LIMIT < min(worst["prefix"], worst["whole"])
    return texts(
        **{way: upper_bound(rate) for way, rate in worst.items()},
        streams=_STREAMS,
        instances=_INSTANCES,
        cells=len(cells),
        settings=max(_SETTINGS),
    )


@LONG.add
def retrained() -> Values:
    """A decision tree on electricity that is retrained every 1,000 labels."""
    stream, batch = se.load("elec2"), se.retrained(_TREE)
    learners = {"batch": batch, "tree": "hoeffding_tree", "last": "no_change"}
    compared = se.compare(stream, learners)
    pairs = {(pair.first, pair.second): pair for pair in compared.pairs}
    pair = pairs["batch", "tree"]
    assert pair.verdict == "loses to"
    late = {(p.first, p.second): p.verdict for p in se.compare(stream, learners, delay=48).pairs}
    assert late["batch", "last"] == "beats"
    assert late["batch", "tree"] == UNDECIDED
    accuracy = {name: compared.mean(name)[0] for name in learners}
    return texts(
        every=1000,
        window=5000,
        **{name: percent(rate, 2) for name, rate in accuracy.items()},
        gap=interval((-pair.difference, -pair.high, -pair.low)),
        delay=48,
    )


@LONG.add
def normalised_delays() -> Values:
    """Coverage of two intervals of a mean over ten normalised delays, of which few are 1."""
    random, truth, groups = np.random.default_rng(3), 0.05 + 0.95 * 0.1, 500
    covered = {"usual": 0, "bounded": 0}
    for _ in range(groups):
        delays = np.where(random.random(10) < 0.05, 1.0, random.uniform(0.0, 0.2, 10))
        for name, function in (("usual", mean_interval), ("bounded", bounded_mean_interval)):
            ends = function(delays)
            covered[name] += ends.low <= truth <= ends.high
    return texts(**{name: percent(count / groups) for name, count in covered.items()})
