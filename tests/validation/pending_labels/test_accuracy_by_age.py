"""Accuracy by age: at both ends it equals the accuracy of other protocols."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.study_inputs import stream_input_for

from pending_labels import accuracy_by_age
from streameval.base.values import NEVER
from streameval.evaluation.task import CLASSIFICATION_TASK
from streameval.protocols.ages import prediction_ages
from streameval.protocols.reevaluation import reevaluation

LEARNERS = ["naive_bayes", "no_change"]


def test_ends_are_the_first_and_the_last_predictions():
    item = {"learners": LEARNERS, "delay": {"markov_ozone": 40}}
    (frame,) = accuracy_by_age.study(
        stream_input_for("accuracy_by_age", "markov_ozone", item)
    ).values()
    for _, learner_rows in frame.groupby("learner"):
        first, last = learner_rows.iloc[0], learner_rows.iloc[-1]
        assert (first["age"], last["age"]) == (0, 39)
        assert first["accuracy"] == first["overall"]
        assert first["gain"] == 0
        assert set(learner_rows["at_risk"]) == {first["at_risk"]}
        assert last["gain"] == pytest.approx(last["accuracy"] - first["accuracy"])
        known = learner_rows.dropna(subset="low")
        assert (known["low"] <= known["accuracy"]).all()
    assert frame["low"].notna().any()


def test_by_hand():
    # As in tests/protocols/test_ages.py; row 0 is correct from its second prediction on.
    _, prediction_events = reevaluation([0, 1, 2, 6], [9, 3, 5, NEVER], 1, pending=True)
    ages, at = prediction_ages(prediction_events), np.array([0, 2, 5])
    right = np.array([[True] * 3, [False] * 3, [False, False, True]])
    rows = accuracy_by_age.measures_by_age(CLASSIFICATION_TASK, ages, at, right)
    assert rows["at_risk"].tolist() == [3, 2, 1]
    assert rows["accuracy"].tolist() == [1 / 3, 0, 1]
    assert rows["gain"].tolist() == [0, 0, 1]
    assert rows["overall"].tolist() == [1 / 3, 1 / 3, 2 / 3]
    assert rows["low"].isna().all()


@pytest.mark.parametrize(("least", "last"), [(1, 8), (2, 2), (3, 1), (4, 0)])
def test_ages_end_where_enough_are_at_risk(least, last):
    _, prediction_events = reevaluation([0, 1, 2], [9, 3, 5], 1)
    ages = prediction_ages(prediction_events)
    at = accuracy_by_age.equidistant_ages(ages, 3, least)
    assert at[-1] == last
    assert least == 4 or ages.at_risk(at)[0][-1] >= least


def test_on_airlines_ages_begin_with_bin_0(real_stream, monkeypatch):
    monkeypatch.setattr(accuracy_by_age, "MIN_AT_RISK", 1)
    # No-Change in bin 0 and in bin B + 1 of Table 1 of Grzenda et al. (2019).
    item = {"learners": ["no_change"], "labels": {"dataexpo_atl": 6227}}
    stream_input = stream_input_for("accuracy_by_age", real_stream("dataexpo_atl"), item)
    frame = accuracy_by_age.study(stream_input)["ages"]
    first, last = frame.iloc[0], frame.iloc[-1]
    assert round(100 * first["accuracy"], 2) == 39.68
    assert (first["at_risk"], first["pending"], last["at_risk"]) == (6227, 145, 1)
    # At the last age one label, the latest one, is still to come.
    assert abs(last["overall"] * 6227 - 0.4252 * 6227) <= 1.5
