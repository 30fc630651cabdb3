"""One number for all bins."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from helpers.commands import refused
from test_result_view import told

import streameval as se
from streameval.api.result_view import DisplayOptions
from streameval.base.errors import ConfigError
from streameval.view.mixin import as_json, view_of

STREAM = se.load("markov_elec2")
RESULT = se.evaluate(STREAM.take(slice(4000)), ["naive_bayes", "hoeffding_tree"], delay=47)
NUMBERS = se.evaluate(se.generate("planes", rows=2000), "amrules", delay=100)


def by_measure(found, learner):
    return found[found["learner"] == learner].set_index(["weights", "measure"])


def test_it_follows_from_the_bins():
    bins = RESULT.bins(5)
    found = RESULT.over_bins(5, weights={"mine": [1, 2, 0, 0, 0, 0, 1], "late": 2})
    assert found["learner"].unique().tolist() == RESULT.learners
    for learner, own in bins.groupby("learner", sort=False):
        rows = by_measure(found, learner)
        for measure in ("accuracy", "kappa", "kappa_temporal_delayed", "kappa_m_delayed"):
            values = own[measure].to_numpy()
            assert rows["value"]["maximum", measure] == values.max()
            mean = (values[0] + 2 * values[1] + values[6]) / 4
            assert rows["value"]["mine", measure] == pytest.approx(mean)
        best = rows.loc[("maximum", "accuracy")]
        assert best["low"] == own["band_low"].max()
        assert best["high"] == own["band_high"].max()


def test_of_regressors_the_least_error_counts():
    bins, found = NUMBERS.bins(3), NUMBERS.over_bins(3)
    for learner, own in bins.groupby("learner", sort=False):
        rows = by_measure(found, learner)["value"]
        for measure in ("mean_absolute_error", "root_mean_squared_error"):
            assert rows["minimum", measure] == own[measure].min()
        for measure in ("r_squared", "skill_over_target_mean"):
            assert rows["maximum", measure] == own[measure].max()


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        (5, "weights: expected a mapping of names to weights"),
        ({"a": "b"}, "weights: expected a number, or one for each bin, by a name"),
        ({1: 0.5}, "weights: expected a number, or one for each bin, by a name"),
        ({"a": [[1.0]]}, "weights: expected a number, or one for each bin, by a name"),
        ({"a": [1, 2]}, "weights, a: expected 7 weights, for the bins from 0 to 6, found 2"),
        ({"a": np.nan}, "weights, a: expected a number above 0, found nan"),
        ({"maximum": 1}, "weights, maximum: expected a name of your own"),
    ],
)
def test_weights_are_checked(weights, said):
    with pytest.raises(ConfigError) as error:
        RESULT.over_bins(5, weights=weights)
    assert said in str(error.value)


def test_it_needs_delayed_labels():
    with pytest.raises(ConfigError, match="with delayed labels"):
        se.evaluate(se.generate("sea", rows=300), "majority").over_bins()


def test_people_and_json_have_it():
    result = se.evaluate(STREAM, "naive_bayes", delay=47)
    text = told(result, bins=4, priority=10)
    answer = as_json(view_of(result, DisplayOptions(bins=4, priority=10)))["learners"][
        "naive_bayes"
    ]
    expected = by_measure(result.over_bins(4, weights={"prioritised": 0.1}), "naive_bayes")
    found = pd.DataFrame(answer["over_bins"]).set_index(["weights", "measure"]).astype(float)
    pd.testing.assert_frame_equal(found, expected[["value", "low", "high"]])
    line = next(line for line in text.splitlines() if line.startswith("Accuracy "))
    rows = [expected.loc[(name, "accuracy")] for name in ("maximum", "prioritised")]
    shown = [f"{one['value']:.4f} [{one['low']:.4f}, {one['high']:.4f}]" for one in rows]
    assert line.split() == ["Accuracy", *" ".join(shown).split()]
    assert "bin 0 counts 10 times as much as bin 4." in text
    assert "Cohen" not in text
    both = se.evaluate(STREAM, ["naive_bayes", "majority"], delay=47)
    several = told(both, bins=4, priority=10, more=True)
    assert re.findall(r"^(naive_bayes|majority) +Accuracy ", several, re.MULTILINE) == [
        *("naive_bayes", "majority"),
    ]
    assert several.count("Cohen's kappa (κ)  ") == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--priority", 0), "--priority: expected a number above 0, such as 2, found 0"),
        (("--priority", "nan"), "--priority: expected a number above 0, such as 2, found nan"),
        (("--priority", 2, "--by", "age"), "--priority: expected bins of the time to the label"),
    ],
)
def test_impossible_priorities(capsys, words, said):
    command = ("evaluate", "markov_elec2", "--delay", 47, "--learner", "majority")
    assert said in refused(capsys, *command, *words)
