"""Skill over comparators under the same delays: its value and its intervals."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.study_inputs import stream_input_for
from hypothesis import given
from hypothesis import strategies as st

from streameval.evaluation.bins import skills_by_bin
from streameval.evaluation.error_simulation import dependent_errors
from streameval.evaluation.task import CLASSIFICATION_TASK
from streameval.items import kinds
from streameval.items.reevaluation import binned_measures
from streameval.significance.skill_interval import skill_interval

#: The forest makes no prediction before its trees have votes, which counts as class 0.
LEARNERS = ["naive_bayes", "no_change", "majority", "adaptive_random_forest_2017"]


@pytest.fixture(scope="module")
def frames():
    item = {"learners": LEARNERS, "bins": 4, "stages": [], "delay": {"markov_ozone": 30}}
    return binned_measures.study(stream_input_for("binned_measures", "markov_ozone", item))


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
    skills = frames["skills"]
    self_skills = skills[skills["learner"] == skills["reference"]]
    assert len(self_skills) == 2 * 6
    assert (self_skills["value"] == 0).all()
    assert self_skills[["low", "high"]].isna().all(axis=None)  # nothing varies


def skills_of(right, reference):
    return skills_by_bin(CLASSIFICATION_TASK, {"a": right, "b": reference}, ["a"], ["b"])


pairs = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=300)


@given(pairs=pairs)
def test_equals_its_definition(pairs):
    right, reference = (np.array(values) for values in zip(*pairs, strict=True))
    (row,) = skills_of(right[:, None], reference[:, None]).to_dict("records")
    if reference.all():
        assert np.isnan(
            [row["skill"], row["low"], row["high"], CLASSIFICATION_TASK.skill(~right, ~reference)]
        ).all()
        return
    p, q = right.mean(), reference.mean()
    assert row["skill"] == pytest.approx((p - q) / (1 - q))
    assert CLASSIFICATION_TASK.skill(~right, ~reference) == pytest.approx((p - q) / (1 - q))
    expected = skill_interval(1.0 - right, 1.0 - reference)
    assert (row["low"], row["high"]) == pytest.approx(expected[1:3], nan_ok=True)


@pytest.mark.parametrize("accuracies", [(0.8, 0.6), (0.95, 0.9), (0.9, 0.95)])
@pytest.mark.parametrize(("n", "dependence"), [(250, 0.5), (1000, 0), (1000, 0.9), (3000, 0.9)])
def test_intervals_contain_the_skill_of_the_population(n, dependence, accuracies):
    # Each column is a stream of its own. Of all of them, at most 5 % have an interval without the
    # skill, but for three standard errors of the simulation.
    rng, streams = np.random.default_rng(5), 200
    right, reference = (
        ~dependent_errors(rng, np.full(n, 1 - accuracy), dependence, streams).T
        for accuracy in accuracies
    )
    table = skills_of(right, reference)
    accuracy, reference_accuracy = accuracies
    truth = (accuracy - reference_accuracy) / (1 - reference_accuracy)
    missed = (table["low"] > truth) | (table["high"] < truth)
    assert missed.sum() <= streams * 0.05 + 3 * (streams * 0.05 * 0.95) ** 0.5
    # Errors of the better one that are worth less than 10 independent ones have no interval.
    effective = n * (1 - dependence) / (1 + dependence)
    if effective * (1 - max(accuracies)) > 20:
        assert table["low"].notna().all()
