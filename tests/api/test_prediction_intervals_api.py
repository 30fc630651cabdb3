"""Prediction intervals of regressors: options, counts, comparisons and drawings."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from naive import intervals as naive
from test_result_view import tables_of, text_of

import streameval as se
from streameval.base.errors import ConfigError, DataError
from streameval.learners.adapters.predictions_file import PredictionsFile
from streameval.learners.regression.baselines import PreviousTarget
from streameval.learners.wrappers.conformal import Conformal
from streameval.protocols.prequential import prequential


@pytest.fixture(scope="module")
def stream():
    return se.generate("planes", rows=1200)


@pytest.fixture(scope="module")
def result(stream):
    return se.evaluate(stream, "amrules", intervals=0.8)


class Mean:
    """The mean so far, with an interval of two standard deviations."""

    def __init__(self):
        self.n = self.sum = self.squares = 0.0

    def learn(self, x, y, w):
        self.n, self.sum, self.squares = self.n + 1, self.sum + y, self.squares + y * y

    def predict(self, x):
        return self.sum / self.n if self.n else None

    def interval(self, x):
        if self.n < 2:
            return None
        mean = self.sum / self.n
        spread = 2.0 * (self.squares / self.n - mean * mean) ** 0.5
        return mean - spread, mean + spread


class Wrong(Mean):
    """An interval that is none."""

    def interval(self, x):
        return 2.0, 1.0


def test_measures_are_those_of_the_wrapper(stream, result):
    tape = prequential(len(stream))
    intervals = Conformal(PreviousTarget(), 0.8).run(stream, tape)
    known = ~np.isnan(intervals.low)
    row = result.intervals().loc["previous_target"]
    assert row["intervals"] == known.sum() == 1200 - 1 - 4
    lists = [each[known].tolist() for each in (stream.y, intervals.low, intervals.high)]
    for name in ("interval_coverage", "mean_interval_width", "interval_score"):
        expected = getattr(naive, name)(*lists, 0.8)
        assert row[name] == pytest.approx(expected, rel=1e-9)
    assert row["limited_intervals"] == intervals.limited[known].mean()


def test_the_predictions_stay_as_they_are(stream, result):
    bare = se.evaluate(stream, "amrules")
    names = ["mean_absolute_error", "r_squared", "skill_over_previous_target"]
    assert result.measures(*names).equals(bare.measures(*names))
    assert not bare.table.intervals
    assert "interval_score" not in bare.measures()
    with pytest.raises(ConfigError, match=r"found none.*intervals=0.9"):
        bare.intervals()


def test_a_wrapped_learner_gives_the_baselines_its_intervals(stream, result):
    other = se.evaluate(stream, se.conformal("amrules", coverage=0.8))
    assert other.learners[0] == "amrules_conformal(coverage=0.8)"
    assert other.table.coverage == 0.8
    np.testing.assert_array_equal(other.intervals().to_numpy(), result.intervals().to_numpy())
    bounded = se.conformal("amrules", 0.8, 0.02, 60, infinite=True)
    assert bounded.make().window == 60
    assert bounded.make().infinite


def test_two_levels_are_not_compared(stream):
    both = [se.conformal("amrules", 0.8), se.conformal("amrules", 0.9)]
    with pytest.raises(ConfigError, match=r"same nominal coverage.*0.8 and 0.9"):
        se.evaluate(stream, both)
    with pytest.raises(ConfigError, match=r"0.8 and 0.95"):
        se.evaluate(stream, both[0], intervals=0.95)


def test_under_a_delay_measures_are_of_predictions_on_arrival(stream):
    result = se.evaluate(stream, "amrules", delay=100, intervals=0.8)
    table = result.table
    assert len(table) == 1099
    ends = table.intervals["amrules"]
    known = ~np.isnan(ends.low)
    # Instance t is predicted when the targets of 0 to t - 101 are known, and needs four of them.
    assert table.row[np.argmax(known)] == 104
    row = result.intervals().loc["amrules"]
    assert row["intervals"] == known.sum()
    inside = (ends.low <= table.true) & (table.true <= ends.high)
    assert row["interval_coverage"] == inside[known].mean()
    assert "Prediction intervals, nominal coverage 0.8, on arrival" in text_of(result)


def test_intervals_of_ones_own_stay_and_others_get_some(stream):
    result = se.evaluate(stream, [Mean, "amrules"], intervals=0.95)
    ends, mean = result.table.intervals["Mean"], Mean()
    places = dict(zip(result.table.row.tolist(), range(len(result.table)), strict=True))
    assert [*places] == [*range(1, 1200)]
    for t, y in enumerate(stream.y):
        expected = mean.interval(None) or (np.nan, np.nan)
        if t in places:
            at = places[t]
            np.testing.assert_array_equal((ends.low[at], ends.high[at]), expected)
        mean.learn(None, y, 1.0)
    assert not ends.limited.any()
    assert set(result.intervals().index) == set(result.learners)


def test_without_a_level_there_is_no_score(stream):
    result = se.evaluate(stream, Mean)
    table = result.intervals()
    assert [*table.index] == ["Mean"]
    assert 0.9 < table.loc["Mean", "interval_coverage"] < 1
    assert np.isnan(table.loc["Mean", "interval_score"])
    assert "intervals=0.9" in result.reasons("interval_score").loc["Mean", "interval_score"]
    assert result.reasons("interval_score").loc["target_mean"].item() == "there is no interval"


def test_an_interval_that_is_none(stream):
    with pytest.raises(DataError, match=r"row 0: .*lower.* found \(2.0, 1.0\)"):
        se.evaluate(stream, Wrong)


@pytest.mark.parametrize(
    ("intervals", "message"),
    [(1.5, "above 0 and below 1, found '1.5'"), ("0.9:x", "at gamma: .*, found 'x'")],
)
def test_intervals_that_are_none(stream, intervals, message):
    with pytest.raises(ConfigError, match=message):
        se.evaluate(stream, "amrules", intervals=intervals)


def test_classifiers_have_no_intervals():
    stream = se.generate("sea", rows=100)
    with pytest.raises(ConfigError, match=r"numeric target.*nominal"):
        se.evaluate(stream, "naive_bayes", intervals=0.9)
    with pytest.raises(ConfigError, match=r"predicts numbers, found the classifier 'naive_bayes'"):
        se.conformal("naive_bayes")


def test_the_drawing_marks_the_nominal_coverage(result):
    panels = result.plot(window=200)
    assert [axes.get_ylabel().split("\n")[0].split()[0] for axes in panels] == [
        "Mean",
        "Coverage",
        "Mean",
    ]
    levels = [line for line in panels[1].lines if set(line.get_ydata()) == {0.8}]
    assert len(levels) == 1
    alone = result.plot("mean_interval_width", window=200)
    assert not [line for line in alone.lines if set(line.get_ydata()) == {0.8}]


def test_curves_are_measures_of_windows(result):
    curve = result.curve("interval_coverage", window=200, points=6)
    ends, true = result.table.intervals["amrules"], result.table.true
    inside = (ends.low <= true) & (true <= ends.high)
    for place in curve.index:
        at = place - 1  # of the scored ones, which begin with the second row
        assert (
            curve.loc[place, "amrules"]
            == inside[max(at - 200, 0) : at][~np.isnan(ends.low[max(at - 200, 0) : at])].mean()
        )


def test_predictions_have_the_ends_of_intervals_that_are_kept():
    stream = se.generate("planes", rows=300)
    result = se.evaluate(stream, "amrules", intervals="0.9")
    predictions = result.predictions
    low, high = predictions["amrules_low"], predictions["amrules_high"]
    known = low.notna() & predictions["amrules"].notna()
    assert known.sum() > 200
    assert (low[known] <= high[known]).all()
    inside = (low <= predictions["true"]) & (predictions["true"] <= high)
    assert result.intervals().loc["amrules", "interval_coverage"] == inside[low.notna()].mean()
    assert "amrules_low" not in se.evaluate(stream, "amrules").predictions


def test_infinite_intervals_are_named(stream):
    result = se.evaluate(stream, "amrules", intervals="0.8:1:50:1")
    heads, *rows = tables_of(result)[1]
    width = next(at for at, head in enumerate(heads) if head.startswith("Mean width"))
    assert "infinite" in [row[width] for row in rows]
    assert "A single infinite interval" in " ".join(text_of(result).split())


def test_a_file_of_predictions_with_intervals(stream, tmp_path):
    n, y = len(stream), stream.y
    frame = pd.DataFrame({"value": y, "low": y - 5, "high": y + 5})
    frame.loc[:9, ["low", "high"]] = np.nan
    frame.loc[10:59, "high"] = frame.loc[10:59, "value"] - 1
    frame.to_csv(tmp_path / "mine.csv", index=False)
    mine = PredictionsFile(str(tmp_path / "mine.csv"))
    row = se.evaluate(stream, mine, intervals=0.9).intervals().iloc[0]
    assert row["intervals"] == n - 10
    assert row["interval_coverage"] == (n - 60) / (n - 10)
    for wrong, message in (
        (frame.assign(high=frame["low"] - 1), "prediction 11: .*at most its upper end"),
        (frame.drop(columns="high"), "'low' alone"),
    ):
        wrong.to_csv(tmp_path / "mine.csv", index=False)
        with pytest.raises(se.StreamevalError, match=message):
            se.evaluate(stream, mine)
