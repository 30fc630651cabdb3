"""The main table of a paper: a naive twin of its numbers, its layout, its notes, its figure."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from helpers.shown_tables import cells_of
from hypothesis import given, settings
from hypothesis import strategies as st

from streameval.base.table_files import write_csv
from streameval.drawing.subject import Subject
from streameval.evaluation.predictions import PredictionTable, write_predictions
from streameval.evaluation.verdict_words import BEATS, EQUAL, LOSES_TO, UNDECIDED
from streameval.items import kinds
from streameval.items.benchmark import SCORES, VERDICTS, no_verdict_reason
from streameval.items.benchmark.benchmark import seed_summary, study, with_published_scores
from streameval.items.benchmark.costs import study as study_costs
from streameval.items.benchmark.show import (
    draw_benchmark,
    layout_benchmark,
    layout_benchmark_costs,
)
from streameval.items.inputs import ItemInput, StreamInput
from streameval.pipeline.configuration import complete, merge_files
from streameval.pipeline.items import items_of, table_title
from streameval.view import text
from streameval.view.files import read_texts, write_table
from streameval.view.latex import latex
from streameval.view.markdown import markdown
from streameval.view.parts import View
from streameval.view.table_page import table_page

KIND = kinds()["benchmark"]
NAMES = ("a", "b", "c", "d")
NAN = math.nan


def settings_of(**more):
    return KIND.settings_from({"streams": ["s1"], "learners": list(NAMES), "baselines": [], **more})


def scores_of(values, measure="accuracy", learners=NAMES):
    """A frame of scores: values[stream][learner] is a list of one value for each seed."""
    rows = [
        (f"s{i}", False, name, seed, measure, value, "" if value == value else "it failed")
        for i, of_stream in enumerate(values, 1)
        for name, runs in zip(learners, of_stream, strict=False)
        for seed, value in enumerate(runs, 1)
    ]
    return pd.DataFrame(rows, columns=list(SCORES))


def verdicts_of(rows, low=-1.0, reason=""):
    return pd.DataFrame(
        [(s, False, a, b, 0.0, low, 1.0, 0.5, verdict, reason) for s, a, b, verdict in rows],
        columns=list(VERDICTS),
    )


def twin(values):
    """The rows of the table, written as one would count by hand: without verdicts."""
    rows = {}
    for i, of_stream in enumerate(values, 1):
        means = {name: sum(x) / len(x) for name, x in zip(NAMES, of_stream, strict=False)}
        for name, runs in zip(NAMES, of_stream, strict=False):
            mean, others = means[name], [means[other] for other in means if other != name]
            sd = NAN
            if len(runs) > 1:
                sd = math.sqrt(sum((x - mean) ** 2 for x in runs) / (len(runs) - 1))
            wins = sum(mean - mean_of_other > 1e-9 for mean_of_other in others)
            losses = sum(value - mean > 1e-9 for value in others)
            ties = len(others) - wins - losses
            # Learners that share a place share the mean of its ranks.
            rank = 1 + losses + ties / 2
            rows[f"s{i}", name] = (mean, sd, len(runs), rank, wins, ties, losses)
    return rows


RUNS = st.lists(st.integers(0, 20).map(lambda n: n / 20), min_size=1, max_size=4)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(RUNS, min_size=2, max_size=4), min_size=1, max_size=4))
def test_means_spreads_ranks_and_wins_are_those_of_a_naive_twin(values):
    table = seed_summary(scores_of(values), verdicts_of([]))
    expected = twin(values)
    assert len(table) == len(expected)
    for row in table.to_dict("records"):
        mean, sd, *counts = expected[row["stream"], row["learner"]]
        assert row["mean"] == pytest.approx(mean)
        assert row["sd"] == pytest.approx(sd, nan_ok=True, abs=1e-12)
        names = ("seeds", "rank", "wins", "ties", "losses")
        assert [row[key] for key in names] == counts
        assert (row["standing"] == "best") is (row["losses"] == 0)


@settings(max_examples=40, deadline=None)
@given(
    st.permutations(NAMES),
    st.lists(st.sampled_from([BEATS, LOSES_TO, EQUAL, UNDECIDED]), min_size=6, max_size=6),
)
def test_verdicts_decide_marks_and_wins_whatever_the_order_of_a_pair(order, outcomes):
    pairs = [(a, b) for i, a in enumerate(order) for b in order[i + 1 :]]
    rows = [("s1", *pair, verdict) for pair, verdict in zip(pairs, outcomes, strict=True)]
    values = [[[0.9], [0.8], [0.7], [0.6]]]
    table = seed_summary(scores_of(values), verdicts_of(rows)).set_index("learner")
    verdict_of = {}
    for (a, b), verdict in zip(pairs, outcomes, strict=True):
        verdict_of[a, b] = verdict
        verdict_of[b, a] = {BEATS: LOSES_TO, LOSES_TO: BEATS}.get(verdict, verdict)
    for name in NAMES:
        others = [verdict_of[name, other] for other in NAMES if other != name]
        row = table.loc[name]
        assert (row["wins"], row["losses"]) == (others.count(BEATS), others.count(LOSES_TO))
        assert row["ties"] == 3 - row["wins"] - row["losses"]
        if name == "a":
            assert row["standing"] == "best"
        else:
            assert row["standing"] == ("worse" if verdict_of[name, "a"] == LOSES_TO else "alike")
    wins, losses = table["wins"].sum(), table["losses"].sum()
    assert wins == losses


def test_a_verdict_about_accuracy_holds_for_measures_that_rank_alike_and_for_no_other():
    verdicts = verdicts_of([("s1", "a", "b", UNDECIDED)])
    parts = [
        scores_of([[[0.9], [0.8]]], name) for name in ("accuracy", "kappa_temporal", "macro_f1")
    ]
    table = seed_summary(pd.concat(parts, ignore_index=True), verdicts)
    assert table["standing"].tolist() == ["best", "alike", "best", "alike", "best", ""]
    assert table["wins"].tolist() == [0, 0, 0, 0, 1, 0]


def test_a_value_that_is_missing_takes_its_stream_out_of_the_ranks_and_keeps_its_reason():
    table = seed_summary(scores_of([[[0.5, NAN], [0.7]], [[0.9], [0.8]]]), verdicts_of([]))
    first = table[table["stream"] == "s1"]
    assert first["rank"].isna().all()
    assert first["reason"].tolist() == ["it failed", ""]
    assert first["standing"].tolist() == ["", "best"]
    assert first[["wins", "ties", "losses"]].to_numpy().tolist() == [[0, 0, 0], [0, 0, 0]]
    table = with_published_scores(table.assign(simulated=False), scores_of([]), None)
    notes = layout_of(table).notes
    assert "–: A on s1: it failed." in notes
    assert any(
        "over the 1 of 2 streams on which all learners have a value" in note for note in notes
    )


def test_a_difference_from_the_best_without_an_interval_has_a_note():
    verdicts = verdicts_of([("s1", "a", "b", UNDECIDED)], NAN, "a draws at random")
    scores = scores_of([[[0.9], [0.8]]])
    table = with_published_scores(
        seed_summary(scores, verdicts).assign(simulated=False), scores, None
    )
    assert table["reason"].tolist() == ["", "a draws at random"]
    assert (
        "Underlined since the difference from the best has no interval: B on s1 (a draws at "
        "random)."
    ) in layout_of(table).notes


@pytest.mark.parametrize(
    ("measure", "protocol", "reason"),
    [
        ("accuracy", "prequential", ""),
        ("kappa_m", "delayed:48", ""),
        ("kappa", "prequential", "error rates of its intervals are not simulated"),
        ("accuracy", "cross_validation:5", "the models of all folds have the seed of the run"),
        ("accuracy", "partial:0.1", "a part of the labels"),
        ("mean_absolute_error", "prequential", ""),
        ("skill_over_target_mean", "delayed:48", ""),
        ("root_mean_squared_error", "prequential", "about the mean absolute error"),
        ("mean_absolute_error", "cross_validation:5", "need prequential runs"),
    ],
)
def test_nothing_is_judged_without_a_simulated_error_rate(measure, protocol, reason):
    why = no_verdict_reason(measure, protocol)
    assert reason in why
    assert bool(why) is bool(reason)


def layout_of(table, **more):
    titles = {name: name.upper() for name in NAMES}
    measures = list(dict.fromkeys(table["measure"]))
    settings = settings_of(measures=measures, **more)
    return layout_benchmark(table, Subject(settings=settings, titles=titles, streams={"s2": "Two"}))


@pytest.fixture(name="table")
def _table():
    values = [
        [[0.81, 0.83, 0.82], [0.80], [0.51, 0.52, 0.53]],
        [[0.6, 0.6, 0.6], [0.7], [0.5, 0.5, 0.53]],
    ]
    rows = [("s1", "a", "b", UNDECIDED), ("s1", "a", "c", BEATS), ("s1", "b", "c", BEATS)]
    rows += [("s2", "a", "b", LOSES_TO), ("s2", "a", "c", EQUAL), ("s2", "b", "c", BEATS)]
    table = seed_summary(scores_of(values), verdicts_of(rows))
    return with_published_scores(
        table.assign(simulated=table["stream"] == "s2"), scores_of(values), None
    )


def test_learners_by_streams_have_the_same_cells(table):
    plain, transposed = cells_of(layout_of(table)), cells_of(layout_of(table, transposed=True))
    assert transposed.columns[0] == "Learner"
    assert transposed.set_index("Learner").T.to_numpy().tolist() == (
        plain.set_index("Stream").to_numpy().tolist()
    )
    marks = [row[1:] for row in layout_of(table, transposed=True).marks]
    assert [list(column) for column in zip(*marks, strict=True)] == [
        row[1:] for row in layout_of(table).marks
    ]


FORMATS = {
    "table.md": lambda layout: markdown(layout, "A caption."),
    "table.tex": lambda layout: latex(layout, "A caption.", "tab:a"),
    "table.txt": lambda layout: "\n".join(text.text_lines(View([layout], dict))),
}


@pytest.mark.parametrize("name", FORMATS)
def test_the_text_in_all_formats(table, approved, name):
    both = pd.concat([table, table.assign(measure="kappa", standing="")], ignore_index=True)
    approved(f"benchmark/{name}", f"{FORMATS[name](layout_of(both)).rstrip()}\n")


def test_marks_are_seen_on_the_page_and_kept_in_the_json(table, tmp_path):
    layout = layout_of(table)
    page = table_page(layout, "A caption.")
    assert "<b>82.00 ± 1.00</b>" in page
    assert "<u>80.00</u>" in page
    write_table(table, tmp_path / "t", caption="A caption.", label="tab:a", table=layout)
    again = read_texts(tmp_path / "t.json")
    assert (again.cells, again.marks) == (layout.cells, layout.marks)


def with_file(tmp_path, *rows, simulated=False):
    values = [[[0.81, 0.83, 0.82], [0.80], [0.51]], [[0.6], [0.7], [0.5]]]
    scores = scores_of(values)
    table = seed_summary(scores, verdicts_of([])).assign(simulated=simulated)
    path = tmp_path / "table2.csv"
    path.write_text("\n".join(["stream,learner,measure,value,source", *rows, ""]), encoding="utf-8")
    return with_published_scores(table, scores, path)


ROWS = ("s1,a,accuracy,82.9%,Smith (2020)", "s1,b,accuracy,0.80,Smith (2020)")
ROWS += ("s1,c,accuracy,52%,Jones (2021)", "s3,a,accuracy,1%,not shown here")


def test_published_values_stand_below_ours(tmp_path):
    table = with_file(tmp_path, *ROWS)
    cells = cells_of(layout_of(table, ranks=False))
    assert cells.to_numpy().tolist() == [
        ["s1", "82.00 ± 1.00", "80.00", "51.00"],
        ["s1, published", "82.9 ≈", "80 =", "52 ≠"],
        ["s1, difference", "−0.90", "0.00", "−1.00"],
        ["Two", "60.00", "70.00", "50.00"],
    ]
    (note,) = [note for note in layout_of(table).notes if note.startswith("Published")]
    assert note == (
        "Published: = reproduced: ours has the published digits; ≈ within sampling error of our "
        "seeds; ≠ differs. Differences are ours − published. From Smith (2020) and Jones (2021)."
    )
    as_fractions = cells_of(layout_of(table, ranks=False, percent=False, digits=3))
    assert as_fractions.to_numpy().tolist()[:3] == [
        ["s1", "0.820 ± 0.010", "0.800", "0.510"],
        ["s1, published", "0.829 ≈", "0.80 =", "0.52 ≠"],
        ["s1, difference", "−0.009", "0.000", "−0.010"],
    ]


def test_the_rows_have_digits_verdict_rule_and_source(tmp_path):
    rows = with_file(tmp_path, *ROWS).set_index(["stream", "learner"])
    row = rows.loc[("s1", "a")]
    assert (row["published"], row["agreement"]) == ("82.9%", "within sampling error")
    assert row["difference"] == pytest.approx(-0.9)
    assert row["source"] == "Smith (2020)"
    assert "ours is 82" in row["why"]
    assert "within sampling error: the published number" in row["rule"]
    row = with_file(tmp_path, *ROWS, simulated=True).iloc[0]
    assert row["agreement"] == "not run"  # nothing is compared with a simulated stream
    assert "resembles" in row["why"]


def test_the_title_is_the_user_s_if_there_is_one():
    def title(**more):
        item = {"kind": "benchmark", "streams": ["elec2"], "learners": ["knn"], **more}
        contents = {**merge_files([]), "studies": ["mine"], "items": {"mine": {"table1": item}}}
        return table_title(items_of(complete(contents))["mine/table1"])

    assert title() == "Accuracy of learners over streams in %."
    assert title(percent=False, measures=["kappa"]) == "Cohen's kappa of learners over streams."
    assert title(title="Main {results}") == "Main {results}."
    assert title(title="Main", caption="Five seeds.") == "Main. Five seeds."


def test_measures_of_no_merit_are_refused():
    assert list(settings_of(measures=["kappa_p_value"]).setting_faults({}))
    assert not list(settings_of().setting_faults({}))


def write_run(folder: Path, seed: int, predicted: dict[str, np.ndarray], true) -> dict[str, str]:
    """Write the predictions and costs of a run, and return their files."""
    table = PredictionTable(
        true, {k: v.astype(np.int16) for k, v in predicted.items()}, 2,
        stream="s1", protocol="prequential",
    )  # fmt: skip
    write_predictions(table, folder / f"{seed}.parquet")
    costs = {"learner": list(predicted), "instances": len(true), "seconds": 0.5 * seed}
    write_csv(pd.DataFrame({**costs, "model_bytes": 1000 * seed}), folder / f"{seed}.csv")
    return {"predicted": str(folder / f"{seed}.parquet"), "spent": str(folder / f"{seed}.csv")}


def test_the_study_reads_the_runs_of_each_seed_and_their_costs(tmp_path):
    rng = np.random.default_rng(1)
    true = rng.integers(0, 2, 1000).astype(np.int32)

    def wrong(share):
        return np.where(rng.random(len(true)) < share, 1 - true, true)

    baselines = {"no_change": wrong(0.5), "majority": wrong(0.5)}  # run beside any others
    runs = [{**baselines, "a": wrong(0.1)} for _ in range(3)]
    runs[0]["b"] = wrong(0.2)
    files = [write_run(tmp_path, seed, run, true) for seed, run in enumerate(runs, 1)]
    settings = KIND.settings_from({"streams": ["s1"], "learners": ["a", "b"], "seeds": 3})
    stream = StreamInput(
        settings=settings,
        name="s1",
        prediction_files={"original": files[0]["predicted"]},
        seed_files={"2": files[1]["predicted"], "3": files[2]["predicted"]},
        cost_files={str(seed): file["spent"] for seed, file in enumerate(files, 1)},
    )
    frames = study({"s1": stream}, ItemInput(settings=settings, n_runs_by_learner={"a": 3}))
    accuracies = [float(np.mean(run["a"] == true)) for run in runs]
    scores = frames["scores"]
    assert scores.loc[scores["learner"] == "a", "value"].tolist() == accuracies
    assert scores.loc[scores["learner"] == "b", "seed"].tolist() == [1]
    row = frames["table"].set_index("learner").loc["a"]
    assert row["mean"] == pytest.approx(np.mean(accuracies))
    assert row["sd"] == pytest.approx(np.std(accuracies, ddof=1))
    assert row[["standing", "wins", "losses"]].tolist() == ["best", 3, 0]
    costs = frames["costs"]
    assert costs.loc[costs["learner"] == "a", "seconds"].tolist() == [0.5, 1.0, 1.5]
    write_csv(costs, tmp_path / "costs.csv")
    kind = kinds()["benchmark_costs"]
    item = ItemInput(
        settings=kind.settings_from({"of": "table1"}),
        columns=kind.columns,
        frames={"costs": str(tmp_path / "costs.csv")},
    )
    table = study_costs({}, item)
    cells = cells_of(layout_benchmark_costs(table, Subject(settings=item.settings)))
    assert cells["a"].tolist() == ["1.0000 ± 0.5000", "0.0020 ± 0.0010"]
    assert cells["b"].tolist() == ["0.5000", "0.0010"]


def test_the_figure_shows_mean_ranks_from_the_best_on(table):
    subject = Subject(settings=settings_of(), titles={"a": "Ay"}, picture="ranks")
    (axes,) = draw_benchmark({"table": table}, subject).axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["Ay", "b", "c"]
    assert [label.get_text() for label in axes.texts] == ["1.50", "1.50", "3.00"]


def test_settings_have_learners_and_baselines_once():
    settings = KIND.settings_from({"streams": ["s1"], "learners": ["majority", "a"]})
    assert settings.learners_and_baselines == ("majority", "a", "no_change")
