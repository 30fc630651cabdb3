"""The plan of a run, and its streams and learners besides those of the registries."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers.configurations import add_row, add_stream, put
from numba.core.dispatcher import Dispatcher

from streameval.base.errors import ConfigError, DownloadError, StreamevalError
from streameval.base.settings import ROOT
from streameval.items import kinds
from streameval.pipeline import plan, products, study_jobs
from streameval.pipeline.configuration import complete
from streameval.pipeline.items import Item
from streameval.streams.variants import file_stem

#: The families of jobs that compute.
FAMILIES = {"study", "trace"}


def test_items_without_streams_run_no_learner(config):
    studies = complete(config).content["items"]
    config["studies"] = ["bifet2013"]
    for figure in ("fig2", "fig3", "fig4", "fig5", "fig6", "fig7", "fig8"):
        put(config, f"items.bifet2013.{figure}.streams", [])
    put(config, "items.bifet2013.fig2.learners", ["knn"])
    put(config, "items.bifet2013.fig3.learners", [])
    planned = plan.make_plan(config, decide=True)
    assert "knn" not in planned.all_learners  # and so it is not compiled either
    assert studies["bifet2013"]["fig9"]["learners"] == ["hoeffding_tree"]
    assert "hoeffding_tree" in planned.all_learners  # Figures 9 to 11 run their own


def test_rows_that_make_no_learner_are_named(config, tmp_path):
    add_row(config, tmp_path, {"learner": "naive_bays"})
    config["studies"] = ["bifet2013"]
    plan.make_plan(config, decide=True)  # a row that no item names is not made
    put(config, "items.bifet2013.fig9.learners", ["mine"])
    with pytest.raises(ConfigError, match=r"^learners.yaml: Learner 'mine': .*'naive_bays'"):
        plan.make_plan(config, decide=True)


OF_LEARNERS = [
    ({"learner": "own_not_there:Mine"}, "own_not_there"),
    ({"learner": "knn", "parameters": {"neighbours": 3}}, "unknown parameter neighbours"),
    ({"learner": "knn", "parametres": {"k": 3}}, "at learners.mine: unknown key parametres; known"),
    ({"title": "Mine"}, "at learners.mine: expected the key learner, found title"),
]
OF_STREAMS = [
    ({"file": "a.csv", "target": "label"}, "streams.mine.file: expected a file, found none at /"),
    ({"file": "mine.yaml", "target": "label"}, "streams.mine.file: expected a file ending in"),
    ({"fiel": "b.csv"}, "streams.mine: expected the key file, .* found fiel"),
    ({"file": "b.csv", "targt": "label"}, "'mine': expected options .* found unknown targt"),
    ({"file": "b.csv", "reader": "cvs"}, "streams.mine.reader: .*reader 'cvs'.*'csv'"),
    ({"generator": "see", "rows": 9}, "'mine'.*'see'"),
]


@pytest.mark.parametrize(
    ("section", "row", "message"),
    [("learners", *case) for case in OF_LEARNERS] + [("streams", *case) for case in OF_STREAMS],
)
def test_rows_of_a_configuration_that_make_nothing_are_named(
    plan_of, tmp_path, section, row, message
):
    (tmp_path / "own_learners.py").write_text("class Mine:\n    pass\n")
    (tmp_path / "b.csv").write_text("a,label\n1,x\n")
    kind = {"learners": "classifiers", "streams": "class_characteristics"}[section]
    with pytest.raises(ConfigError, match=f"^mine.yaml: .*{message}"):
        plan_of({"a": {"kind": kind, section: ["mine"]}}, **{section: {"mine": row}})


def test_the_study_of_delays_runs_only_learners_that_can_be_stopped(config, tmp_path):
    file = {"learner": "predictions_file", "parameters": {"file": "p.csv"}}
    add_row(config, tmp_path, file)
    put(config, "items.beyond.delays.learners", ["mine"])
    with pytest.raises(ConfigError, match=r"items\.beyond\.delays: .*cannot run 'mine'"):
        plan.make_plan(config, decide=True)


@pytest.mark.parametrize("decide", [True, False])
def test_only_the_main_process_asks_hosts(config, monkeypatch, decide):
    asked = []

    def survey(specs, raw, mirror, offline):
        asked.append(not offline)
        return {}

    monkeypatch.setattr(plan, "survey", survey)
    config["data"]["offline"] = False
    plan.make_plan(config | {"studies": ["bifet2013"]}, decide=decide)
    assert asked == [decide]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (
            {
                "generator": "markov",
                "parameters": {"priors": [1], "persistence": 1, "attributes": 2},
            },
            "parameter priors must list",
        ),
        (
            {
                "generator": "concept_drift",
                "parameters": {
                    "before": {"generator": "sea", "function": 7},
                    "after": {"generator": "sea"},
                },
            },
            "In before: Generator sea: at function: expected",
        ),
        ({"generator": "sea", "rows": 10**14}, "rows: .* to 2,147,483,647, found 1"),
        (
            {"generator": "hyperplane", "rows": 2 * 10**9, "parameters": {"attributes": 10**5}},
            "of 2,000,000,000 instances with 100,000 inputs, needs .* in the temporary folder",
        ),
    ],
)
def test_streams_that_cannot_be_generated_are_refused_before_any_work(
    config, tmp_path, monkeypatch, entry, message
):
    monkeypatch.setattr(Dispatcher, "compile", lambda *_: pytest.fail("compiled"))
    add_stream(config, tmp_path, {"rows": 9} | entry)
    config["studies"] = ["own"]
    put(config, "items.own.a", {"kind": "class_characteristics", "streams": ["mine"]})
    with pytest.raises(StreamevalError, match=f"(Stream 'mine'|at streams.mine).*{message}"):
        plan.make_plan(config, decide=True)


@pytest.mark.parametrize("offline", [True, False])
def test_a_file_of_ones_own_that_is_not_there_is_said_where_it_was_looked_for(
    config, tmp_path, offline
):
    entry = {"file": "own/a.csv", "reader": "csv", "options": {"target": "label"}}
    add_stream(config, tmp_path, entry)
    config["studies"] = ["own"]
    put(config, "items.own.a", {"kind": "class_characteristics", "streams": ["mine"]})
    config["data"] |= {"offline": offline, "mirror": "copies"}
    reason = plan.make_plan(config, decide=True).left_out["mine"]
    places = f"{Path('resources/raw/own/a.csv')} or {Path('copies/own/a.csv')}"
    assert reason.startswith(f"no file {places}, ")
    path = tmp_path / "a.csv"
    add_stream(config, tmp_path, entry | {"file": str(path)})
    reason = plan.make_plan(config, decide=True).left_out["mine"]
    assert reason.startswith(f"no file {path}, ")


def test_the_papers_differences_are_not_those_of_streams_of_ones_own(full_plan, plan_of):
    assert full_plan.user_pairs == []
    coin = {"generator": "sea", "rows": 9, "columns": 3, "classes": 2, "citation": "none"}
    item = {"kind": "overall_measures", "streams": ["coin"], "learners": ["knn"]}
    pairs = plan_of({"a": item}, streams={"coin": coin}).user_pairs
    assert {("knn", "no_change"), ("knn", "majority")} <= {*pairs}


def test_missing_streams_are_left_out_and_named(full_plan):
    assert set(full_plan.left_out) == {"covtype", "airlines"}
    assert all("offline" in reason for reason in full_plan.left_out.values())
    simulated = [name for name in full_plan.streams if full_plan.is_simulated(name)]
    assert simulated == ["markov_covtype", "markov_airlines"]
    assert full_plan.streams_of(full_plan.items["bifet2013/fig3"]) == ["markov_covtype"]
    assert full_plan.streams_of(full_plan.items["bifet2013/fig2"]) == ["elec2"]
    # Nothing but the hold-out and re-evaluations read others: no item runs all learners there.
    bundled = ["elec2", "elec2_mlj", "kdd99", "kdd99_head", "ozone"]
    measured = full_plan.streams_of(full_plan.items["overview/measures"])
    assert set(measured) <= {*bundled, *simulated}


def test_streams_of_the_package_need_no_raw_file(full_plan):
    for name in full_plan.streams:
        if full_plan.is_generated(name):
            assert full_plan.bundled_file(name) is None
        else:
            assert full_plan.bundled_file(name).is_file()
            assert full_plan.raw_file(name) is None
            assert full_plan.unchecked_file(name) == []
    assert full_plan.raw_file("covtype") == str(Path("resources/raw/covtype/covtypeNorm.arff.gz"))
    assert full_plan.bundled_file("covtype") is None


def test_a_table_of_a_figure_reads_the_frames_of_all_its_streams(full_plan):
    (tables,) = [job for job in products.table_jobs(full_plan) if job.name == "tabulate_beyond"]
    (task,) = [job for job in tables.tasks if job["item"] == "beyond/holdout_distances"]
    streams = full_plan.streams_of(full_plan.items["bifet2015/fig4"])
    assert list(task["streams"]) == streams
    for name in streams:
        expected = f"results/data/bifet2015/fig4/{name}.distances.csv"
        assert task["frames"][f"{name}.distances"] == expected
        assert expected in tables.inputs["frames"]


def test_tables_that_are_the_same_in_every_run_are_those_without_times(full_plan):
    choice = full_plan.items["beyond/test_choice"]
    assert (choice.shows_times, choice.table_shows_times) == (True, False)  # its figure shows some
    kind = kinds()["benchmark_costs"]
    costs = Item("own", "table1", kind, kind.settings(of="fig1"))
    assert costs.table_shows_times


def test_a_study_that_reads_generators_is_told_of_them_and_reads_no_stream(full_plan):
    name = "study_bifet2015_fig4_rbf_50_0_001"
    (job,) = [candidate for candidate in study_jobs.studies(full_plan) if candidate.name == name]
    assert job.inputs["streams"] == []
    assert job.tasks[0]["spec"] == full_plan.spec_of("rbf_50_0.001")


def test_variants_are_run_by_the_learners_that_are_shown(full_plan):
    named = full_plan.items["zliobaite2015/fig2"].learners
    assert set(full_plan.learners_of("ozone:shuffled:1", "prequential")) == set(named)
    everywhere = full_plan.learners_of("ozone", "prequential")
    assert set(everywhere) == set(full_plan.items["overview/measures"].learners)
    spec = full_plan.learners["naive_bayes"]  # a new title runs nothing again
    assert everywhere["naive_bayes"] == spec.recipe() != spec.to_dict()
    wrapped = full_plan.items["zliobaite2015/fig3"].settings.evaluated_learners()
    assert {"no_change", "naive_bayes", "ddm_nb_augmented", "ddm_nb_corrected"} < set(wrapped)
    assert set(full_plan.all_learners) >= set(everywhere)


def test_stand_ins_stand_in_for_what_is_missing(config, monkeypatch):
    missing = dict.fromkeys(("covtype", "airlines"), "")
    monkeypatch.setattr(plan, "_missing", lambda *_, **__: missing)
    planned = plan.make_plan(config, decide=True)
    assert planned.unneeded_stand_ins == {
        *("markov_elec2", "markov_elec2_mlj", "markov_kdd99", "markov_ozone")
    }
    assert planned.streams_of(planned.items["bifet2013/fig2"]) == ["elec2"]
    assert planned.streams_of(planned.items["bifet2013/fig3"]) == ["markov_covtype"]
    config["data"]["stand_ins"] = "always"
    planned = plan.make_plan(config, decide=True)
    assert planned.streams_of(planned.items["bifet2013/fig2"]) == ["elec2", "markov_elec2"]


def test_jobs_read_the_decision_of_the_main_process(config, monkeypatch):
    monkeypatch.setattr(plan, "_announced", {})
    monkeypatch.setenv(plan.DECISION, "")
    config["studies"] = ["bifet2013"]
    decided = plan.make_plan(config, decide=True)
    assert plan.announced_decision() is None
    reasons = {**decided.left_out, "elec2": 'it\'s "gone": 404 – 不在'}
    plan.announce_decision({"of_another_module": "no file"})
    plan.announce_decision(reasons)
    monkeypatch.setattr(plan, "survey", lambda *_: pytest.fail("a job must not ask hosts"))
    job = plan.make_plan(config, decide=False, decision=plan.announced_decision())
    assert job.left_out == reasons
    assert not Path("resources").exists()  # nothing that another run could overwrite


def test_files_with_predictions_are_inputs_of_the_run(config, tmp_path):
    row = {"learner": "predictions_file", "parameters": {"file": "p/{stream}.csv"}}
    add_row(config, tmp_path, row)
    planned = plan.make_plan(config | {"studies": ["bifet2013"]}, decide=True)
    assert planned.prediction_files("elec2", ["naive_bayes"]) == []
    assert planned.prediction_files("elec2", ["naive_bayes", "mine"]) == [str(Path("p/elec2.csv"))]


def test_missing_streams_stop_the_run_where_they_must(config):
    config["data"]["missing"] = "fail"
    with pytest.raises(DownloadError) as caught:
        plan.make_plan(config, decide=True)
    message = str(caught.value)
    assert message.startswith("2 streams are not available")
    for stream in ("covtype", "airlines"):
        assert re.search(rf"^  - {stream} \(.*Put a copy at resources", message, re.MULTILINE)


def test_the_times_of_a_run_are_those_of_all_its_jobs(full_plan, tmp_path):
    jobs = [
        *study_jobs.studies(full_plan),
        *products.table_jobs(full_plan),
        *products.drawing_jobs(full_plan),
    ]
    stem, protocol = next(key for key in full_plan.predictions if ":" in key[0])
    known = {"played": file_stem(stem), "protocol": protocol, "file": "a/b.csv", "part": "trees.a"}
    known["stream"], _, known["variant"] = file_stem(stem).partition(".")
    rules = "".join(p.read_text("utf-8") for p in (ROOT / "workflow" / "rules").glob("*.smk"))
    places = {*re.findall(r'"(logs/.*\.log)"', rules)}
    places -= {"logs/write_pages.log", "logs/check_failures.log"}  # the last ones
    alone = ("draw_figure", "tabulate_table")  # one that is asked for by its name
    places -= {place for place in places if any(rule in place for rule in alone)}
    # No shipped study has several seeds, or a slow learner.
    places -= {place for place in places if "{seed}" in place or "{learner}" in place}
    logs = set[str]()
    for place in places:
        alike = place.replace("{_job.name}", "{job}")
        of_job = [job.name for job in jobs if ("studies" in place) == (job.family in FAMILIES)]
        logs |= {alike.format(job=name, **known) for name in (of_job if "{_" in place else [""])}
    assert len(logs) > 50
    for path in [*logs, "logs/evaluate_learners/elec3.prequential.log", "logs/studies/study_a.log"]:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("done in 2.25 s, with 0.50 s of processor time\n", "utf-8")
    times = products.times_by_part(tmp_path / "logs", products.log_patterns(full_plan, jobs))
    assert sum(len(of) for of in times.values()) == len(logs)
    assert times["compiling the learners"] == [(2.25, 0.5)]
    assert len(times["bifet2015/errors"]) == sum("bifet2015_errors" in path for path in logs) > 1


def test_a_slow_learner_has_a_job_a_log_and_a_request_of_its_own(config, tmp_path):
    add_row(config, tmp_path, {"learner": "naive_bayes", "slow": True})
    put(config, "items.bifet2013.fig2.learners", ["mine"])
    planned = plan.make_plan(config | {"studies": ["bifet2013"]}, decide=True)
    streams = [name for (name, _), names in planned.predictions.items() if "mine" in names]
    assert streams
    logs = {place for _, place in products.log_patterns(planned, [])}
    requests = study_jobs.requests_by_message(planned)
    records = products.failure_records(planned)
    jobs = {record.stream: record.jobs for record in records if record.evaluation == "prequential"}
    for name in streams:
        alone = jobs[name].pop("mine")
        assert alone.file == f"results/predictions/alone/mine/{file_stem(name)}.prequential.parquet"
        assert alone.log == f"logs/evaluate_learners/alone/mine/{file_stem(name)}.prequential.log"
        assert {job.log for job in jobs[name].values()} == {
            f"logs/evaluate_learners/{file_stem(name)}.prequential.log"
        }
    for name in map(file_stem, streams):
        assert f"evaluate_learners/alone/mine/{name}.prequential" in logs
        assert f"evaluate_learners/{name}.prequential" in logs
        assert f"Running mine over {name}: prequential" in requests
