"""``budget``: how accurate learners are by the labels that they learn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import streameval as se
from streameval.protocols.partial import NO_INTERVAL, Partial

STREAM = se.generate("random_rbf", rows=2000)


@pytest.fixture(scope="module")
def budgets():
    return se.budget(
        STREAM,
        ["naive_bayes", "majority", "knn"],
        [0.1, 0.02],
        ["random", "every", "randomised_uncertainty"],
        runs=3,
        delay=5,
        cores=2,
        progress=False,
    )


def test_a_row_for_each_learner_strategy_and_budget(budgets):
    table = budgets.table()
    assert budgets.learners == ["naive_bayes", "knn"]
    rows = table.groupby("learner", sort=False)
    ways = [("random", 0.02), ("random", 0.1), ("every", 0.02), ("every", 0.1)]
    ways += [("randomised_uncertainty", 0.02), ("randomised_uncertainty", 0.1), ("all", 1.0)]
    for name in budgets.learners:
        part = rows.get_group(name)
        assert list(zip(part["strategy"], part["budget"], strict=True)) == ways
    for name in ("no_change", "majority"):
        part = rows.get_group(name)
        assert part["strategy"].tolist() == ["random", "random", "all"]
        assert part["proportion"].is_monotonic_increasing
    assert table["labels"].max() == 2000 - 5
    draws = table["strategy"].isin(["random", "randomised_uncertainty"])
    assert (table.loc[draws, "runs"] == 3).all()
    assert (table.loc[~draws, "runs"] == 1).all()
    np.testing.assert_array_equal(table["low"][~draws], table["high"][~draws])
    assert ((table["low"] <= table["accuracy"]) & (table["accuracy"] <= table["high"])).all()
    assert (table["proportion"] == table["labels"] / 2000).all()


def test_all_labels_give_the_measures_of_evaluate(budgets):
    table = budgets.table().set_index(["learner", "strategy", "budget"])
    whole = table.loc[("naive_bayes", "all", 1.0), ["accuracy", "kappa_temporal"]]
    expected = se.evaluate(STREAM, "naive_bayes", "delayed:5").measures(*whole.index)
    assert whole.tolist() == pytest.approx(expected.loc["naive_bayes"].tolist())


@pytest.mark.parametrize(
    ("strategy", "delay"), [("random", 7), ("every", 0), ("variable_uncertainty", 7)]
)
def test_accuracies_are_those_of_evaluate_where_labels_are_missing(strategy, delay):
    is_missing = np.random.default_rng(1).random(len(STREAM)) < 0.25
    stream = replace(STREAM, y=np.where(is_missing, -1, STREAM.y).astype(STREAM.y.dtype))
    there_are = np.count_nonzero(~is_missing)
    curves = se.budget(stream, "knn", 0.1, strategy, runs=1, delay=delay, progress=False)
    for row, protocol in (
        (curves.table().iloc[0], f"partial:0.1:{strategy}:{delay}"),
        (curves.table().iloc[1], f"partial:1:random:{delay}"),
    ):
        same = se.evaluate(stream, "knn", protocol, progress=False)
        assert row["accuracy"] == same.measures("accuracy").loc["knn", "accuracy"]
        assert row["scored"] == same.measured_labels("knn")
        assert row["labels"] == same.costs.loc["knn", "labels"]
        assert row["proportion"] == row["labels"] / there_are


def test_a_strategy_that_stops_asking_is_named():
    # The first label of a class other than the first makes knn certain; see `Partial`.
    begins = int(np.argmax(STREAM.y > 0))
    stream = STREAM.take(slice(begins, None))
    sentence = se.budget(stream, "knn", 0.2, "uncertainty", progress=False).sentences()[-1]
    allowed = 0.2 * len(stream)
    assert sentence == (
        "The strategy uncertainty asks for only 1 labels, though a budget of 20.00 % allows "
        f"{allowed:,.0f}."
    )


def test_the_picture_has_a_panel_for_each_learner(budgets):
    panels = budgets.plot()
    # A curve for each strategy and baseline, and two horizontal lines.
    assert [len(axes.lines) for axes in panels] == [7, 7]
    assert {axes.get_xscale() for axes in panels} == {"log"}
    options = {"strategies": "every", "runs": 1, "progress": False}
    late = se.budget(STREAM.first(300), "naive_bayes", 0.01, delay=250, **options)
    with pytest.raises(se.StreamevalError, match="expected labels to learn from, found none"):
        late.plot()
    many = se.budget(STREAM.first(300), {f"l{i}": "knn" for i in range(5)}, 0.1, **options)
    with pytest.raises(se.StreamevalError, match="at most 4 learners, a panel for each, found 5"):
        many.plot()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"budgets": [0.1, 0]}, "at budget: .* above 0 and at most 1, found 0"),
        ({"budgets": []}, "budgets: expected one or more"),
        ({"strategies": []}, "strategies: expected some of random"),
        ({"learners": "majority"}, "expected at least one besides the baselines"),
        (
            {"learners": se.augmented("naive_bayes"), "strategies": "uncertainty"},
            "needs the whole tape first",
        ),
    ],
)
def test_wrong_input_is_refused(options, message):
    options = {"learners": "naive_bayes", "budgets": 0.1, "progress": False, **options}
    with pytest.raises(se.StreamevalError, match=message):
        se.budget(STREAM, **options)


def test_labels_that_arrive_late_are_not_ignored_in_silence():
    rows = np.arange(40)
    frame = pd.DataFrame({"x": rows % 7, "y": rows % 2, "t": rows, "l": rows + 3})
    stream = se.from_pandas(frame, "y", time="t", label_time="l")
    with pytest.raises(se.StreamevalError, match="arrive later than their instances"):
        se.budget(stream, "naive_bayes", 0.5, "every", progress=False)
    se.budget(stream, "naive_bayes", 0.5, "every", ignore_label_times=True, progress=False)
    with pytest.warns(se.StreamWarning, match="uses .* labels of"):
        se.budget(stream, "naive_bayes", 0.5, "every", delay=1, progress=False)
    se.budget(stream, "naive_bayes", 0.5, "every", delay=3, progress=False)


def test_numeric_targets_are_refused():
    with pytest.raises(se.StreamevalError, match="expected a stream with classes"):
        se.budget(se.generate("planes", rows=50), "naive_bayes")


# evaluate and compare ------------------------------------------------------------------------


def test_a_result_says_how_many_labels_were_learnt_and_has_no_intervals():
    result = se.evaluate(STREAM, ["naive_bayes", "knn"], "partial:0.05:variable_uncertainty")
    costs = result.costs
    assert costs.columns.tolist() == ["instances", "seconds", "model_bytes", "labels"]
    assert costs.loc[["naive_bayes", "knn"], "labels"].tolist() == [100, 100]
    n_labels = Partial(0.05).bought_labels(result.stream).sum()
    assert costs.loc[["no_change", "majority"], "labels"].tolist() == [n_labels, n_labels]
    over = result.over_baselines()["naive_bayes"]["no_change"]
    correct = result.measures("accuracy")["accuracy"]
    assert over.difference == pytest.approx(correct["naive_bayes"] - correct["no_change"])
    assert (np.isnan(over.low), over.reason) == (True, NO_INTERVAL)
    for measure in ("accuracy", "kappa", "kappa_temporal", "kappa_m"):
        estimate = result.estimate("naive_bayes", measure)
        assert estimate.mean == pytest.approx(result.measures(measure).loc["naive_bayes", measure])
        assert (np.isnan(estimate.low), estimate.reason) == (True, NO_INTERVAL)


def test_regressors_learn_a_part_of_the_targets():
    stream = se.generate("planes", rows=1000)
    result = se.evaluate(stream, "amrules", "partial:0.2:every")
    assert (result.costs["labels"] == 200).all()
    assert np.isnan(result.estimate("amrules").low)
    assert (result.skills()["reason"] == NO_INTERVAL).any()
    with pytest.raises(se.StreamevalError, match="The tape only offers labels"):
        se.evaluate(stream, "amrules", "partial:0.2:uncertainty")


def test_verdicts_and_pages_are_refused():
    with pytest.raises(se.StreamevalError, match="would be false too often"):
        se.compare(STREAM, ["naive_bayes", "knn"], "partial:0.1")
    result = se.evaluate(STREAM, "naive_bayes", "partial:0.1")
    with pytest.raises(se.StreamevalError, match=r"found the protocol partial:0\.1\. Leave it out"):
        se.write_report(result, "never.html")
