"""Streams whose rows belong to several entities in turn, through the public functions."""

from __future__ import annotations

import html

import numpy as np
import pandas as pd
import pytest
from helpers.own_pages import unrendered

import streameval as se
from streameval.base.errors import ConfigError
from streameval.significance.entities import order_by_entity
from streameval.significance.series import error_runs
from streameval.significance.stream_mean import Sample, stream_mean
from streameval.view.mixin import view_of
from streameval.view.text import text_lines

#: Machines in turn, each of which keeps its state 24 times out of 25.
N, MACHINES = 2400, 8


def frame_of(numbers=False):
    draws = np.random.default_rng(7)
    machine, state, rows = draws.integers(0, MACHINES, N), draws.integers(0, 2, MACHINES), []
    for code in machine:
        if draws.random() < 0.08:
            state[code] = draws.integers(0, 2)
        rows.append((f"m{code}", state[code] + draws.normal(), state[code]))
    frame = pd.DataFrame(rows, columns=["machine", "x", "state"])
    if numbers:
        return frame.assign(state=frame["state"] + 0.1 * draws.normal(size=N))
    return frame.assign(state=frame["state"].map({0: "ok", 1: "fail"}))


@pytest.fixture(scope="module")
def classes():
    return se.from_pandas(frame_of(), "state", group="machine")


@pytest.fixture(scope="module")
def numbers():
    return se.from_pandas(frame_of(numbers=True), "state", numeric_target=True, group="machine")


@pytest.fixture(scope="module")
def result(classes):
    return se.evaluate(classes, "naive_bayes", progress=False)


def previous_of(frame):
    return frame.groupby("machine")["state"].shift()


def test_baselines_are_those_of_the_entity(result):
    frame, predictions = frame_of(), result.predictions
    previous = previous_of(frame)
    known = previous.notna()
    assert (predictions["no_change"][known] == previous[known]).all()
    right = predictions["no_change"] == frame["state"]
    assert result.measures().loc["no_change", "accuracy"] == pytest.approx(right.mean())
    accuracy = (predictions["naive_bayes"] == frame["state"]).mean()
    expected = 1 - (1 - accuracy) / (1 - right.mean())
    assert result.measures().loc["naive_bayes", "kappa_temporal"] == pytest.approx(expected)
    assert "loses to No-Change" in result.summary


def test_the_learner_sees_the_stream_as_it_comes(result):
    plain = se.evaluate(se.from_pandas(frame_of(), "state"), "naive_bayes", progress=False)
    assert (result.predictions["naive_bayes"] == plain.predictions["naive_bayes"]).all()
    assert "beats No-Change" in plain.summary  # the pitfall


def test_intervals_are_those_of_entities(result):
    frame, predictions = frame_of(), result.predictions
    order = order_by_entity(pd.factorize(frame["machine"])[0])
    errors, baseline = (
        predictions[name] != frame["state"] for name in ("naive_bayes", "no_change")
    )
    run_lengths = error_runs(errors, baseline, order=order)
    series = baseline.astype(float) - errors
    expected = stream_mean(Sample(series, run_lengths=run_lengths, order=order))
    got = result.differences().loc["naive_bayes"]
    assert (got["low"], got["high"]) == (expected.low, expected.high)
    plain = stream_mean(Sample(series, run_lengths=error_runs(errors, baseline)))
    assert expected.standard_error > plain.standard_error
    estimate = result.estimate("no_change")
    expected = stream_mean(
        Sample(~baseline, run_lengths=error_runs(~baseline, order=order), order=order)
    )
    assert (estimate.low, estimate.high) == (expected.low, expected.high)


def test_baselines_of_numbers_are_those_of_the_entity(numbers):
    frame = frame_of(numbers=True)
    result = se.evaluate(numbers, "fimt_dd", seasonal=2, progress=False)
    by_machine, predictions = frame.groupby("machine")["state"], result.predictions
    predictions = predictions.set_index("row")
    # Measures are over the instances that all learners predict.
    every = predictions[result.learners].notna().all(axis=1)
    for name, targets in {
        "previous_target": by_machine.shift(),
        "target_mean": by_machine.transform(lambda targets: targets.expanding().mean().shift()),
        "seasonal:2": by_machine.shift(2),
    }.items():
        expected = targets.iloc[predictions.index]
        known = expected.notna()
        np.testing.assert_allclose(predictions[name][known], expected[known])
        assert predictions[name][~known].isna().all() or name != "seasonal:2"
        errors = (predictions[name] - predictions["true"])[every].abs()
        assert result.measured_labels(name) == len(errors) < len(predictions)
        assert result.measures().loc[name, "mean_absolute_error"] == pytest.approx(errors.mean())
        rows = result.by_group([name]).set_index("entity")["mean_absolute_error"]
        assert rows.to_dict() == pytest.approx(errors.groupby(frame["machine"]).mean().to_dict())


def test_a_comparison_is_about_entities(classes):
    comparison = se.compare(classes, ["naive_bayes", "no_change"], progress=False)
    result = se.evaluate(classes, "naive_bayes", progress=False)
    over = result.over_baselines()["naive_bayes"]["no_change"]
    pair = comparison.pairs[0]
    assert pair.difference == pytest.approx(over.difference)
    assert pair.verdict == "loses to"
    assert (pair.low, pair.high) == pytest.approx((over.low, over.high))
    apart = comparison.difference("naive_bayes", "majority")
    assert (apart.low, apart.high) == tuple(result.over_baselines()["naive_bayes"]["majority"][1:3])
    rows = result.by_group(["naive_bayes"]).set_index("entity")["over_no_change"]
    assert comparison.by_group().set_index("entity")["difference"].to_dict() == pytest.approx(
        rows.to_dict()
    )
    assert comparison.tests.empty
    assert "of an entity" in comparison.inapplicable_tests()["All other tests"]
    assert comparison.to_dict()["group"] == {"column": "machine", "entities": MACHINES}


def test_delays_and_bins(classes):
    result = se.evaluate(classes, "naive_bayes", delay=30, progress=False)
    frame = result.bins(3)
    assert frame[["low", "high", "band_low", "band_high"]].isna().all(axis=None)
    text = "\n".join(result.lines())
    assert "No intervals: for streams with groups, intervals by bin or age were not tested" in text
    assert not np.isnan(result.differences().loc["naive_bayes", "low"])
    assert result.bins(3, by="age")[["low", "gain_high"]].isna().all(axis=None)
    assert len(result.by_group(["naive_bayes"])) == MACHINES
    comparison = se.compare(classes, ["naive_bayes", "majority"], delay=30, bins=1, progress=False)
    assert comparison.bins["low"].notna().any()


def test_folds(classes):
    comparison = se.compare(
        classes, ["naive_bayes", "no_change"], "cross_validation", progress=False
    )
    assert comparison.mean("no_change")[0] > 0.85
    assert len(comparison.by_group()) == MACHINES


def test_budgets_and_detectors_have_the_baselines_of_the_entity(classes):
    spent = se.budget(classes, "naive_bayes", 0.5, "random", runs=1, progress=False).table()
    whole = spent[(spent["learner"] == "no_change") & (spent["strategy"] == "all")]
    assert whole["accuracy"].item() > 0.9
    table = se.detect(classes, "naive_bayes", "ddm", progress=False).table()
    assert table.loc["no_change", "accuracy"] > 0.9


def test_class_scores_are_compared_within_entities(classes):
    plain = se.from_pandas(frame_of(), "state")
    skill = "log_loss_skill_over_label_transitions"
    grouped, ungrouped = (
        se.evaluate(stream, "naive_bayes", scores=True, progress=False).scores(skill)
        for stream in (classes, plain)
    )
    assert grouped.loc["naive_bayes", skill] < 0 < ungrouped.loc["naive_bayes", skill]


@unrendered()
@pytest.mark.parametrize("which", ["classes", "numbers"])
def test_a_page_tells_entities(which, request, tmp_path):
    stream = request.getfixturevalue(which)
    learner = "naive_bayes" if which == "classes" else "fimt_dd"
    page = tmp_path / "page.html"
    intervals = None if which == "classes" else 0.9
    result = se.evaluate(stream, learner, intervals=intervals, progress=False)
    se.write_report(result, page)
    text = html.unescape(page.read_text())
    assert "By machine" in text
    methods = text[text.index("Methods, to copy") :]
    assert "of 8 entities, by 'machine'" in methods
    assert "each within the 'machine' of an instance" in methods
    assert "in order of time or entity by entity" in methods
    assert ("latest errors of the same entity" in methods) == (which == "numbers")
    if which == "numbers":
        predictions = result.predictions.dropna(subset=f"{learner}_low")
        low, high = predictions[f"{learner}_low"], predictions[f"{learner}_high"]
        inside = (low <= predictions["true"]) & (predictions["true"] <= high)
        expected = inside.groupby(frame_of()["machine"].iloc[predictions["row"]].to_numpy()).mean()
        coverage = result.by_group([learner]).set_index("entity")["interval_coverage"]
        assert coverage.to_dict() == pytest.approx(expected.to_dict())


def test_a_stream_without_groups_has_no_table_of_them():
    result = se.evaluate(se.generate("sea", rows=500), "naive_bayes", progress=False)
    with pytest.raises(ConfigError, match="by_group: expected a stream with groups, found none"):
        result.by_group()


def test_nothing_follows_from_how_entities_are_called(result):
    names = dict(zip((f"m{i}" for i in range(MACHINES)), "hgfedcba", strict=True))
    frame = frame_of().assign(machine=lambda table: table["machine"].map(names))
    stream = se.from_pandas(frame, "state", group="machine", nominal=["machine"])
    again = se.evaluate(stream, "naive_bayes", progress=False)
    pd.testing.assert_frame_equal(again.measures(), result.measures())
    pd.testing.assert_frame_equal(again.differences(), result.differences())
    renamed, original = (
        evaluation.by_group().drop(columns="entity") for evaluation in (again, result)
    )
    pd.testing.assert_frame_equal(renamed, original)


@pytest.mark.parametrize("asked", [{}, {"protocol": "cross_validation:3"}, {"delay": 4}], ids=str)
def test_instances_are_those_that_are_measured(asked):
    frame = frame_of().iloc[:400]
    frame["state"] = frame["state"].where(np.random.default_rng(3).random(400) < 0.7)
    frame.iloc[:6, 0] = ["rare1", "rare2"] * 3
    stream = se.from_pandas(frame, "state", group="machine")
    result = se.evaluate(stream, "naive_bayes", progress=False, **asked)
    judged = result.predictions.drop_duplicates("row")
    judged = judged[judged["true"].notna()]["row"]
    counts = frame["machine"].iloc[judged].value_counts()
    entities = result.by_group("naive_bayes").set_index("entity")
    assert entities["n"].to_dict() == counts.to_dict()
    enough = entities[entities["n"] >= 30]["over_no_change"]
    assert 0 < len(enough) < len(entities)
    said = f"above 0 for {(enough > 0).sum()} of {len(enough)} with at least 30 labels"
    text = [*text_lines(view_of(result))]
    assert said in " ".join(" ".join(text).split())
    head = "predictions" if "protocol" in asked else "instances"
    above = [line.split()[1:] for line in "\n".join(text).splitlines() if line.startswith(head)]
    predictions = result.predictions["true"].notna().sum()
    assert above[:1] == [[f"{predictions}"] * 3] or "delay" in asked
