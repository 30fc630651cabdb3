"""Accuracy and errors by age of one's own streams, in the units of their times."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from test_result_view import text_of

import streameval as se
from streameval.base.errors import ConfigError
from streameval.base.settings import ROOT
from streameval.protocols.prequential import before_first_label
from streameval.streams.columnar import read_stream, write_stream

LOANS = ROOT / "examples" / "loans.csv"


@pytest.fixture(scope="module")
def loans():
    return se.read(LOANS, "paid", time="asked", label_time="settled")


@pytest.fixture(scope="module")
def result(loans):
    return se.evaluate(loans, ["naive_bayes", "knn"])


def test_dates_are_kept_and_written(loans, tmp_path):
    assert loans.ticks == 1
    assert repr(loans).endswith("2 classes of 'paid', 2023-01-02 to 2025-11-15>")
    write_stream(loans, tmp_path / "a.parquet")
    assert read_stream(tmp_path / "a.parquet").ticks == 1
    frame = pd.read_csv(LOANS, parse_dates=["asked", "settled"])
    same = se.from_pandas(frame, "paid", time="asked", label_time="settled")
    assert (same.ticks, same.time.tolist()) == (1, loans.time.tolist())
    numbers = frame.assign(**{c: frame[c].astype("int64") / 1e9 for c in ("asked",)}).drop(
        columns="settled"
    )
    kept = se.from_pandas(numbers.dropna(), "paid", time="asked")
    assert kept.ticks == 0
    assert " to " not in repr(kept)


def test_a_delay_can_be_a_length_of_time(loans):
    undelayed = replace(loans, label_time=None)
    evaluation = se.evaluate(undelayed.with_labels(), "naive_bayes", delay="30 days")
    assert evaluation.delays["seconds"] == 30 * 86_400
    stream = evaluation.stream
    assert (stream.label_time - stream.time == 30 * 86_400).all()
    pair = se.compare(undelayed.with_labels(), ["naive_bayes", "majority"], delay="30 days")
    over = evaluation.over_baselines()["naive_bayes"]["majority"]
    assert pair.pairs[0].difference == pytest.approx(over.difference, abs=1e-12)
    with pytest.raises(ConfigError, match="expected dates of the instances"):
        se.evaluate(se.generate("sea", rows=500), "naive_bayes", delay="30 days")
    with pytest.raises(ConfigError, match=r"'3 months',.* 'month'"):
        se.evaluate(undelayed, "naive_bayes", delay="3 months")


def test_accuracy_by_age_is_over_those_at_risk(loans, result):
    """Against a count by hand, from all predictions."""
    bins = result.bins(12, learners=["naive_bayes"], by="age")
    assert bins["age"].tolist() == [pd.Timedelta(days=30 * i) for i in range(len(bins))]
    assert bins["at_risk"].is_monotonic_decreasing
    assert bins["at_risk"].iloc[-1] >= 100
    knowing = np.arange(len(loans)) >= before_first_label(loans)
    assert 100 < np.count_nonzero(~knowing) == result.before_first_label
    table = result.predictions
    table["true"] = table["true"].astype(object)
    for age in (0, 150):
        seconds = age * 86_400
        row = bins.loc[bins["age"] == pd.Timedelta(days=age)].iloc[0]
        at_risk = (loans.label_time - loans.time > seconds) & loans.labelled & knowing
        assert row["at_risk"] == at_risk.sum()
        right = []
        for instance, waiting in table[table["row"].isin(np.flatnonzero(at_risk))].groupby("row"):
            predictions = waiting[
                result._reevaluation.prediction_events.time[waiting.index] - loans.time[instance]
                <= seconds
            ]
            right.append(str(predictions["naive_bayes"].iloc[-1]) == predictions["true"].iloc[-1])
        assert row["accuracy"] == pytest.approx(np.mean(right), abs=1e-12)
        ends = result._reevaluation.prediction_events.time.max()
        assert row["pending"] == (~loans.labelled & (ends - loans.time >= seconds)).sum()


def test_skills_are_those_of_the_same_instances(result):
    bins = result.bins(6, by="age").set_index(["learner", "age"])
    accuracy, baseline = (bins.loc[name, "accuracy"] for name in ("knn", "majority"))
    expected = (accuracy - baseline) / (1 - baseline)
    skills = bins.loc["knn", "kappa_m_delayed"]
    assert skills.to_numpy() == pytest.approx(expected.to_numpy(), abs=1e-12)
    assert (bins.loc["no_change", "kappa_temporal_delayed"] == 0).all()
    assert "(days)" in result.plot_bins(bins=6, by="age")[-1].get_xlabel()


def test_ages_are_numbers_where_times_are():
    evaluation = se.evaluate(se.generate("sea", rows=1500), "naive_bayes", delay=100)
    ages = evaluation.bins(4, by="age")
    assert ages["age"].unique().tolist() == [0, 25, 50, 75]
    with pytest.raises(ConfigError, match="no kind of bins 'time'"):
        evaluation.bins(4, by="time")


@pytest.fixture(scope="module")
def numbers():
    demand = se.read(ROOT / "examples/demand.csv", "count", drop=["time"], numeric_target=True)
    return se.evaluate(demand, "fimt_dd", delay=23, seasonal=24)


def test_errors_by_age_are_over_those_at_risk(numbers):
    """Against a count by hand, from all predictions."""
    bins = numbers.bins(6, by="age").set_index(["learner", "age"])
    table, times = numbers.predictions, numbers._reevaluation.prediction_events.time
    stream = numbers.stream
    for age in (0, 20):
        errors = {"fimt_dd": [], "previous_target": [], "seasonal:24": []}
        for instance, waiting in table.groupby("row"):
            if stream.label_time[instance] - stream.time[instance] > age:
                latest = waiting[times[waiting.index] - stream.time[instance] <= age].iloc[-1]
                for name, listed in errors.items():
                    listed.append(abs(latest[name] - latest["true"]))
        for name, listed in errors.items():
            row = bins.loc[name, age]
            assert row["mean_absolute_error"] == pytest.approx(np.nanmean(listed))
            assert row["at_risk"] == len(listed)
            assert row["missing"] == np.isnan(listed).sum()
        losses, baseline = (np.array(errors[name]) for name in ("fimt_dd", "previous_target"))
        known = ~np.isnan(baseline)
        expected = 1 - losses[known].mean() / baseline[known].mean()
        assert bins.loc["fimt_dd", age]["skill_over_previous_target"] == pytest.approx(expected)
    rows = bins.loc["fimt_dd"]
    assert (rows["low"] < rows["mean_absolute_error"]).all()
    assert rows["gain"].iloc[0] == 0
    assert rows["overall"].iloc[0] == pytest.approx(numbers.bins(1)["mean_absolute_error"].iloc[0])


def test_errors_by_age_are_drawn_and_printed(numbers):
    panels = numbers.plot_bins(bins=6, by="age")
    assert [axes.get_ylabel() for axes in panels] == [
        "mean absolute error",
        "difference",
        "mean absolute error",
    ]
    text = text_of(numbers, bins=6, by="age")
    assert "  S(previous)  S(mean)    S(24)  at risk" in text
    assert "The skill S compares with a baseline" in text
    assert max(map(len, text.splitlines())) <= 100
