"""Skill over comparators under the same delays: its value and its intervals."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.given import given_for
from hypothesis import given
from hypothesis import strategies as st

from streameval.evaluation.bins import skills_by_bin
from streameval.evaluation.error_simulation import dependent_errors
from streameval.evaluation.task import CLASSES
from streameval.items import kinds
from streameval.items.reevaluation import binned_measures
from streameval.significance.skill_interval import skill_interval

#: The forest makes no prediction before its trees have votes, which counts as class 0.
LEARNERS = ["naive_bayes", "no_change", "majority", "adaptive_random_forest_2017"]


@pytest.fixture(scope="module")
def frames():
    item = {"learners": LEARNERS, "bins": 4, "stages": [], "delay": {"markov_ozone": 30}}
    return binned_measures.study(given_for("binned_measures", "markov_ozone", item))


def test_values_are_those_of_the_measures(frames):
    assert {name: tuple(frame) for name, frame in frames.items()} == kinds()[
        "binned_measures"
    ].frames
    bins = frames["bins"].set_index(["learner", "bin"])
    names = {"no_change": "kappa_temporal_delayed", "majority": "kappa_m_delayed"}
    for row in frames["skills"].to_dict("records"):
        expected = bins.loc[(row["learner"], row["bin"]), names[row["reference"]]]
        assert row["value"] == pytest.approx(expected, abs=1e-12)
        assert np.isnan(row["low"]) or row["low"] <= row["value"] <= row["high"] <= 1
    assert frames["skills"]["low"].notna().any()


def test_a_comparator_has_no_skill_over_itself(frames):
    found = frames["skills"]
    own = found[found["learner"] == found["reference"]]
    assert len(own) == 2 * 6
    assert (own["value"] == 0).all()
    assert own[["low", "high"]].isna().all(axis=None)  # nothing varies


def skills_of(right, beside):
    return skills_by_bin(CLASSES, {"a": right, "b": beside}, ["a"], ["b"])


pairs = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=300)


@given(pairs=pairs)
def test_equals_its_definition(pairs):
    right, beside = (np.array(values) for values in zip(*pairs, strict=True))
    (row,) = skills_of(right[:, None], beside[:, None]).to_dict("records")
    if beside.all():
        assert np.isnan(
            [row["skill"], row["low"], row["high"], CLASSES.skill(~right, ~beside)]
        ).all()
        return
    p, q = right.mean(), beside.mean()
    assert row["skill"] == pytest.approx((p - q) / (1 - q))
    assert CLASSES.skill(~right, ~beside) == pytest.approx((p - q) / (1 - q))
    expected = skill_interval(1.0 - right, 1.0 - beside)
    assert (row["low"], row["high"]) == pytest.approx(expected[1:3], nan_ok=True)


@pytest.mark.parametrize("accuracies", [(0.8, 0.6), (0.95, 0.9), (0.9, 0.95)])
@pytest.mark.parametrize(("n", "dependence"), [(250, 0.5), (1000, 0), (1000, 0.9), (3000, 0.9)])
def test_intervals_contain_the_skill_of_the_population(n, dependence, accuracies):
    # Each column is a stream of its own. Of all of them, at most 5 % have an interval without the
    # skill, but for three standard errors of the simulation.
    rng, streams = np.random.default_rng(5), 200
    right, beside = (
        ~dependent_errors(rng, np.full(n, 1 - accuracy), dependence, streams).T
        for accuracy in accuracies
    )
    found = skills_of(right, beside)
    own, other = accuracies
    truth = (own - other) / (1 - other)
    missed = (found["low"] > truth) | (found["high"] < truth)
    assert missed.sum() <= streams * 0.05 + 3 * (streams * 0.05 * 0.95) ** 0.5
    # Errors of the better one that are worth less than 10 independent ones have no interval.
    effective = n * (1 - dependence) / (1 + dependence)
    if effective * (1 - max(accuracies)) > 20:
        assert found["low"].notna().all()
