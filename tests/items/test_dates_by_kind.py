"""Figures of a study of a user's own file: axes have dates, and marks of known drifts."""

from __future__ import annotations

import os
import re
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pytest
import yaml
from helpers.all_kinds import all_kinds
from helpers.drawn import vertical_lines
from helpers.logs import hourly_log, log_entry
from helpers.short_items import short_settings
from matplotlib.dates import date2num, num2date

from streameval.base.table_files import read_csv_table
from streameval.drawing.subject import Subject
from streameval.evaluation.predictions import write_predictions
from streameval.evaluation.run import run_learners
from streameval.items.frame_dates import DATE_COLUMNS, INSTANCE_COLUMN, with_dates
from streameval.items.kind import function_of
from streameval.items.settings import ReevaluationItemSettings
from streameval.learners.registry import make_learners
from streameval.pipeline import products, study_jobs
from streameval.pipeline.configuration import merge_files
from streameval.pipeline.plan import make_plan
from streameval.pipeline.tasks import run_study
from streameval.streams.columnar import read_stream, write_stream
from streameval.streams.drift_marks import drift_marks
from streameval.streams.making import convert
from streameval.streams.registry import SMOOTHING

N, MISSING = 160, (3, 90)
#: The instance with which the known drift begins; labels are missing before it.
DRIFT = 100
ZONE = "+02:00"
#: Kinds whose figures are about one stream of a file each.
ABOUT = {
    name: kind
    for name, kind in all_kinds().items()
    if kind.is_figure and kind.reads in ("stream", "source", "predictions") and not kind.joins
}
#: Those whose labels have times of their own.
LATE = {name for name, kind in ABOUT.items() if issubclass(kind.settings, ReevaluationItemSettings)}
#: What is counted where there are no dates.
COUNTS = re.compile(r"(instances|labels|labels that have arrived)( \(thousands\))?(;.*)?")


class Drawn(NamedTuple):
    """The frames of an item in files, and the labels and the axes of its figure."""

    frames: dict[str, pd.DataFrame]
    labels: list[str]
    axes: list[Any]


def frames_over_instances(name: str) -> set[str]:
    """Frames of a kind that count instances."""
    return {frame for frame, columns in ABOUT[name].frames.items() if INSTANCE_COLUMN in columns}


@pytest.fixture(scope="module")
def log():
    """A log in the order of its dates; hours of which only the differences count, as numbers."""
    log = hourly_log(N)
    hours = pd.to_timedelta(log["hour"], unit="h")
    date = pd.Timestamp("2025-05-01 06:00", tz=f"UTC{ZONE}") + hours
    log["y"] = log["y"].astype(object)
    log.loc[[*MISSING], "y"] = None
    return log.assign(t=date, known=date + pd.Timedelta(days=2))


def settings_of(name: str) -> dict[str, Any]:
    """Settings of an item of a kind that is computed at once, about the stream for it."""
    target = "amounts" if ABOUT[name].trains == "regressors" else "classes"
    return {**short_settings(ABOUT[name]), "streams": [f"{'late_' * (name in LATE)}{target}"]}


def streams_of(dated: bool) -> dict[str, dict[str, Any]]:
    """Entries of the log with a target of classes or numbers, and with times of labels or without.

    Without dates, only streams with times of labels have times, which are numbers.
    """
    time, label_time = ("t", "known") if dated else ("hour", "due")
    entries = {}
    for name, target in (("classes", "y"), ("amounts", "amount")):
        for late in (False, True):
            roles = {"time": time} if dated or late else {}
            roles |= {"label_time": label_time} if late else {}
            unused = {"t", "known", "hour", "due", "y", "amount"}
            entry = log_entry(target, roles, unused, drifts=[DRIFT])
            entries[f"{'late_' * late}{name}"] = entry
    return entries


def run(folder: Path, dated: bool) -> dict[str, Drawn]:
    """Compute and draw an item of each kind as the jobs of a study do, without Snakemake."""
    items = {name: settings_of(name) for name in ABOUT}
    modules = sorted({kind.module for kind in ABOUT.values() if kind.folder})
    study = {"studies": ["mine"], "kinds": modules}
    study |= {"streams": streams_of(dated), "items": {"mine": items}}
    path = folder / f"{'dated' if dated else 'counted'}.yaml"
    path.write_text(yaml.safe_dump(study), encoding="utf-8")
    plan = make_plan(merge_files([path]), decide=False, files=[path])
    for name in study["streams"]:
        spec = plan.registry[name]
        write_stream(convert(spec, spec.file), study_jobs.stream_file(name))
    for (name, protocol), learners in plan.predictions.items():
        file = Path(study_jobs.predictions_for(plan, name, protocol))
        file.parent.mkdir(parents=True, exist_ok=True)
        rows = {learner: plan.learners[learner].recipe() for learner in learners}
        models = make_learners(rows, SMOOTHING)
        write_predictions(
            run_learners(read_stream(study_jobs.stream_file(name)), protocol, models)[0], file
        )
    for job in study_jobs.studies(plan):
        for task in job.tasks:
            inputs = [path for paths in job.inputs.values() for path in paths]
            run_study(task, inputs, job.outputs, lambda text: None)
    tasks = {task["item"]: task for job in products.drawing_jobs(plan) for task in job.tasks}
    return {item.kind.name: draw_item(item, tasks[item.id]) for item in plan.items.values()}


def draw_item(item: Any, task: dict[str, Any]) -> Drawn:
    """The figure of an item from its files, and from the parameters of the job that draws it."""
    (stream,) = item.settings.streams
    frames = {
        name: read_csv_table(path) for name, path in study_jobs.frame_files(item, stream).items()
    }
    known = {name: drift_marks(**about) for name, about in task["drifts"].items()}
    subject = Subject(settings=item.settings, title=stream, drifts=known.get(stream))
    dates = {name: with_dates(frame) for name, frame in frames.items()}
    figure = function_of(item.kind, "draw")(dates, subject)
    labels = [axes.get_xlabel() for axes in figure.axes] + [figure.get_supxlabel()]
    return Drawn(frames, [label for label in labels if label], figure.axes)


@pytest.fixture(scope="module")
def studies(log, tmp_path_factory):
    """All kinds over the log with dates, and over the same log without."""
    before, drawings = Path.cwd(), {}
    shuffled = log.sample(frac=1, random_state=1)
    try:
        for dated in (True, False):
            folder = tmp_path_factory.mktemp("mine")
            os.chdir(folder)
            rows = shuffled if dated else log
            rows.to_csv("log.csv", index=False)
            drawings[dated] = run(folder, dated)
    finally:
        os.chdir(before)
    return drawings


def count_axes(drawing: Drawn) -> list[str]:
    return [label for label in drawing.labels if COUNTS.fullmatch(label)]


@pytest.mark.parametrize("kind", ABOUT)
def test_axes_over_instances_have_the_dates_of_the_stream(kind, studies, log):
    dated, counted = studies[True][kind], studies[False][kind]
    assert count_axes(dated) == []
    assert count_axes(counted) or not frames_over_instances(kind)
    names = [label for label in dated.labels if label.startswith("time (")]
    assert len(names) == len(count_axes(counted))
    assert {name.partition(";")[0] for name in names} <= {f"time (UTC{ZONE})"}
    end = log["known" if kind in LATE else "t"].iloc[-1]
    for axes in dated.axes:
        if axes.get_xlabel() in names:
            first, last = (num2date(place) for place in axes.get_xlim())
            assert first == log["t"].iloc[0]
            assert end <= last < end + timedelta(days=1)


@pytest.mark.parametrize("kind", ABOUT)
def test_rows_of_frames_have_the_dates_of_their_instances(kind, studies, log):
    of, count = ABOUT[kind], "labels" if kind in LATE else INSTANCE_COLUMN
    frames = studies[True][kind].frames
    dated = {name: frame for name, frame in frames.items() if DATE_COLUMNS[0] in frame}
    assert frames_over_instances(kind) <= {*dated}
    known = log if of.trains == "regressors" else log[log["y"].notna()]
    dates = known["known" if kind in LATE else "t"].astype(str).to_numpy()
    for name, frame in dated.items():
        assert tuple(frame) == (*of.frames[name], *DATE_COLUMNS)
        assert set(frame["zone"]) == {ZONE}
        assert set(frame["first_date"]) == {str(log["t"].iloc[0])}
        for _, part in frame.groupby("delay") if "delay" in frame else [("", frame)]:
            # With delays the first instances are not scored.
            is_delayed = "delay" in frame or kind in LATE
            left_out = (len(dates) - part[count].max()) * is_delayed
            assert part["date"].tolist() == dates[part[count] + left_out - 1].tolist()
    for name, frame in studies[False][kind].frames.items():
        assert tuple(frame) == of.frames[name]


#: The label of an axis that counts instances, and of one that has their dates.
OVER_INSTANCES = re.compile(r"instances( \(thousands\))?|time.*")


def panels_over_instances(kind: str, drawing: Drawn) -> list[Any]:
    """Panels with an axis over instances, also those above another one with the same axis."""
    if kind in LATE:
        return []
    named = [axes for axes in drawing.axes if OVER_INSTANCES.fullmatch(axes.get_xlabel())]
    shared = [
        axes
        for axes in drawing.axes
        if any(axes.get_shared_x_axes().joined(axes, other) for other in named)
    ]
    return list(dict.fromkeys([*named, *shared]))


@pytest.mark.parametrize("kind", ABOUT)
def test_panels_over_instances_mark_the_known_drift_at_its_instance(kind, studies, log):
    for dated, drawing in ((True, studies[True][kind]), (False, studies[False][kind])):
        panels = panels_over_instances(kind, drawing)
        assert bool(panels) == ABOUT[kind].marks_drifts
        expected = {float(date2num(log["t"].iloc[DRIFT]))} if dated else counts(kind, drawing)
        marks = [{*vertical_lines(axes)} & expected for axes in panels]
        assert all(marks)


def counts(kind: str, drawing: Drawn) -> set[float]:
    """Numbers of scored instances at the drift: one, or one for each delay."""
    of_numbers = ABOUT[kind].trains == "regressors"
    n, at = (N, DRIFT + 1) if of_numbers else (N - len(MISSING), DRIFT + 1 - len(MISSING))
    frames = [drawing.frames[name] for name in frames_over_instances(kind)]
    lasts = {
        part[INSTANCE_COLUMN].max()
        for frame in frames
        for _, part in (frame.groupby("delay") if "delay" in frame else [("", frame)])
        if len(part)
    }
    return {float(at - (n - last)) for last in lasts}


def test_kinds_with_frames_over_the_instances_of_a_stream_mark_drifts():
    over = {
        name
        for name, kind in all_kinds().items()
        if kind.is_figure
        and not kind.pictures
        and any(INSTANCE_COLUMN in columns for columns in kind.frames.values())
    }
    marking = {name for name, kind in all_kinds().items() if kind.marks_drifts}
    assert over == marking
    assert {"measures", "windows", "holdout", "class_distribution"} <= marking
