"""Skill over comparators under the same delays: its value and its intervals."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.study_inputs import stream_input_for
from hypothesis import given
from hypothesis import strategies as st

from streameval.evaluation.bins import skills_by_bin
from streameval.evaluation.task import CLASSIFICATION_TASK
from streameval.items.reevaluation import binned_measures
from streameval.significance.skill_interval import skill_interval

#: The forest makes no prediction before its trees have votes, which counts as class 0.
LEARNERS = ["naive_bayes", "no_change", "majority", "adaptive_random_forest_2017"]


@pytest.fixture(scope="module")
def frames():
    item = {"learners": LEARNERS, "bins": 4, "stages": [], "delay": {"markov_ozone": 30}}
    return binned_measures.study(stream_input_for("binned_measures", "markov_ozone", item))


def test_values_are_those_of_the_measures(frames):
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
