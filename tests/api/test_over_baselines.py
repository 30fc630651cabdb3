"""Sentences of results that say whether a learner beats the baselines, of both tasks."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from test_result_view import text_of

import streameval as se
from streameval.api.result_view import DisplayOptions
from streameval.significance.stream_mean import stream_mean
from streameval.view.mixin import as_json, view_of


def of_classes(rows=600):
    """Labels in random order, of which the input tells all but a tenth."""
    random = np.random.default_rng(5)
    labels = (random.random(rows) < 0.7).astype(int)
    inputs = np.where(random.random(rows) < 0.9, labels, 1 - labels)
    X = (inputs + 0.01 * random.random(rows))[:, None]
    return se.from_arrays(X, np.array(["no", "yes"])[labels])


OF_CLASSES = (of_classes(), "naive_bayes", {"no_change": "No-Change", "majority": "Majority"})
OF_NUMBERS = (
    se.generate("planes", rows=2000),
    "amrules",
    {"previous_target": "the previous target", "target_mean": "the mean so far"},
)
of_both = pytest.mark.parametrize(
    ("stream", "learner", "baselines"), [OF_CLASSES, OF_NUMBERS], ids=["classes", "numbers"]
)


def sentences(result):
    return " ".join(result.sentences())


@of_both
def test_numbers_are_those_of_the_predictions(stream, learner, baselines):
    result = se.evaluate(stream, learner)
    predictions = result.predictions
    gain = {
        name: -abs(predictions[name] - predictions["true"])
        if stream.schema.classes is None
        else predictions[name] == predictions["true"]
        for name in (learner, *baselines)
    }
    for base, name in baselines.items():
        gaps = (gain[learner].astype(float) - gain[base]).dropna()
        mean, low, high = stream_mean(gaps)[:3]
        assert low > 0
        difference = result.over_baselines()[learner][base]
        assert difference[:4] == (mean, low, high, len(gaps))
        assert (difference.reason, difference.signs) == ("", None)
        assert re.search(f"{learner} beats .*{name}", sentences(result))


def test_a_baseline_is_compared_with_the_other_one():
    # No-Change is right about the second of each two labels, Majority about a half at most.
    with pytest.warns(se.StreamWarning):
        stream = se.from_arrays(np.zeros((600, 1)), np.repeat(np.arange(300) % 2, 2))
    first, second, *_ = se.evaluate(stream, ["majority", "no_change"]).sentences()
    assert first.startswith("majority ")
    assert second.startswith("no_change ")
    assert "Majority" not in first
    assert "No-Change" not in second


@pytest.mark.parametrize(
    ("learners", "options", "display"),
    [
        (["majority"], {"scores": True}, {}),
        (["no_change", "majority"], {"delay": 20}, {"by": "age"}),
        (["target_mean"], {}, {}),
    ],
)
def test_people_read_a_minus_sign_and_programs_a_hyphen(learners, options, display):
    labels = np.repeat(np.random.default_rng(8).integers(2, size=150), 4)
    numeric = "target_mean" in learners
    stream = se.from_arrays((np.arange(600) % 7)[:, None], labels, numeric_target=numeric)
    result = se.evaluate(stream, learners, **options)
    assert "−" in text_of(result, **display)
    assert not re.search(r"(?<!\w)-\d", text_of(result, **display))
    assert re.search(r": -\d", json.dumps(as_json(view_of(result, DisplayOptions(**display)))))


@of_both
def test_few_instances_have_no_interval(stream, learner, baselines):
    text = sentences(se.evaluate(stream.first(30), learner))
    points = r"\([+−][\d.]+ points\)"
    form = rf"naive_bayes cannot be told from No-Change {points} and Majority {points}"
    if stream.schema.classes is None:
        form = r"cannot be told from the previous target \(its mean absolute error is \w+ by [\d.]+"
    reason = r"; no interval, as there are only (30|29) instances; at least 60 are needed\)?\."
    assert re.search(form + reason, text)
    assert "[" not in text


@of_both
def test_folds_have_no_interval(stream, learner, baselines):
    result = se.evaluate(stream, learner, "cross_validation:3:all")
    assert "no interval, as it would need the predictions of one model" in sentences(result)
    has_folds = "`streameval compare` has intervals over folds." in text_of(result)
    assert has_folds == (stream.schema.classes is not None)
    over = result.over_baselines()[learner][[*baselines][-1]]
    assert np.isnan(over.low)
    assert over.instances == 3 * len(stream) - result.before_first_label
    assert result.before_first_label == 4  # two folds learn the first instance


@of_both
def test_under_delays_predictions_on_arrival_count(stream, learner, baselines):
    result = se.evaluate(stream, learner, delay=20)
    first = result.sentences()[0]
    assert first.startswith(f"On arrival, {learner} beats {next(iter(baselines.values()))}")
    plain = se.evaluate(stream, learner, "delayed:20")  # the same predictions
    assert result.over_baselines() == plain.over_baselines()
