"""`over_streams` from Python: the tables that it takes, and its result."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from significance.test_friedman import DEMSAR

import streameval as se

LEARNERS = ["c45", "m", "cf", "both"]


@pytest.fixture(scope="module")
def scores():
    return pd.DataFrame(DEMSAR, [f"s{i}" for i in range(len(DEMSAR))], LEARNERS)


@pytest.fixture(scope="module")
def comparison(scores):
    return se.over_streams(scores, control="both", titles={"both": "C4.5+m+cf"})


def test_text_html_latex_and_json_say_the_same(comparison):
    for text in ("\n".join(comparison.lines()), comparison._repr_html_(), comparison.to_latex()):
        assert "0.0374" in text  # Wilcoxon's p-value, adjusted
    assert repr(comparison).startswith("C4.5+m+cf beats c45.\n")
    assert max(map(len, comparison.lines())) <= 100
    numbers = comparison.to_dict()
    assert numbers["control"] == "both"
    assert numbers["learners"][0]["wilcoxon_p"] == pytest.approx(3 * 0.012451171875)
    assert numbers["sentences"] == comparison.sentences()


def test_rows_of_one_stream_are_its_seeds(scores):
    noise = np.random.default_rng(1).normal(0, 0.001, scores.shape)
    both = pd.concat([scores + noise, scores - noise]).sample(frac=1, random_state=1)
    twice = se.over_streams(both, control="both").table().set_index("learner")
    once = se.over_streams(scores, control="both").table().set_index("learner")
    assert twice["difference"].tolist() == pytest.approx(once["difference"].tolist())
    assert twice["seeds_part"].notna().all()
    assert once["seeds_part"].isna().all()


def test_a_learner_without_a_value_is_left_out(scores):
    some = scores.astype(float).copy()
    some.loc["s2", "m"] = np.nan
    some.loc["s3", "cf"] = np.inf
    table = se.over_streams(some, control="both").table().set_index("learner")
    assert table.loc["m", "reason"] == "no value on 1 of 14 streams (s2: the table has no value)"
    assert table.loc["cf", "reason"].startswith("no value on 1 of 14 streams (s3")
    with pytest.raises(se.StreamevalError, match="at least 3 streams"):
        se.over_streams(some.assign(both=np.nan), control="both")
    nothing = some.assign(**dict.fromkeys(LEARNERS[:3], np.nan))
    assert "c45 is left out" in repr(se.over_streams(nothing, control="both"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda table: table.to_numpy(), "expected a DataFrame .*found ndarray"),
        (lambda table: table.reset_index(), r"columns of numbers .*found index.*set_index"),
        (lambda table: table.set_axis(["a", "a", "b", "both"], axis=1), "found a name twice"),
    ],
)
def test_invalid_tables_of_scores_are_refused(scores, change, message):
    with pytest.raises(se.StreamevalError, match=message):
        se.over_streams(change(scores), control="both")


def test_settings_are_numbers(scores):
    with pytest.raises(se.StreamevalError, match=r"rope: expected a number, found '0\.1'"):
        se.over_streams(scores, control="both", rope="0.1")


def test_the_plot_has_a_row_for_each_learner(comparison, scores):
    axes = comparison.plot()
    assert [text.get_text() for text in axes.get_yticklabels()] == ["c45", "m", "cf"]
    dots = [line for line in axes.lines if len(line.get_xdata()) == 14]
    for line, name in zip(dots, LEARNERS[:3], strict=True):
        expected = (scores["both"] - scores[name]).round(12).tolist()
        assert list(line.get_xdata()) == expected
    many = pd.concat([scores.add_suffix(f"_{i}") for i in range(7)], axis=1)
    plot = se.over_streams(many, control="both_0").plot()
    assert "26 of 27 learners" in plot.figure.get_suptitle()
