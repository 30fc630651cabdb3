"""The main table over streams with a numeric target, equal to results of the package."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from helpers.shown_tables import cells_of

import streameval as se
from streameval.base.settings import ROOT
from streameval.base.table_files import write_csv
from streameval.drawing.subject import Subject
from streameval.evaluation.predictions import read_predictions, write_predictions
from streameval.evaluation.run import run_learners
from streameval.items import kinds
from streameval.items.benchmark import SCORES, VERDICTS
from streameval.items.benchmark.benchmark import seed_summary, study, with_published_scores
from streameval.items.benchmark.ranks_over_time import study as study_over_time
from streameval.items.benchmark.show import layout_benchmark
from streameval.items.inputs import ItemInput, StreamInput
from streameval.items.performance.critical_difference import study as study_ranks
from streameval.learners.registry import load_learners
from streameval.learners.tasks import CLASSIFICATION, REGRESSION
from streameval.protocols.registry import parse

ROWS = load_learners(ROOT / "config" / "learners.yaml")
BENCHMARK, OVER_TIME = kinds()["benchmark"], kinds()["ranks_over_time"]
RANKS = kinds()["critical_difference"]
ERRORS = ("mean_absolute_error", "root_mean_squared_error")
STREAMS = {CLASSIFICATION: se.generate("sea", 1500), REGRESSION: se.generate("planes", 1500)}
LEARNERS = {
    CLASSIFICATION: ("naive_bayes", "hoeffding_tree", "no_change", "majority"),
    REGRESSION: ("fimt_dd", "amrules", "previous_target", "target_mean"),
}
MEASURES = {
    CLASSIFICATION: ("accuracy", "kappa_temporal"),
    REGRESSION: (*ERRORS, "r_squared", "skill_over_previous_target", "skill_over_target_mean"),
}


def run_input(folder, stream, settings, seeds=None):
    """The input of the study of a stream: files of its learners' runs, as the jobs write them."""
    learners = {name: ROWS[name].make() for name in settings.learners_and_baselines}
    files, spent = {}, {}
    for seed in range(1, max((seeds or {}).values(), default=1) + 1):
        of_run = {n: learner for n, learner in learners.items() if seed == 1 or n in seeds}
        table, costs = run_learners(stream, parse(settings.protocol), of_run, seed)
        files[str(seed)] = str(folder / f"{stream.name}.{seed}.parquet")
        spent[str(seed)] = str(folder / f"{stream.name}.{seed}.csv")
        write_predictions(table, files[str(seed)])
        write_csv(pd.DataFrame(costs), spent[str(seed)])
    first = {"original": files.pop("1")}
    return StreamInput(
        settings=settings,
        name=stream.name,
        prediction_files=first,
        seed_files=files,
        cost_files=spent,
    )


def settings_for(kind, task, **more):
    base = {"streams": ["s"], "learners": LEARNERS[task][:2]}
    return kind.settings_from({**base, **more}).for_task(task)


@pytest.fixture(scope="module", params=[CLASSIFICATION, REGRESSION], name="task")
def _task(request):
    return request.param


@pytest.mark.parametrize("protocol", ["prequential", "delayed:24", "cross_validation:3"])
def test_the_numbers_are_those_of_evaluate(task, protocol, tmp_path):
    stream = STREAMS[task]
    protocol_settings = {"delay": 24} if protocol.startswith("delayed") else {"protocol": protocol}
    settings = settings_for(BENCHMARK, task, measures=MEASURES[task], protocol=protocol)
    assert settings.learners_and_baselines == LEARNERS[task]
    inputs = {stream.name: run_input(tmp_path, stream, settings)}
    frames = study(inputs, ItemInput(settings=settings))
    result = se.evaluate(stream, list(settings.learners_and_baselines), **protocol_settings)
    means = frames["table"].set_index(["learner", "measure"])["mean"]
    for learner, measures in result.to_dict(*MEASURES[task]).items():
        for measure in MEASURES[task]:
            assert means[learner, measure] == measures[measure], (learner, measure)


@pytest.mark.parametrize("protocol", ["prequential", "delayed:24"])
def test_the_verdicts_are_those_of_compare(task, protocol, tmp_path):
    demand = se.read(ROOT / "examples" / "demand.csv", "count", numeric_target=True, drop=["time"])
    stream = demand if task == REGRESSION else STREAMS[task]
    delay = 24 if protocol.startswith("delayed") else None
    learners = {REGRESSION: ["seasonal"]}.get(task, LEARNERS[task][:2])  # that do not draw
    settings = settings_for(BENCHMARK, task, learners=learners, protocol=protocol)
    inputs = {stream.name: run_input(tmp_path, stream, settings)}
    verdicts = study(inputs, ItemInput(settings=settings))["verdicts"]
    compared = se.compare(stream, list(settings.learners_and_baselines), delay=delay)
    for row, pair in zip(verdicts.to_dict("records"), compared.pairs, strict=True):
        assert (row["learner"], row["other"]) == (pair.first, pair.second)
        assert (row["verdict"], row["reason"]) == (pair.verdict, pair.reason)
        for name in ("difference", "low", "high", "p_value"):
            expected = getattr(pair, name)
            assert row[name] == pytest.approx(expected, rel=1e-12, nan_ok=True), name
    assert {*verdicts["verdict"]} & {"beats", "loses to"}


def test_the_smallest_error_is_the_best_and_the_greatest_skill(tmp_path):
    stream = STREAMS[REGRESSION]
    settings = settings_for(BENCHMARK, REGRESSION, measures=MEASURES[REGRESSION])
    frames = study({"planes": run_input(tmp_path, stream, settings)}, ItemInput(settings=settings))
    table = frames["table"]
    for measure, rows in table.groupby("measure"):
        is_lower = measure in ERRORS
        assert rows["rank"].tolist() == rows["mean"].rank(ascending=is_lower).tolist()
        best = rows.loc[rows["standing"] == "best"]
        assert best["mean"].tolist() == [rows["mean"].min() if is_lower else rows["mean"].max()]
        assert rows["wins"].sum() == rows["losses"].sum() > 0
        assert best["losses"].tolist() == [0]
    of_errors = table[table["measure"] == "mean_absolute_error"].set_index("learner")
    verdicts = frames["verdicts"].set_index(["learner", "other"])["verdict"]
    assert verdicts["fimt_dd", "amrules"] == "loses to"
    assert of_errors.loc["fimt_dd", "standing"] == "worse"
    skills = table[table["measure"] == "skill_over_target_mean"].set_index("learner")
    assert skills["standing"].tolist() == of_errors["standing"].tolist()
    squared = table[table["measure"] == "root_mean_squared_error"]
    assert {*squared["standing"]} == {"best", ""}


def test_several_seeds_are_paired_with_the_baselines_of_the_first_run(tmp_path):
    settings = settings_for(
        BENCHMARK, REGRESSION, learners=["arf_reg"], measures=MEASURES[REGRESSION]
    )
    seeds = {"arf_reg": 2}
    stream = se.generate("planes", 400)
    inputs = {"planes": run_input(tmp_path, stream, settings, seeds)}
    frames = study(inputs, ItemInput(settings=settings, n_runs_by_learner=seeds))
    scores = frames["scores"].set_index(["learner", "measure", "seed"])["value"].sort_index()
    for seed in (1, 2):
        error = scores["arf_reg", "mean_absolute_error", seed]
        base = scores["target_mean", "mean_absolute_error", 1]
        skill = scores["arf_reg", "skill_over_target_mean", seed]
        assert skill == pytest.approx(1 - error / base, rel=1e-12)
    row = frames["table"].set_index(["learner", "measure"]).loc["arf_reg", "mean_absolute_error"]
    values = scores["arf_reg", "mean_absolute_error"].tolist()
    assert (row["seeds"], row["mean"]) == (2, pytest.approx(np.mean(values)))
    assert row["sd"] == pytest.approx(np.std(values, ddof=1))
    assert row["sd"] > 0


def test_a_regressor_that_failed_is_a_cell_with_its_reason(tmp_path):
    settings = settings_for(BENCHMARK, REGRESSION)
    stream = run_input(tmp_path, STREAMS[REGRESSION], settings)
    path = stream.prediction_files["original"]
    table = read_predictions(path)
    complete = {
        name: predictions for name, predictions in table.predicted.items() if name != "fimt_dd"
    }
    write_predictions(replace(table, predicted=complete, failed={"fimt_dd": "it broke"}), path)
    frames = study({"planes": stream}, ItemInput(settings=settings))
    row = frames["table"].set_index("learner").loc["fimt_dd"]
    assert math.isnan(row["mean"])
    assert row["reason"] == "the learner failed: it broke"
    assert "fimt_dd" not in {*frames["verdicts"]["learner"], *frames["verdicts"]["other"]}
    ranks = frames["table"].set_index("learner")["rank"].drop("fimt_dd")
    assert sorted(ranks) == [1, 2, 3]
    table = frames["table"].replace("the learner failed: it broke", "the learner failed: no.")
    notes = layout_benchmark(table, Subject(settings=settings)).notes
    assert "–: fimt_dd on planes: the learner failed: no." in notes


def layout_of(rows, **more):
    """The table of the errors of a and b on some streams: (stream, measure, values)."""
    scores = pd.DataFrame(
        [
            (stream, False, name, 1, measure, value, "")
            for stream, measure, values in rows
            for name, value in zip("ab", values, strict=True)
        ],
        columns=list(SCORES),
    )
    table = seed_summary(scores, pd.DataFrame(columns=list(VERDICTS)))
    table = with_published_scores(table.assign(simulated=False), scores, more.pop("path", None))
    measures = list(dict.fromkeys(scores["measure"]))
    settings = BENCHMARK.settings_from(
        {"streams": ["s"], "learners": ["a", "b"], "baselines": [], "measures": measures, **more}
    )
    return layout_benchmark(table, Subject(settings=settings)), settings


def test_errors_have_four_digits_and_no_percentage():
    rows = [
        ("large", "mean_absolute_error", (123456.7, 98.7)),
        ("small", "mean_absolute_error", (0.01234567, 0.0011)),
        ("none", "mean_absolute_error", (0.0, 0.0)),
    ]
    layout, settings = layout_of(rows, ranks=False)
    cells = cells_of(layout)
    assert cells["a"].tolist() == ["123,457", "0.01235", "0.00"]
    assert cells["b"].tolist() == ["99", "0.00110", "0.00"]
    assert layout.marks == [["", "", "best"], ["", "", "best"], ["", "best", "best"]]
    assert settings.caption_values()["title"] == "Mean absolute error of learners over streams"
    _, several = layout_of([*rows, ("none", "r_squared", (1.0, 1.0))])
    assert (
        several.caption_values()["measure_names"]
        == "Mean absolute error and coefficient of determination"
    )
    cells = cells_of(layout_of(rows, ranks=False, digits=1)[0])
    assert cells["a"].tolist() == ["123,456.7", "0.0", "0.0"]


def test_skills_beside_errors_are_in_per_cent():
    rows = [("s", "mean_absolute_error", (2.0, 4.0)), ("s", "skill_over_target_mean", (0.5, 0.25))]
    layout, _ = layout_of(rows, ranks=False)
    cells = cells_of(layout)
    assert cells["Measure"].tolist() == [
        "Mean absolute error",
        "Skill over the mean so far (%)",
    ]
    assert cells["a"].tolist() == ["2.000", "50.00"]
    assert any("unit of each stream's target" in note for note in layout.notes)
    alone, settings = layout_of(rows[1:], ranks=False)
    assert cells_of(alone)["a"].tolist() == ["50.00"]
    assert settings.caption_values()["title"].endswith("over streams in %")


def test_published_errors_are_compared_in_the_unit_of_the_target(tmp_path):
    path = tmp_path / "p.csv"
    lines = ["stream,learner,measure,value,source", "s,a,mean_absolute_error,2.0,A (2020)", ""]
    path.write_text("\n".join(lines), encoding="utf-8")
    layout, _ = layout_of([("s", "mean_absolute_error", (2.04, 4.0))], ranks=False, path=path)
    assert cells_of(layout)["a"].tolist() == ["2.040", "2.0 =", "+0.040"]


def test_ranks_begin_with_the_smallest_error(tmp_path):
    streams = {f"planes{seed}": se.generate("planes", 300, seed=seed) for seed in (1, 2, 3)}
    learners = ["amrules", "target_mean", "previous_target"]
    over_time = settings_for(OVER_TIME, REGRESSION, learners=learners, parts=2)
    assert over_time.measure == "mean_absolute_error"
    benchmark = settings_for(BENCHMARK, REGRESSION, learners=["amrules"])
    inputs = {}
    for name, stream in streams.items():
        (tmp_path / name).mkdir()
        inputs[name] = run_input(tmp_path / name, stream, benchmark)
    ranks = study_over_time(inputs, ItemInput(settings=over_time))["ranks"]
    last = ranks[ranks["part"] == 2].set_index("learner")["mean_rank"]
    assert last.idxmin() == "amrules"
    assert last.idxmax() == "previous_target"
    critical = settings_for(RANKS, REGRESSION, learners=learners, streams=list(streams))
    frames = study_ranks(inputs, ItemInput(settings=critical))
    assert frames["ranks"]["learner"].tolist() == ["amrules", "target_mean", "previous_target"]
    assert (frames["ranks"]["mean"] > 0).all()
    for _, rows in frames["scores"].groupby("stream"):
        assert rows["rank"].tolist() == rows["value"].rank().tolist()
