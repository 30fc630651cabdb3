"""Records of runs: made from finished ones only, complete, and repeated to the last count."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

import msgspec
import pandas as pd
import pytest
import yaml

from streameval.base.errors import ConfigError, DataError
from streameval.base.file_digests import write_digest
from streameval.base.settings import ROOT
from streameval.base.table_files import read_csv_table, read_parquet_table, write_csv, write_parquet
from streameval.evaluation.records import RECORDED, read_record
from streameval.items import kinds
from streameval.items.error_rates import RecordedRejectionsSettings as Shown
from streameval.items.kind import texts_of
from streameval.pipeline.plan import make_plan
from streameval.pipeline.products import table_file, table_jobs
from streameval.pipeline.study_jobs import part_files, studies
from streameval.pipeline.tasks import run_study, tabulate

SCRIPT = importlib.util.spec_from_file_location("record", ROOT / "validation" / "record.py")
record = importlib.util.module_from_spec(SCRIPT)
SCRIPT.loader.exec_module(record)
add, main, repeat = record.add, record.main, record.repeat

KIND = kinds()["recorded_rejections"]

ERRORS = {
    "kind": "type_errors",
    "streams": ["sea_50", "rbf_0_0"],
    "learners": ["naive_bayes"],
    "schemes": ["cross_validation", "split_validation"],
    "folds": 3,
    "instances": [100, 300],
    "runs": 5,
    "runs_per_job": 2,
    "noise": [0.3],
    "bins": 30,
}
SHOWN = {"tests": ["mcnemar"], "alternatives": ["same", "noise 0.3"], "by_stream": True}
TESTS = {"scheme": "split_validation"}
ITEMS = {
    "errors": ERRORS,
    "table2": {"kind": "rejections", "of": "errors", **SHOWN},
    "tests": {"kind": "test_choice", "of": "errors", **TESTS},
}
ELSEWHERE = {"table2": {"kind": "rejections", **SHOWN, "of": "tried/errors", "by_stream": False}}
CONFIG = {
    "studies": ["tried", "further"],
    "kinds": ["choice_of_tests"],
    "data": {"offline": True},
    "items": {"tried": ITEMS, "further": ELSEWHERE},
}


def plan_of(folder, changed=None):
    """Plan of a run in a folder, with some settings of its study changed."""
    content = msgspec.to_builtins(CONFIG)
    content["items"]["tried"]["errors"] |= changed or {}
    path = folder / "tried.yaml"
    path.write_text(yaml.safe_dump(content))
    from streameval.pipeline.configuration import merge_files

    return make_plan(merge_files([path]), decide=False, files=[path])


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A folder with a finished run, and a record of it."""
    folder = tmp_path_factory.mktemp("run")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        plan = plan_of(folder)
        for work in studies(plan):
            read = [path for paths in work.inputs.values() for path in paths]
            for task in work.tasks:
                run_study(task, read, work.outputs, lambda text: None)
        for work in table_jobs(plan):
            read = [path for paths in work.inputs.values() for path in paths]
            for task in work.tasks:
                write_csv(tabulate(task, read, plan.titles), task["csv"])
        assert main(["add", "kept/tried/first", "tried/errors", "--config", "tried.yaml"]) == 0
    return folder


@pytest.fixture
def run(finished, tmp_path, monkeypatch):
    """A copy of the finished run, as working folder."""
    shutil.copytree(finished, tmp_path / "run")
    monkeypatch.chdir(tmp_path / "run")
    return tmp_path / "run"


FOLDER = Path("kept/tried/first")


def test_a_record_is_complete_and_says_what_was_run(run):
    record = read_record(FOLDER)
    assert set(record.streams) == {"sea_50", "rbf_0_0"}
    description = record.description
    assert description["item"] == "tried/errors"
    assert description["settings"]["instances"] == [100, 300]
    assert "streams" not in description["settings"]
    for stream, stream_record in record.streams.items():
        assert (stream_record["runs"], stream_record["instances"]) == (5, 300)
        assert stream_record["core_hours"] >= 0
        assert stream_record["spec"]["id"] == stream
        assert len(stream_record["parts"]) == 64
        assert stream_record["machine"]["cores"] >= 1
        assert stream_record["machine"]["cpu"]
    for name, folder in (("rates", "data"), ("gaps", "data"), ("seconds", "timings")):
        for stream, frame in record.frames(name).items():
            expected = read_csv_table(f"results/{folder}/tried/errors/{stream}.{name}.csv")
            pd.testing.assert_frame_equal(frame, expected)
    for table in ("table2", "further/table2"):
        table_item = plan_of(run).items[f"tried/{table}" if table == "table2" else table]
        expected = Path(table_file(table_item)).read_bytes()
        assert (FOLDER / "tables" / f"{table}.csv").read_bytes() == expected


def test_counts_are_those_of_the_parts_over_all_folds(run):
    item = plan_of(run).items["tried/errors"]
    paths = [part_files(item, "sea_50", part)["counts"] for part in range(3)]
    parts = pd.concat([read_parquet_table(path) for path in paths])
    counts = read_record(FOLDER).counts("sea_50")
    assert len(counts) == 5 * 2 * 2 * 3
    for row in counts.sample(10, random_state=1).to_dict("records"):
        keys = ("scheme", "reading", "alternative", "run")
        cell = parts[(parts[list(keys)] == [row[key] for key in keys]).all(axis=1)]
        cell = cell[cell["instances"] == 300]
        assert len(cell) == row["folds"] == 3
        for name in ("tested", "right", "only_first", "only_second"):
            assert row[name] == cell[name].sum()


def test_runs_are_repeated_to_the_last_count(run, monkeypatch, capsys):
    monkeypatch.chdir(run.parent)  # the record alone is enough
    folder = run / FOLDER
    lines = list(repeat(read_record(folder), "rbf_0_0", "split_validation", range(3, 5)))
    assert lines == [
        f"rbf_0_0, split_validation, run {n}: all 6 rows of counts are equal." for n in (3, 4)
    ]
    assert main(["repeat", str(folder), "sea_50", "cross_validation", "1"]) == 0
    assert capsys.readouterr().out.count("equal") == 1


def test_a_count_that_differs_by_one_is_found(run):
    record = read_record(FOLDER)
    counts = record.counts("sea_50")
    place = counts.index[(counts["run"] == 2) & (counts["scheme"] == "split_validation")][0]
    counts.loc[place, "only_first"] += 1
    object.__setattr__(record, "counts", lambda stream: counts)
    assert list(repeat(record, "sea_50", "split_validation", [1]))
    with pytest.raises(DataError, match=r"sea_50, split_validation, 2: .*only_first"):
        list(repeat(record, "sea_50", "split_validation", [2]))


@pytest.mark.parametrize(
    ("stream", "scheme", "runs", "message"),
    [
        ("sea_5", "split_validation", [0], "there is no stream 'sea_5'"),
        ("sea_50", "bootstrap_validation", [0], "scheme 'bootstrap_validation'"),
        ("sea_50", "split_validation", [4, 5], "expected runs from 0 to 4, found 4, 5"),
        ("sea_50", "split_validation", [], "expected runs from 0 to 4, found none"),
    ],
)
def test_what_the_record_lacks_is_named(run, stream, scheme, runs, message):
    with pytest.raises(ConfigError, match=message):
        list(repeat(read_record(FOLDER), stream, scheme, runs))


def missing_part():
    Path("results/parts/tried/errors/sea_50.2.counts.parquet").unlink()


def missing_frame():
    Path("results/data/tried/errors/sea_50.gaps.csv").unlink()


@pytest.mark.parametrize("spoil", [missing_part, missing_frame])
def test_an_unfinished_run_is_refused(run, spoil, capsys):
    spoil()
    assert main(["add", "kept/tried/second", "tried/errors", "--config", "tried.yaml"]) == 2
    message = capsys.readouterr().err
    assert "expected a finished run, found 1 of " in message
    assert not Path("kept/tried/second").exists()


def spoiled_part():
    path = "results/parts/tried/errors/sea_50.0.counts.parquet"
    frame = read_parquet_table(path)
    frame["only_first"] += 5
    write_parquet(frame, path)
    write_digest(path)


def lost_run():
    path = "results/parts/tried/errors/sea_50.2.counts.parquet"
    frame = read_parquet_table(path)
    write_parquet(frame.assign(run=3), path)
    write_digest(path)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (spoiled_part, "expected the content that follows from the parts"),
        (lost_run, "expected 5 runs"),
    ],
)
def test_frames_that_are_not_those_of_the_parts_are_refused(run, spoil, message):
    spoil()
    with pytest.raises(DataError, match=message):
        add(plan_of(run), "tried/errors", Path("kept/tried/second"))
    assert not Path("kept/tried/second").exists()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"schemes": ["split_validation"]}, "expected the schemes split_validation, found"),
        ({"noise": [0.2]}, "expected the alternatives same, swapped, noise 0.2, found"),
        ({"folds": 4}, "expected 4 folds, found 3"),
        ({"runs": 6}, "expected 6 runs, found 5"),
        ({"runs": 7}, "expected a finished run"),
    ],
)
def test_parts_of_other_settings_are_refused(run, changed, message):
    with pytest.raises(DataError, match=message):
        add(plan_of(run, changed), "tried/errors", Path("kept/tried/second"))


def test_only_items_in_parts_are_recorded(run):
    with pytest.raises(ConfigError, match="tried/errors, found 'tried/table2'"):
        add(plan_of(run), "tried/table2", Path("kept/tried/second"))


def test_streams_are_added_one_at_a_time_with_the_tables_of_all(run):
    folder = Path("kept/tried/by_stream")
    for stream in ("sea_50", "rbf_0_0"):
        assert add(plan_of(run, {"streams": [stream]}), "tried/errors", folder) == [stream]
    whole, by_stream = read_record(FOLDER), read_record(folder)
    assert by_stream.description["tables"] == whole.description["tables"]
    assert set(by_stream.description["tables"]) == {"table2.csv", "tests.csv", "further/table2.csv"}
    assert by_stream.description["settings"] == whole.description["settings"]
    for stream, entry in whole.streams.items():
        assert by_stream.streams[stream] == entry


def test_streams_that_are_recorded_stay_as_they_are(run):
    before = {path.name: path.read_bytes() for path in FOLDER.iterdir() if path.is_file()}
    with pytest.raises(DataError, match="expected streams that kept/tried/first lacks"):
        add(plan_of(run), "tried/errors", FOLDER)
    assert before == {path.name: path.read_bytes() for path in FOLDER.iterdir() if path.is_file()}


def test_streams_of_other_settings_are_not_added(run):
    add(plan_of(run, {"streams": ["sea_50"]}), "tried/errors", Path("kept/tried/second"))
    with pytest.raises(DataError, match=r"level: 0\.05 in the record, 0\.1 in this run"):
        add(plan_of(run, {"level": 0.1}), "tried/errors", Path("kept/tried/second"))
    assert set(read_record("kept/tried/second").streams) == {"sea_50"}


def test_a_record_that_was_touched_is_refused(run):
    path = FOLDER / "sea_50.rates.csv"
    text = path.read_text()
    path.write_text(text.replace("mcnemar", "McNemar", 1))
    with pytest.raises(DataError, match=r"sea_50\.rates\.csv: .*as it was recorded"):
        read_record(FOLDER)
    path.write_text(text)
    (FOLDER / "more.csv").write_text("a\n")
    with pytest.raises(DataError, match=r"found also more\.csv"):
        read_record(FOLDER)
    (FOLDER / "more.csv").unlink()
    (FOLDER / "rbf_0_0.counts.parquet").unlink()
    with pytest.raises(DataError, match=r"rbf_0_0\.counts\.parquet: expected"):
        read_record(FOLDER)


def test_a_table_shows_the_record_and_says_so(run, tmp_path, monkeypatch):
    """Nothing of the run at hand: it has neither the study nor its streams."""
    here = tmp_path / "elsewhere"
    (here / RECORDED / "tried").mkdir(parents=True)
    shutil.copytree(FOLDER, here / RECORDED / "tried/first")
    record = read_record(FOLDER)
    monkeypatch.chdir(here)
    content = {"studies": ["later"], "kinds": ["choice_of_tests"]}
    content |= {"data": {"offline": True}}
    item = {"kind": "recorded_rejections", "recorded": "tried/first", **SHOWN}
    chosen = {"kind": "recorded_choice", "recorded": "tried/first", **TESTS}
    content["items"] = {"later": {"table_shown": item, "tests": chosen}}
    path = here / "later.yaml"
    path.write_text(yaml.safe_dump(content))
    from streameval.pipeline.configuration import merge_files

    plan = make_plan(merge_files([path]), decide=False, files=[path])
    assert plan.streams == []
    (work,) = table_jobs(plan)
    (study,) = studies(plan)
    run_study(study.tasks[0], study.inputs["files"], study.outputs, lambda text: None)
    task, of_tests = work.tasks
    frame = tabulate(of_tests, [*study.outputs, *work.inputs["files"]], plan.titles)
    pd.testing.assert_frame_equal(frame, pd.read_csv(run / FOLDER / "tables/tests.csv"))
    frame = tabulate(task, work.inputs["files"], plan.titles)
    expected = pd.read_csv(run / FOLDER / "tables/table2.csv")
    pd.testing.assert_frame_equal(frame, expected)
    assert task["streams"] == {name: stream["title"] for name, stream in record.streams.items()}
    settings = plan.items["later/table_shown"].settings
    caption = texts_of(KIND).caption.format(**settings.caption_values())
    (date, version) = (record.streams["sea_50"][key] for key in ("date", "version"))
    assert caption.startswith(f"Recorded {date}, version {version}, ")
    assert "n = 300, 5 runs of each scheme" in caption
    assert isinstance(settings, Shown)


def test_a_table_of_no_record_names_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    settings = Shown(recorded="tried/nothing", tests=("mcnemar",), alternatives=("same",))
    with pytest.raises(ConfigError, match=r"resources/recorded/tried/nothing/run\.yaml"):
        settings.resources()


PROJECT = sorted(path.parent for path in (ROOT / RECORDED).glob("*/*/run.yaml"))


@pytest.mark.parametrize("folder", PROJECT, ids=lambda folder: folder.name)
def test_the_records_of_the_project_are_complete_and_small(folder):
    for stream, entry in read_record(folder).streams.items():
        size = sum((folder / name).stat().st_size for name in entry["files"])
        assert size < 500_000, f"{folder}: {stream}"


@pytest.mark.parametrize("folder", PROJECT, ids=lambda folder: folder.name)
def test_the_records_of_the_project_can_be_repeated(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (line,) = repeat(read_record(folder), "elec2", "split_validation", [1])
    assert line.endswith("rows of counts are equal.")
