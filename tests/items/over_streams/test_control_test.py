"""Kinds that read a benchmark: a control against the others, and mean ranks."""

from __future__ import annotations

import math
import re

import numpy as np
import pandas as pd
import pytest
from helpers.latex import read_latex
from helpers.shown_tables import cells_of
from significance.test_friedman import DEMSAR

from streameval.base.table_files import read_csv_table, write_csv
from streameval.drawing.subject import Subject
from streameval.evaluation.control_comparison import compare_with_control
from streameval.items import kinds
from streameval.items.benchmark import SCORES
from streameval.items.inputs import ItemInput
from streameval.items.over_streams.control_test import study as control_test
from streameval.items.over_streams.mean_ranks import study as mean_ranks
from streameval.items.over_streams.show import (
    draw_control_test,
    draw_mean_ranks,
    layout_control_test,
    layout_mean_ranks,
)
from streameval.items.performance.critical_difference import rank_learners
from streameval.view.latex import latex

CONTROL, RANKED = kinds()["control_test"], kinds()["mean_ranks"]
NAMES = ("c45", "m", "cf", "both")
TITLES = {"c45": "C4.5", "both": "C4.5+m+cf"}


@pytest.fixture
def scores():
    """The scores of a benchmark with two seeds, of AUC of Demšar (2006) and another measure."""
    rows = [
        (f"s{i}", i == 3, name, seed, measure, value + step, "")
        for measure, factor in (("accuracy", 1.0), ("kappa", -1.0))
        for i, of_stream in enumerate(DEMSAR)
        for name, value in zip(NAMES, np.multiply(of_stream, factor), strict=True)
        for seed, step in ((1, -0.001), (2, 0.001))
    ]
    return pd.DataFrame(rows, columns=[*SCORES])


def item_input(kind, scores, folder, **settings):
    """Input of a study whose benchmark has these scores."""
    write_csv(scores, folder / "scores.csv")
    chosen = kind.settings_from({"of": "table1", **settings})
    return ItemInput(settings=chosen, frames={"scores": str(folder / "scores.csv")})


def test_a_control_is_compared_by_one_measure(scores, tmp_path):
    item = item_input(CONTROL, scores, tmp_path, control="both")
    frames = control_test(item)
    expected = compare_with_control(scores[scores["measure"] == "accuracy"], "both")
    pd.testing.assert_frame_equal(frames["others"], expected.others)
    by_kappa = control_test(item_input(CONTROL, scores, tmp_path, control="both", measure="kappa"))
    wins = [frame["others"]["wins"].tolist() for frame in (frames, by_kappa)]
    losses = [frame["others"]["losses"].tolist() for frame in (frames, by_kappa)]
    assert wins[0] == losses[1]
    single = control_test(item_input(CONTROL, scores, tmp_path, control="both", others=["c45"]))
    row = single["others"].set_index("learner").loc["c45"]
    assert row["wilcoxon_p"] == pytest.approx(frames["others"]["wilcoxon_p"][0] / 3)


def test_of_errors_the_smaller_is_the_better(scores, tmp_path):
    scores = scores[scores["measure"] == "accuracy"]
    name = "mean_absolute_error"
    errors = scores.assign(measure=name, value=1 - scores["value"])
    by_error = {"control": "both", "measure": name, "rope": 0.01}
    item = item_input(CONTROL, errors, tmp_path, **by_error)
    frames = control_test(item)
    by_accuracy = control_test(item_input(CONTROL, scores, tmp_path, control="both"))
    pd.testing.assert_frame_equal(frames["others"], by_accuracy["others"], rtol=1e-9, atol=1e-9)
    notes = layout_control_test(frames["others"], Subject(settings=item.settings)).notes
    assert any("other − both" in note for note in notes)
    assert any("Above 0, the error of the control is lower" in note for note in notes)
    (axes,) = draw_control_test(frames, Subject(settings=item.settings)).axes
    assert axes.get_xlabel().startswith("other − control: to the right the control is better")
    item = item_input(RANKED, errors, tmp_path, measure=name)
    ranked, expected = mean_ranks(item), mean_ranks(item_input(RANKED, scores, tmp_path))
    for key in ("learner", "mean_rank", "p_value", "alike"):
        assert ranked["ranks"][key].tolist() == expected["ranks"][key].tolist()
    assert ranked["ranks"]["mean"].to_numpy() == pytest.approx(1 - expected["ranks"]["mean"])
    assert ranked["scores"]["rank"].tolist() == expected["scores"]["rank"].tolist()
    cells = cells_of(layout_mean_ranks(ranked["ranks"], Subject(settings=item.settings)))
    assert "Mean MAE" in cells.columns


@pytest.mark.parametrize(
    ("kind", "settings", "message"),
    [
        (CONTROL, {"control": "knn"}, "control and others: .*no_change.* found knn"),
        (CONTROL, {"control": "a", "others": ["knn"]}, "control and others: .* found knn"),
        (CONTROL, {"control": "a", "measure": "mcc"}, "measure: .*accuracy, found mcc"),
        (RANKED, {"ranked": ["knn", "a"]}, "ranked: .* found knn"),
        (RANKED, {"measure": "mcc"}, "measure: .*accuracy, found mcc"),
    ],
)
def test_what_a_benchmark_lacks_is_seen_before_it_runs(kind, settings, message):
    benchmark = kinds()["benchmark"].settings_from(
        {"streams": ["s1", "s2", "s3"], "learners": ["a", "b"]}
    )
    (objection,) = kind.settings_from({"of": "table1", **settings}).source_faults(benchmark)
    assert re.search(message, objection)


def test_a_benchmark_of_two_streams_is_too_small():
    kind = kinds()["benchmark"]
    chosen = CONTROL.settings_from({"of": "table1", "control": "majority"})
    few = kind.settings_from({"streams": ["s1", "s2"], "learners": ["a"]})
    (objection,) = chosen.source_faults(few)
    assert "at least 3 streams, found s1, s2" in objection
    for streams in (["s1", "s2", "s3"], ["all"]):
        enough = kind.settings_from({"streams": streams, "learners": ["a"]})
        assert not list(chosen.source_faults(enough))


def test_the_control_is_no_other_learner():
    chosen = CONTROL.settings_from({"of": "table1", "control": "a", "others": ["a", "b"]})
    assert [
        "others: expected learners other than" in text for text in chosen.setting_faults({})
    ] == [True]
    chosen = CONTROL.settings_from({"of": "table1", "control": "a", "others": ["b"]})
    assert not list(chosen.setting_faults({}))


def test_the_table_of_a_control_is_that_of_python_also_from_its_file(scores, tmp_path):
    scores.loc[(scores["learner"] == "m") & (scores["stream"] == "s1"), ["value", "reason"]] = (
        math.nan,
        "one class",
    )
    scores.loc[(scores["learner"] == "both") & (scores["stream"] == "s2"), ["value", "reason"]] = (
        math.nan,
        "too slow",
    )
    item = item_input(CONTROL, scores, tmp_path, control="both")
    frames = control_test(item)
    write_csv(frames["others"], tmp_path / "table.csv")
    subject = Subject(settings=item.settings, titles=TITLES)
    table = layout_control_test(read_csv_table(tmp_path / "table.csv"), subject)
    cells = cells_of(table).set_index("Learner")
    assert cells.index.tolist() == ["C4.5", "m", "cf"]
    assert cells.loc["m"].tolist() == ["–"] * 12
    assert cells.loc["C4.5", "Verdict"] == "beats"
    assert "m is left out: no value on 1 of 13 streams (s1: one class)." in table.notes
    assert "1 of the streams is a simulated stand-in." in table.notes
    assert table.notes[-1].endswith("C4.5+m+cf has no value are left out (s2: too slow).")
    assert "practically equal" in read_latex(latex(table, "A caption.", "tab:a"))
    figure = draw_control_test(frames, subject)
    names = [text.get_text() for text in figure.axes[0].get_yticklabels()]
    assert names == ["C4.5", "cf"]
    # Thirteen real streams and a simulated one, of which s2 is left out.
    dots = [len(line.get_xdata()) for line in figure.axes[0].lines if line.get_marker() == "o"]
    assert dots == [12, 1] * 2


def test_mean_ranks_are_those_of_the_critical_difference(scores, tmp_path):
    item = item_input(RANKED, scores, tmp_path, level=0.1)
    frames = mean_ranks(item)
    table = frames["ranks"].set_index("learner")
    # Demšar (2006), Section 3.2.2.
    assert table["mean_rank"].to_dict() == pytest.approx(
        {"both": 1.964, "m": 2.000, "cf": 2.893, "c45": 3.143}, abs=5e-4
    )
    means = scores[scores["measure"] == "accuracy"].groupby(["stream", "simulated", "learner"])
    alone = rank_learners(means["value"].mean().reset_index().assign(reason=""), 0.1)["ranks"]
    assert table["p_value"].iloc[0] == pytest.approx(alone["p_value"].iloc[0])
    subject = Subject(settings=item.settings, titles=TITLES)
    assert cells_of(layout_mean_ranks(frames["ranks"], subject))["Learner"][0] == "C4.5+m+cf"
    assert len(draw_mean_ranks(frames, subject).axes) == 1


def test_a_learner_without_a_value_is_not_ranked(scores, tmp_path):
    scores.loc[(scores["learner"] == "m") & (scores["stream"] == "s1"), ["value", "reason"]] = (
        math.nan,
        "one class",
    )
    item = item_input(RANKED, scores, tmp_path)
    frames = mean_ranks(item)
    write_csv(frames["ranks"], tmp_path / "table.csv")
    table = read_csv_table(tmp_path / "table.csv")
    subject = Subject(settings=item.settings)
    table_layout = layout_mean_ranks(table, subject)
    assert set(cells_of(table_layout)["Learner"]) == {"both", "cf", "c45"}
    assert table_layout.notes[-1] == "m is not ranked: no value on s1 (one class)."
    figure = draw_mean_ranks({**frames, "ranks": table}, subject)
    texts = " ".join(text.get_text() for text in figure.axes[0].texts)
    assert "both (" in texts
    assert "m (" not in texts
