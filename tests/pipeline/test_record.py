"""Records of runs: made from finished ones only, complete, and repeated to the last count."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pandas as pd
import pytest
import yaml

from streameval.base.errors import ConfigError, DataError
from streameval.base.settings import ROOT
from streameval.base.table_files import (
    read_csv,
    read_parquet,
    write_csv,
    write_digest,
    write_parquet,
)
from streameval.evaluation.records import RECORDED, read_record
from streameval.items import kinds
from streameval.items.error_rates.settings import RecordedRejectionsSettings as Shown
from streameval.pipeline.items import words_of
from streameval.pipeline.plan import make_plan
from streameval.pipeline.record import main, record, repeat
from streameval.pipeline.shown import table_file, tables
from streameval.pipeline.tasks import run_study, tabulate
from streameval.pipeline.work import part_files, studies

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
    "data": {"offline": True},
    "items": {"tried": ITEMS, "further": ELSEWHERE},
}


def plan_of(folder, changed=None):
    """Return the plan of a run in a folder, some settings of its study changed."""
    content = msgspec.to_builtins(CONFIG)
    content["items"]["tried"]["errors"] |= changed or {}
    path = folder / "tried.yaml"
    path.write_text(yaml.safe_dump(content))
    from streameval.pipeline.configuration import merged

    return make_plan(merged([path]), decide=False, files=[path])


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
        for work in tables(plan):
            read = [path for paths in work.inputs.values() for path in paths]
            for task in work.tasks:
                write_csv(tabulate(task, read, plan.titles), task["csv"])
        made = ["make", "tried/errors", "first", "--config", "tried.yaml", "--into", "kept"]
        assert main(made) == 0
    return folder


@pytest.fixture
def run(finished, tmp_path, monkeypatch):
    """A copy of the finished run, as working folder."""
    shutil.copytree(finished, tmp_path / "run")
    monkeypatch.chdir(tmp_path / "run")
    return tmp_path / "run"


FOLDER = Path("kept/tried/first")


def test_a_record_is_complete_and_says_what_was_run(run):
    kept = read_record(FOLDER)
    assert set(kept.streams) == {"sea_50", "rbf_0_0"}
    about = kept.about
    assert about["item"] == "tried/errors"
    assert about["settings"]["instances"] == [100, 300]
    assert about["machine"]["cores"] >= 1
    assert about["machine"]["cpu"]
    for stream, one in kept.streams.items():
        assert (one["runs"], one["instances"]) == (5, 300)
        assert one["core_hours"] >= 0
        assert one["spec"]["id"] == stream
        assert len(one["parts"]) == 64
    for name, folder in (("rates", "data"), ("gaps", "data"), ("seconds", "timings")):
        for stream, frame in kept.frames(name).items():
            expected = read_csv(f"results/{folder}/tried/errors/{stream}.{name}.csv")
            pd.testing.assert_frame_equal(frame, expected)
    for table in ("table2", "further/table2"):
        shown = plan_of(run).items[f"tried/{table}" if table == "table2" else table]
        expected = Path(table_file(shown)).read_bytes()
        assert (FOLDER / "tables" / f"{table}.csv").read_bytes() == expected


def test_counts_are_those_of_the_parts_over_all_folds(run):
    item = plan_of(run).items["tried/errors"]
    paths = [part_files(item, "sea_50", part)["counts"] for part in range(3)]
    parts = pd.concat([read_parquet(path) for path in paths])
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
    kept = read_record(FOLDER)
    counts = kept.counts("sea_50")
    place = counts.index[(counts["run"] == 2) & (counts["scheme"] == "split_validation")][0]
    counts.loc[place, "only_first"] += 1
    object.__setattr__(kept, "counts", lambda stream: counts)
    assert list(repeat(kept, "sea_50", "split_validation", [1]))
    with pytest.raises(DataError, match=r"sea_50, split_validation, 2: .*only_first"):
        list(repeat(kept, "sea_50", "split_validation", [2]))


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


def missing_table():
    Path("results/tables/tried/table2.csv").unlink()


@pytest.mark.parametrize("spoil", [missing_part, missing_frame, missing_table])
def test_an_unfinished_run_is_refused(run, spoil, capsys):
    spoil()
    words = ["make", "tried/errors", "second", "--config", "tried.yaml", "--into", "kept"]
    assert main(words) == 2
    said = capsys.readouterr().err
    assert "expected a finished run, found 1 of " in said
    assert not Path("kept/tried/second").exists()


def spoiled_part():
    path = "results/parts/tried/errors/sea_50.0.counts.parquet"
    frame = read_parquet(path)
    frame["only_first"] += 5
    write_parquet(frame, path)
    write_digest(path)


def lost_run():
    path = "results/parts/tried/errors/sea_50.2.counts.parquet"
    frame = read_parquet(path)
    write_parquet(frame.assign(run=3), path)
    write_digest(path)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [(spoiled_part, "expected the content that the parts"), (lost_run, "expected 5 runs")],
)
def test_frames_that_are_not_those_of_the_parts_are_refused(run, spoil, message):
    spoil()
    with pytest.raises(DataError, match=message):
        record(plan_of(run), "tried/errors", Path("kept/tried/second"))
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
        record(plan_of(run, changed), "tried/errors", Path("kept/tried/second"))


@pytest.mark.parametrize(
    ("item", "folder", "message"),
    [
        ("tried/errors", FOLDER, "expected no such folder yet"),  # which is never written over
        ("tried/table2", Path("kept/tried/second"), "tried/errors, found 'tried/table2'"),
    ],
)
def test_only_items_in_parts_are_recorded_into_new_folders(run, item, folder, message):
    with pytest.raises(ConfigError, match=message):
        record(plan_of(run), item, folder)


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
    kept = read_record(FOLDER)
    monkeypatch.chdir(here)
    content = {"studies": ["later"], "data": {"offline": True}}
    shown = {"kind": "recorded_rejections", "recorded": "tried/first", **SHOWN}
    chosen = {"kind": "recorded_choice", "recorded": "tried/first", **TESTS}
    content["items"] = {"later": {"table_shown": shown, "tests": chosen}}
    path = here / "later.yaml"
    path.write_text(yaml.safe_dump(content))
    from streameval.pipeline.configuration import merged

    plan = make_plan(merged([path]), decide=False, files=[path])
    assert plan.streams == []
    (work,) = tables(plan)
    (study,) = studies(plan)
    run_study(study.tasks[0], study.inputs["files"], study.outputs, lambda text: None)
    task, of_tests = work.tasks
    found = tabulate(of_tests, [*study.outputs, *work.inputs["files"]], plan.titles)
    pd.testing.assert_frame_equal(found, pd.read_csv(run / FOLDER / "tables/tests.csv"))
    found = tabulate(task, work.inputs["files"], plan.titles)
    expected = pd.read_csv(run / FOLDER / "tables/table2.csv")
    pd.testing.assert_frame_equal(found, expected)
    assert task["streams"] == {name: one["title"] for name, one in kept.streams.items()}
    settings = plan.items["later/table_shown"].settings
    caption = words_of(KIND).caption.format(**settings.words())
    assert caption.startswith(f"Recorded {kept.about['date']}, version {kept.about['version']}, ")
    assert "n = 300, 5 runs of each scheme" in caption
    assert isinstance(settings, Shown)


def test_a_table_of_no_record_names_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    settings = Shown(recorded="tried/nothing", tests=("mcnemar",), alternatives=("same",))
    with pytest.raises(ConfigError, match=r"resources/recorded/tried/nothing/run\.yaml"):
        settings.resources()


def test_the_records_of_the_project_are_complete_and_small():
    for about in sorted((ROOT / RECORDED).glob("*/*/run.yaml")):
        kept = read_record(about.parent)
        for stream, one in kept.streams.items():
            size = sum((about.parent / name).stat().st_size for name in one["files"])
            assert size < 500_000, f"{about.parent}: {stream}"
