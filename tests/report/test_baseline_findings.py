"""What the first page says of streams of one's own."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from helpers import first_page

from streameval.evaluation.differences import (
    GainOverBaseline,
    difference,
    gains_over_baselines,
    skills_on_arrival,
)
from streameval.evaluation.predictions import PredictionTable
from streameval.report.overview import StreamFindings, baseline_findings_blocks

STREAMS = {"mine": {"title": "A *title*"}, "other": {"title": "Other"}}
LEARNERS = {"hoeffding_tree": "Hoeffding tree", "knn": "k *nearest*", "fimt_dd": "FIMT-DD"}
USUAL = "test-then-train (prequential)"
ROWS = [
    GainOverBaseline("hoeffding_tree", "no_change", False, 0.031, 0.0128, 0.0492, 0.79),
    GainOverBaseline("hoeffding_tree", "majority", False, -0.02, -0.03, -0.01, 0.79),
    GainOverBaseline("knn", "no_change", False, 0.003, -0.0021, 0.008, 0.853),
    GainOverBaseline("knn", "majority", False, 0.0, 0.0, 0.0, 0.853),
]
SKILLS = [
    GainOverBaseline("fimt_dd", "previous_target", True, -0.39, -0.62, -0.22, math.nan),
    GainOverBaseline("fimt_dd", "target_mean", True, 0.23, 0.09, 0.33, math.nan),
]


def page(*all_findings: StreamFindings) -> str:
    blocks = [*baseline_findings_blocks(all_findings, STREAMS, LEARNERS)]
    return "\n".join(first_page.lines(first_page.html(blocks)))


def test_it_says_whether_learners_beat_the_baselines():
    unknown = GainOverBaseline("knn", "majority", False, 0.0, math.nan, math.nan, 0.8)
    text = page(StreamFindings("mine", USUAL, [*ROWS[:3], unknown]))
    assert "cannot be told from Majority (+0.00 points; no interval, as the effective" in text
    text = page(StreamFindings("mine", USUAL, ROWS))
    assert text.startswith("A *title*: does a learner beat No-Change and Majority? Protocol: te")
    assert (
        "Hoeffding tree beats No-Change by 3.10 points [1.28, 4.92]; loses to Majority by "
        "2.00 points [1.00, 3.00]. 79.0 % of its predictions are correct.\n"
    ) in text
    # The better baseline of the second is wrong in 14.7 %: 2 % of that are 0.294 points.
    assert (
        "k *nearest* cannot be told from No-Change (+0.30 points [−0.21, +0.80]); is "
        "practically equal to Majority (+0.00 points [+0.00, +0.00]; within ±0.294 points). 85.3 %"
    ) in text


def test_it_says_by_how_much_errors_of_regressors_differ():
    text = page(StreamFindings("mine", "continuous re-evaluation every 10 labels", SKILLS))
    assert "does a learner beat the previous target and the target mean?" in text
    assert "Protocol: continuous re-evaluation every 10 labels." in text
    assert (
        "FIMT-DD loses to the previous target: its error is higher by 39.0 % [22.0, 62.0]; "
        "beats the target mean: its error is lower by 23.0 % [9.0, 33.0]."
    ) in text


def test_each_learner_is_told_of_once_and_each_word_explained_once():
    again = GainOverBaseline("knn", "no_change", True, 0.5, 0.4, 0.6, math.nan)
    text = page(
        StreamFindings("mine", USUAL, ROWS),
        StreamFindings("mine", "labels delayed by 5", [again]),
        StreamFindings("other", USUAL, ROWS),
        StreamFindings("other", USUAL, []),
    )
    assert text.count("does a learner beat") == 2
    assert text.count("No-Change repeats") == text.count("percentage points") == 1
    assert "delayed by 5" not in text


def test_predictions_count_when_an_instance_arrives():
    rng = np.random.default_rng(1)
    true = rng.integers(0, 2, 4000).astype(np.int32)
    labels = {
        "no_change": np.where(rng.random(4000) < 0.6, true, 1 - true),
        "majority": np.ones(4000),
        "tree": np.where(rng.random(4000) < 0.9, true, 1 - true),
    }
    predicted = {name: values.astype(np.int16) for name, values in labels.items()}
    once = PredictionTable(true, predicted, 2)
    first, second = gains_over_baselines(once)
    assert (first.learner, first.baseline, second.baseline) == ("tree", "no_change", "majority")
    assert first[3:6] == difference(once, "tree", "no_change")[:3]
    assert first.accuracy == (labels["tree"] == true).mean()
    # Each instance again, later and always right: predictions on arrival are the same.
    again = PredictionTable(
        np.concatenate([true, true]),
        {name: np.concatenate([values, true]) for name, values in predicted.items()},
        2,
        row=np.tile(np.arange(4000, dtype=np.int32), 2),
    )
    assert gains_over_baselines(again) == [first, second]


def test_regressors_are_compared_by_their_skills_over_the_baselines():
    rng = np.random.default_rng(2)
    true = rng.normal(size=3000)
    predicted = {
        "previous_target": np.r_[np.nan, true[:-1]],
        "target_mean": np.zeros(3000),
        "fimt_dd": true + rng.normal(size=3000) / 4,
    }
    table = PredictionTable(true, predicted, 0)
    rows = gains_over_baselines(table)
    assert [(row.learner, row.baseline, row.is_skill) for row in rows] == [
        ("fimt_dd", "previous_target", True),
        ("fimt_dd", "target_mean", True),
    ]
    for row in rows:
        assert (row.value, row.low, row.high) == table.skill("fimt_dd", row.baseline)[:3]
        assert 0 < row.low < row.value < row.high < 1


def test_skills_are_those_of_the_first_bin():
    columns = ["learner", "bin", "reference", "value", "low", "high"]
    rows = [
        ("knn", 0, "no_change", 0.3, 0.2, 0.4),
        ("knn", 1, "no_change", 0.9, 0.8, 1.0),
        ("majority", 0, "no_change", 0.1, 0.0, 0.2),
    ]
    (skill,) = skills_on_arrival(pd.DataFrame(rows, columns=columns))
    assert skill[:6] == ("knn", "no_change", True, 0.3, 0.2, 0.4)
    numbers = pd.DataFrame(rows, columns=columns).rename(
        columns={"reference": "baseline", "value": "skill"}
    )
    assert skills_on_arrival(numbers)[0][:6] == skill[:6]
