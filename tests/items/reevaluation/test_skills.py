"""Skill over comparators under the same delays: its value, its intervals, and its table."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.given import given_for
from hypothesis import given
from hypothesis import strategies as st

from streameval.evaluation.skills import skill
from streameval.items import kinds
from streameval.items.inputs import ItemInput
from streameval.items.reevaluation import binned_measures, delayed_skill
from streameval.items.reevaluation.delayed_skill import layout
from streameval.items.subject import Subject
from streameval.significance.stream_mean import stream_mean

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


pairs = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=300)


@given(pairs=pairs)
def test_equals_its_definition(pairs):
    right, beside = (np.array(values) for values in zip(*pairs, strict=True))
    value, low, high = skill(right, beside)
    if beside.all():
        assert np.isnan([value, low, high]).all()
        return
    p, q = right.mean(), beside.mean()
    assert value == pytest.approx((p - q) / (1 - q))
    # The derivatives of (p - q)/(1 - q), one by one.
    slopes = [(float(a) - p) / (1 - q) - (float(b) - q) * (1 - p) / (1 - q) ** 2 for a, b in pairs]
    found = stream_mean(slopes)
    expected = (value + found.low, min(value + found.high, 1.0))
    assert np.isnan([low, high]).all() == bool(found.reason)
    assert found.reason or (low, high) == pytest.approx(expected, abs=1e-9)


def test_intervals_contain_the_skill_of_the_population():
    rng, inside = np.random.default_rng(5), 0
    for _ in range(400):
        right, beside = rng.random((2, 600)) < np.array([[0.8], [0.6]])
        _, low, high = skill(right, beside)
        inside += low <= 0.5 <= high
    # At least 95 %, less three standard errors of the simulation: intervals are rather too wide.
    assert inside / 400 >= 0.95 - 3 * (0.95 * 0.05 / 400) ** 0.5


def test_the_table_compares_with_both(frames, monkeypatch):
    monkeypatch.setattr(
        ItemInput, "frames_of_streams", lambda _, name: {"markov_ozone": frames[name]}
    )
    kind = kinds()["delayed_skill"]
    item = ItemInput(settings=kind.settings_from({"of": ["a"], "shown": [3]}), columns=kind.columns)
    table = delayed_skill.study({}, item)
    assert tuple(table) == kind.columns
    assert list(dict.fromkeys(table["which"])) == ["0", "3", "B+1"]
    bins = frames["bins"].set_index(["learner", "bin"])["kappa_temporal"]
    own = table[(table["learner"] == "naive_bayes") & (table["reference"] == "no_change")]
    assert own["published"].tolist() == [bins["naive_bayes", b] for b in (0, 3, 5)]
    shown = layout(table, Subject(settings=None)).cells
    assert len(shown) == 3 * len(LEARNERS)
    assert list(shown)[3:5] == ["κ_t: published", "κ_t: same delays"]
