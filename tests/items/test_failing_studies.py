"""Each kind whose study trains the learners that it names, where one or all fail on a stream."""

from __future__ import annotations

import os
import runpy
from collections.abc import Collection
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import msgspec
import pytest
import yaml
from helpers.all_kinds import all_kinds
from helpers.logs import hourly_log, log_entry
from helpers.short_items import settings_of_kinds, short_settings

from streameval.base.settings import ROOT
from streameval.base.table_files import read_csv_table
from streameval.items.kind import ItemKind
from streameval.items.settings import ReevaluationItemSettings
from streameval.pipeline import page_content, products, runs, study_jobs
from streameval.pipeline.configuration import merge_files
from streameval.pipeline.failure_list import failures_in
from streameval.pipeline.plan import Plan, make_plan
from streameval.pipeline.study_errors import WHOLE_STUDY, read_errors
from streameval.streams.columnar import write_stream
from streameval.streams.making import convert, synthesise
from streameval.streams.registry import FileSpec

TRAINING = {
    name: kind
    for name, kind in all_kinds().items()
    if kind.trains and "learners" in kind.settings.__struct_fields__
}
ABOUT_THEM = {name: kind for name, kind in all_kinds().items() if kind.source_kind in TRAINING}
#: A learner that fails on streams with many inputs.
CODE = """
class Bad:
    tasks = ("{task}",)

    def __init__(self, schema):
        self.last, self.n_classes = None, schema.n_classes

    def learn(self, x, y, w):
        if len(x) > 3:
            raise RuntimeError("three inputs at most")
        self.last = y

    def predict(self, x):
        return self.last

    def scores(self, x):
        return [float(label == self.last) for label in range(self.n_classes)]
"""
REASON = "RuntimeError: three inputs at most"
#: A kind that wraps learners, which this one cannot be.
NEVER = {"delays"}
#: Settings besides the short ones.
FURTHER: dict[str, dict[str, Any]] = {
    "type_errors": {"noise": [0.3]},
    "holdout": {"instances": 200, "tests": 10, "fresh": 20},
    "censored_accuracy": {"laws": {"late": {"latency": [20]}}, "instances": 200},
}
#: The same of items about these.
OF_STUDIES: dict[str, dict[str, Any]] = {
    "binned_error_table": {"bins": [2]},
    "binned_table": {"weights": ["maximum"]},
    "rejections": {"alternatives": ["same"], "readings": ["held_out"]},
    "test_choice": {"scheme": "split_validation", "reading": "held_out"},
}
N = 120


class FinishedStudy(NamedTuple):
    """A study after its run, with the text of its list and of its captions."""

    plan: Plan
    lines: dict[str, dict[str, str]]  # errors by item and by learner
    captions: dict[str, dict[str, str]]  # by item and picture


def item_of(kind: ItemKind, learners: list[str]) -> dict[str, Any]:
    """Settings of an item about two streams, on the second one of which learners fail."""
    if kind.reads == "generator":
        streams = ["few", "many"]
    else:
        late = "late_" * issubclass(kind.settings, ReevaluationItemSettings)
        target = "amounts" if kind.trains == "regressors" else "classes"
        streams = [f"{late}{target}_few", f"{late}{target}_many"]
    settings = {**short_settings(kind), **FURTHER.get(kind.name, {}), "streams": streams}
    return {**settings, "learners": learners}


def learners_of(kind: ItemKind, only_failing: bool) -> list[str]:
    """As many learners as a kind takes, at most three, of which the last one, or each, fails."""
    is_number = kind.trains == "regressors"
    failing = "bad_number" if is_number else "bad"
    others = ["target_mean", "previous_target"] if is_number else ["naive_bayes", "hoeffding_tree"]
    declared = msgspec.inspect.type_info(kind.settings)
    (names,) = (field.type for field in declared.fields if field.encode_name == "learners")
    most = getattr(names, "type", names).max_length or 3
    others = others[: most - 1]
    return [*others * (not only_failing), failing]


def streams() -> dict[str, dict[str, Any]]:
    """Entries of a log with few inputs or many, with and without times of labels; and others."""
    entries: dict[str, dict[str, Any]] = {
        name: {"generator": generator, "rows": N, "columns": columns, "classes": 2, "title": name}
        for name, generator, columns in (("few", "sea", 3), ("many", "hyperplane", 10))
    }
    unused = {"hour", "due", "y", "amount"}
    for target, column in (("classes", "y"), ("amounts", "amount")):
        for late in (False, True):
            roles = {"time": "hour", "label_time": "due"} if late else {}
            name = f"{'late_' * late}{target}"
            entries[f"{name}_few"] = log_entry(column, roles, unused | {"a", "b", "c"})
            entries[f"{name}_many"] = log_entry(column, roles, unused)
    return entries


def write_study(names: Collection[str], only_failing: bool) -> Path:
    """Write a study with an item of each kind, its log and its learners into the folder."""
    hourly_log(N, *"abc").to_csv("log.csv", index=False)
    Path("bad.py").write_text(CODE.format(task="classification"), encoding="utf-8")
    Path("bad_number.py").write_text(CODE.format(task="regression"), encoding="utf-8")
    items = {
        name: item_of(kind, learners_of(kind, only_failing))
        for name, kind in TRAINING.items()
        if name in names
    }
    if only_failing:
        for item in items.values():
            item["streams"] = item["streams"][1:]
    for name, kind in ABOUT_THEM.items():
        if kind.source_kind not in names:
            continue
        plain = settings_of_kinds()[name] | OF_STUDIES.get(name, {})
        several = not isinstance(plain["of"], str)
        items[name] = {
            **plain,
            "kind": name,
            "of": [kind.source_kind] if several else kind.source_kind,
        }
    content = {
        "studies": ["mine"],
        "kinds": sorted({kind.module for kind in all_kinds().values() if kind.folder}),
        "streams": streams(),
        "learners": {name: {"learner": f"{name}:Bad"} for name in ("bad", "bad_number")},
        "items": {"mine": items},
    }
    path = Path("mine.yaml").absolute()
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    return path


def carry_out(
    script: str, job: study_jobs.Job, plan: Plan, errors: dict[str, dict[str, str]]
) -> None:
    """Run a script of the pipeline as Snakemake does for a job."""
    params = SimpleNamespace(
        tasks=job.tasks, titles=plan.titles, captions=products.titles_of_tables(job)
    )
    log = SimpleNamespace(
        info=lambda *_: None,
        error=lambda _, name, exc_info: errors.setdefault(job.name, {}).update(
            {name: str(exc_info)}
        ),
    )
    snakemake = SimpleNamespace(
        input=[path for paths in job.inputs.values() for path in paths],
        output=job.outputs,
        params=params,
        log=["job.log"],
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "job", lambda _: nullcontext(log))
        runpy.run_path(
            str(ROOT / "workflow" / "scripts" / script), init_globals={"snakemake": snakemake}
        )


def run_study_jobs(names: Collection[str], only_failing: bool) -> FinishedStudy:
    """Carry out the jobs of a study; draw figures only for streams on which learners fail."""
    path = write_study(names, only_failing)
    plan = make_plan(merge_files([path]), decide=False, files=[path])
    for name in plan.streams:
        spec = plan.registry[name]
        is_file = isinstance(spec, FileSpec)
        stream = convert(spec, spec.file) if is_file else synthesise(spec)
        write_stream(stream, study_jobs.stream_file(name))
    reported = dict[str, dict[str, str]]()
    for script, jobs in (
        (
            "run_study.py",
            sorted(study_jobs.studies(plan), key=lambda job: bool(job.items[0].source_items)),
        ),
        ("tabulate.py", products.table_jobs(plan)),
        ("draw.py", products.drawing_jobs(plan)),
    ):
        for job in jobs:
            for task in job.tasks if script == "draw.py" else ():
                task["frames"] = {
                    name: paths
                    for name, paths in task["frames"].items()
                    if not name.endswith("few")
                }
            carry_out(script, job, plan, reported)
    lines = dict[str, dict[str, str]]()
    for failure in failures_in(products.failure_records(plan)):
        if failure.stream.endswith("many"):
            lines.setdefault(failure.evaluation, {})[failure.learner] = failure.error
        error = reported[Path(failure.job.log).stem][failure.learner or "The study"]
        assert error[:20] in failure.error
    jobs = [*study_jobs.studies(plan), *products.table_jobs(plan), *products.drawing_jobs(plan)]
    pages = page_content.with_root(page_content.studies_of(plan, jobs), Path(), {}, {})
    captions = {
        item["name"]: {picture["name"]: picture["caption"] for picture in item["pictures"]}
        for study in pages
        for item in study["items"]
    }
    return FinishedStudy(plan, lines, captions)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """A study with an item of each kind, where one learner fails on one of two streams."""
    before = Path.cwd()
    os.chdir(tmp_path_factory.mktemp("mine"))
    try:
        yield run_study_jobs(TRAINING, only_failing=False)
    finally:
        os.chdir(before)


@pytest.mark.parametrize("name", TRAINING)
def test_the_reason_is_in_the_list_and_the_caption_and_the_rest_is_made(results, name):
    item = results.plan.items[f"mine/{name}"]
    few, many = item.streams
    ((learner, error),) = results.lines[item.id].items()
    # A kind that compares two learners, or runs one, has no results without it.
    needs_all = len(item.learners) == 1 or name == "type_errors"
    assert learner == item.learners[-1] or (needs_all and learner == WHOLE_STUDY)
    if name in NEVER:
        assert {*read_errors(study_jobs.error_record(item, few))} == {learner}
    else:
        assert REASON in error
        assert read_errors(study_jobs.error_record(item, few)) == {}
        assert REASON not in results.captions[name][few]
    assert read_errors(study_jobs.error_record(item, many)) == {learner: error}
    about = learner or "The study"
    assert (
        f"{about} failed on {many} and is left out there: {error}" in results.captions[name][many]
    )
    assert Path(products.figure_folder(item), f"{many}.svg").is_file()
    frames = [read_csv_table(path) for path in study_jobs.frame_files(item, many).values()]
    if learner:
        named = {learner for frame in frames if "learner" in frame for learner in frame["learner"]}
        assert learner not in named
        assert {*item.learners[:-1]} <= named
    else:
        assert all(frame.empty for frame in frames)


@pytest.mark.parametrize("name", ABOUT_THEM)
def test_items_about_such_studies_have_the_reason(results, name):
    item = results.plan.items[f"mine/{name}"]
    text = Path(products.table_file(item, "md")).read_text(encoding="utf-8")
    assert "three inputs at most" in text
    # A detector is chosen on other streams, and there is one without failures.
    assert read_csv_table(products.table_file(item)).empty is (name == "detector_choice")


def test_without_any_results_there_are_tables_and_pictures_that_say_so(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    outcome = run_study_jobs(["holdout", "type_errors"], only_failing=True)
    assert {name: [*of] for name, of in outcome.lines.items()} == {
        "mine/holdout": [WHOLE_STUDY],
        "mine/type_errors": [WHOLE_STUDY],
    }
    for item in outcome.plan.items.values():
        if item.kind.is_figure:
            (name,) = products.pictures(outcome.plan, item)
            assert "three inputs at most" in outcome.captions[item.name][name]
            assert Path(products.figure_folder(item), f"{name}.svg").is_file()
        else:
            assert read_csv_table(products.table_file(item)).empty
            text = Path(products.table_file(item, "md")).read_text(encoding="utf-8")
            assert "three inputs at most" in text
