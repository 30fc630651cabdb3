"""The jobs of a plan that write tables and draw figures, and the logs of all its jobs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from streameval.items.recorded import RecordSettings
from streameval.pipeline.failure_list import FailureRecord, LearnerJob
from streameval.pipeline.items import Item, figure_caption, protocol_of, table_title
from streameval.pipeline.plan import Plan
from streameval.pipeline.runs import JobTime, time_of
from streameval.pipeline.study_errors import WHOLE_STUDY
from streameval.pipeline.study_jobs import (
    Job,
    entries_of,
    error_record,
    error_records,
    folder_of_seed,
    frame_files,
    frame_streams,
    frames_read,
    inputs_of,
    kind_code,
    modules_of,
    predictions_for,
    records_errors,
    slow_predictions_for,
    stream_file,
    study_code,
    study_name,
    study_task,
)
from streameval.protocols.protocol import Protocol
from streameval.protocols.registry import DEFAULT, parse
from streameval.streams.drift_marks import is_gradual
from streameval.streams.variants import file_stem, split_name

#: The formats in which tables are written: endings of files.
TABLE_FORMATS = ("csv", "json", "html", "md", "tex")
#: Clause of a caption for a stream with sudden drifts.
_SUDDEN = "vertical lines mark sudden drifts"
#: Clause of a caption for a stream with gradual drifts.
_GRADUAL = "grey bands mark gradual drifts"
#: Sentence of the caption of a figure that marks drifts.
_WINDOW_SENTENCE = (
    "A value over a window with a drift in it mixes instances from before and after the drift."
)
#: More instances than any stream has; stands for a number of rows that is unknown.
_MAX_ROWS = 2**62
#: Most pictures that one job draws, at about one a second. Small jobs start as soon as their frames
#: exist, and two cores share the last pictures.
MAX_PICTURES = 8


def drawing_jobs(plan: Plan) -> list[Job]:
    """The jobs that draw: one for the figures of a study, or several with some figures each."""
    jobs = []
    for study in plan.studies:
        items = [item for item in figure_items(plan).values() if item.study == study]
        groups = _groups(items, [len(pictures(plan, item)) for item in items])
        for number, group in enumerate(groups, 1):
            name = f"draw_{study}_{number}" if len(groups) > 1 else f"draw_{study}"
            message = f"Figures of {study}: {', '.join(item.name for item in group)}"
            jobs.append(_drawing_job(plan, name, message, group))
    return jobs


def figure_items(plan: Plan) -> dict[str, Item]:
    """The items that are drawn, by their ids."""
    items = plan.items.items()
    return {name: item for name, item in items if item.kind.is_figure and frame_streams(plan, item)}


def single_figure_job(plan: Plan, figure: str) -> Job:
    """The job that draws one item, without the others of its study."""
    item = plan.items[figure]
    return _drawing_job(plan, "draw_figure", f"Figure {figure}", [item])


def _drawing_job(plan: Plan, name: str, message: str, items: list[Item]) -> Job:
    """The job that draws the figures of items."""
    tasks = [_drawing_task(plan, item) for item in items]
    files_by_name = [
        files for task in tasks for files in (*task["frames"].values(), task["errors"])
    ]
    return Job(
        name.replace(".", "_"),  # a rule's name is an identifier
        message,
        tasks,
        {
            "frames": [path for files in files_by_name for path in files.values()],
            "streams": [
                drifts["file"]
                for task in tasks
                for drifts in task["drifts"].values()
                if "file" in drifts
            ],
            "code": kind_code(plan, items, [item.kind.show_module for item in items]),
        },
        outputs=[figure_folder(item) for item in items],
        modules=modules_of(*((item.kind.module, item.kind.show_module) for item in items)),
        items=items,
        family="draw",
    )


def _groups(items: Iterable[Item], sizes: Iterable[int]) -> list[list[Item]]:
    """Items in their order, in groups of one item or of at most `MAX_PICTURES` pictures."""
    groups: list[list[Item]] = []
    room = 0  # pictures for which the last group has room
    for item, size in zip(items, sizes, strict=True):
        room -= size
        if room < 0:
            groups.append([])
            room = MAX_PICTURES - size
        groups[-1].append(item)
    return groups


def figure_folder(item: Item) -> str:
    """The folder of an item's pictures."""
    return f"figures/{item.id}"


def pictures(plan: Plan, item: Item) -> list[str]:
    """The names of an item's pictures: those of its kind, or its streams."""
    return list(item.kind.pictures) or plan.streams_of(item)


def _drawing_task(plan: Plan, item: Item) -> dict[str, Any]:
    # Frames with times of this machine.
    hidden = () if item.shows_times else item.kind.times
    frames = {
        stream: {
            name: path for name, path in frame_files(item, stream).items() if name not in hidden
        }
        for stream in frame_streams(plan, item)
    }
    streams = {
        stream: {
            "title": plan.title(stream),
            "simulated": plan.is_simulated(stream),
        }
        for stream in frame_streams(plan, item)
        if stream  # "" stands for no single stream
    }
    return {
        "item": item.id,
        "kind": item.kind.import_arguments,
        "settings": item.plain_settings(),
        "frames": frames,
        "streams": streams,
        "drifts": {
            stream: _drifts(plan, item, stream)
            for stream in streams
            if plan.drifts_in(stream, item)
        },
        "errors": error_records(plan, item),
        "folder": figure_folder(item),
    }


def _drifts(plan: Plan, item: Item, stream: str) -> dict[str, Any]:
    """Drifts that a figure marks, and the length of the stream or, if it is unknown, its file."""
    drifts = plan.drifts_in(stream, item)
    if plan.is_generated(stream):
        n = plan.registry[stream].rows or 0  # always set, as the key is required
        return {"drifts": drifts, "rows": item.settings.rows(n)}
    return {"drifts": drifts, "file": stream_file(stream)}


def captions_of(plan: Plan, item: Item) -> dict[str, str]:
    """The captions of an item's pictures, by their names."""
    captions = {}
    for name in pictures(plan, item):
        caption = figure_caption(item, name, simulated=_is_simulated(plan, item, name))
        is_stream = name not in item.kind.pictures
        sentences = _drift_sentences(plan, item, name) if is_stream else ""
        captions[name] = f"{caption} {sentences}".rstrip()
    return captions


def _drift_sentences(plan: Plan, item: Item, stream: str) -> str:
    """Sentences about the drifts that a figure marks; "" if it marks none."""
    widths = [width for _, width in plan.drifts_in(stream, item)]
    n = item.settings.rows(plan.registry[stream].rows or _MAX_ROWS)
    kinds = {is_gradual(width, n) for width in widths}
    clauses = ((False, _SUDDEN), (True, _GRADUAL))
    text = " and ".join(clause for gradual, clause in clauses if gradual in kinds)
    return f"{text[0].upper()}{text[1:]}. {_WINDOW_SENTENCE}" if text else ""


def _is_simulated(plan: Plan, item: Item, picture: str) -> bool:
    return picture not in item.kind.pictures and plan.is_simulated(picture)


#: The frame of skills by bin.
_SKILLS = "skills"


def item_runs(plan: Plan) -> list[dict[str, Any]]:
    """The learners, protocol and streams of each item, for a job's parameters.

    Items with neither streams nor learners are left out. ``streams`` has the largest number of
    instances used of each stream, ``labels`` the number of labels after which a stream stops, and
    ``orders`` the variants of the streams.
    """
    rows = []
    for item in plan.items.values():
        streams = plan.streams_of(item) if item.streams else []
        learners = _learners_of(plan, item) if streams or item.kind.reads == "nothing" else []
        if streams or learners:
            labels = getattr(item.settings, "labels", {})
            rows_used = {
                name: item.settings.rows(plan.registry[name].rows or _MAX_ROWS) for name in streams
            }
            rows.append(
                {
                    "item": item.id,
                    "protocol": protocol_of(item) if learners else "",
                    "learners": learners,
                    "streams": rows_used,
                    "labels": {name: labels[name] for name in streams if name in labels},
                    "orders": list(item.variants),
                }
            )
    return rows


def _learners_of(plan: Plan, item: Item) -> list[str]:
    """The learners that run for an item, in the plan's order."""
    learners = {
        *item.learners,
        *item.settings.evaluated_learners(),
        *item.settings.extra_learners(),
    }
    if item.kind.reads == "predictions":
        learners |= {*item.baselines}
    elif not item.kind.trains:  # learners in its settings do not run
        learners = {*item.settings.extra_learners()}
    return [name for name in plan.learners if name in learners]


def user_comparison_files(plan: Plan) -> list[dict[str, Any]]:
    """The files that compare learners with baselines on the user's streams.

    For each stream, files of predictions come first, with the default protocol before others.
    Predictions with folds are left out.
    """
    default = parse(DEFAULT)
    files = [
        (name, protocol.title, predictions_for(plan, name, protocol))
        for name, protocol in sorted(plan.predictions, key=lambda key: key[1] != default)
        if name in plan.user_streams and not protocol.has_folds
    ]
    for item in plan.items.values():
        if _SKILLS in item.kind.frames:
            files += [
                (name, protocol_of(item), frame_files(item, name)[_SKILLS])
                for name in frame_streams(plan, item)
                if name in plan.user_streams
            ]
    files.sort(key=lambda row: plan.streams.index(row[0]))
    return [dict(zip(("stream", "protocol", "file"), row, strict=True)) for row in files]


def table_items(plan: Plan) -> list[Item]:
    """The items with a table; figures and items with source items must have frames."""
    items = [item for item in plan.items.values() if item.kind.is_table]
    return [
        item
        for item in items
        if frame_streams(plan, item) or not (item.kind.is_figure or item.source_items)
    ]


def titles_of_tables(job: Job) -> dict[str, str]:
    """The titles of the tables of a job, by the ids of its items."""
    return {item.id: table_title(item) for item in job.items}


def table_file(item: Item, form: str = "csv") -> str:
    """The file of an item's table."""
    return f"results/tables/{item.id}.{form}"


def table_jobs(plan: Plan) -> list[Job]:
    """The jobs that write tables: one for each study that has any."""
    jobs = []
    for study in plan.studies:
        items = [item for item in table_items(plan) if item.study == study]
        if items:
            jobs.append(_tables_job(plan, f"tabulate_{study}", f"Tables of {study}", items))
    return jobs


def single_table_job(plan: Plan, table: str) -> Job:
    """The job that writes the table of one item, without the others of its study."""
    return _tables_job(plan, "tabulate_table", f"Table {table}", [plan.items[table]])


def _tables_job(plan: Plan, name: str, message: str, items: list[Item]) -> Job:
    """The job that writes the tables of items."""
    tasks = [_table_task(plan, item) for item in items]
    inputs = inputs_of(tasks)
    for name_of_input, keys in {"frames": ("frames", "errors"), "files": ("files",)}.items():
        paths = (path for task in tasks for key in keys for path in task[key].values())
        inputs[name_of_input] = list(dict.fromkeys(paths))
    kinds = [item.kind for item in items]
    # The study of a figure has run in another job.
    computing = [item for item in items if not item.kind.is_figure]
    inputs["code"] = sorted(
        {
            *study_code(plan, computing, [item.kind.study_module for item in computing]),
            *kind_code(plan, items, [kind.study_module for kind in kinds]),
            *kind_code(plan, items, [kind.show_module for kind in kinds]),
        }
    )
    modules = [(kind.module, kind.study_module, kind.show_module) for kind in kinds]
    return Job(
        name,
        message,
        tasks,
        inputs,
        outputs=[table_file(item, form) for item in items for form in TABLE_FORMATS],
        modules=modules_of(*modules),
        items=items,
        family="tabulate",
        entries=entries_of(plan, tasks),
    )


def _table_task(plan: Plan, item: Item) -> dict[str, Any]:
    frames = frame_files(item) if item.kind.is_figure else {}
    streams = plan.streams_of(item) if item.streams else []
    if item.kind.source_kind:
        streams = [
            name
            for item_id in item.source_items
            for name in _streams_of_frames(plan, plan.items[item_id])
        ]
        frames = frames or frames_read(plan, item)  # a table without own frames
    settings = item.settings
    record_titles = settings.stream_titles() if isinstance(settings, RecordSettings) else {}
    return study_task(plan, item, "") | {
        "rows": {name: plan.learners[name].to_dict() for name in item.learners},
        "streams": {name: plan.title(name) for name in streams} | record_titles,
        "frames": frames,
        "errors": error_records(plan, item),
        "csv": table_file(item),
        "label": f"tab:{item.study}-{item.name.removeprefix('table_')}",
    }


def _streams_of_frames(plan: Plan, item: Item) -> list[str]:
    """The streams of an item's frames; a frame is about one stream, or about all."""
    if "streams" in item.kind.joins:
        return plan.streams_of(item)
    return [name for name in frame_streams(plan, item) if name]


def failure_records(plan: Plan) -> list[FailureRecord]:
    """All files in which jobs of a plan record errors of learners."""
    runs_with_seed_1 = {(*key, 1): names for key, names in plan.predictions.items()}
    records = []
    for (name, protocol, seed), names in (runs_with_seed_1 | plan.seed_runs).items():
        path, key = predictions_for(plan, name, protocol, seed), (name, protocol, seed)
        jobs = dict.fromkeys(names, LearnerJob(path, f"logs/{_evaluation_log(*key)}.log"))
        for learner in names:
            if plan.learners[learner].slow:
                log = f"logs/{_evaluation_log(*key, learner)}.log"
                jobs[learner] = LearnerJob(slow_predictions_for(plan, learner, *key), log)
        evaluation = f"{protocol}, seed {seed}" if seed > 1 else str(protocol)
        records.append(FailureRecord(path, name, evaluation, jobs))
    for item in plan.items.values():
        if records_errors(item) and item.is_computed:
            records += _study_records(plan, item)
    return records


def _study_records(plan: Plan, item: Item) -> list[FailureRecord]:
    """Records of an item's study of its streams; a study in parts has one for each part."""
    parts = range(item.partitioned_settings.parts()) if item.kind.parts else [None]
    records = []
    for stream, part in product(frame_streams(plan, item), parts):
        name = study_name(item, stream) + ("" if part is None else f"_{part}")
        job = LearnerJob(
            error_record(item, stream, part), f"logs/studies/{name.replace('.', '_')}.log"
        )
        jobs = dict.fromkeys([*item.learners, WHOLE_STUDY], job)
        records.append(FailureRecord(job.file, stream, item.id, jobs))
    return records


def _evaluation_log(name: str, protocol: Protocol, seed: int = 1, learner: str = "") -> str:
    """The log of the job that runs learners, or a slow one, over a stream or variant."""
    runs = folder_of_seed(seed)
    folder = f"alone/{runs}{learner}/" if learner else runs
    return f"evaluate_learners/{folder}{file_stem(name)}.{protocol.file_form}"


#: Description of the jobs that provide streams.
_STREAMS = "fetching, reading and generating streams"
#: Descriptions of the jobs for the whole run, and patterns of their logs.
_SHARED_JOBS = (
    (_STREAMS, "fetch_raw/**/*"),
    ("compiling the learners", "compile_kernels/*"),
    ("measures and differences", "measure_*"),
    *(
        ("scorecards, digests", name)
        for name in ("write_scorecard", "write_recorded", "digest_results", "write_run")
    ),
)
#: Descriptions of the jobs of a study ({}) with several items, by family. Other jobs have one item
#: and are described by its id.
_DESCRIPTIONS = {
    "draw": "figures of {}",
    "tabulate": "tables of {}",
    "trace": "studies of predictions",
}


def times_by_part(logs: Path, patterns: Iterable[Sequence[str]]) -> dict[str, list[JobTime]]:
    """The times of the jobs of a run by part, read from their logs.

    `patterns` are the pairs of `log_patterns`. Jobs whose log is missing are left out.
    """
    job_times: dict[str, list[JobTime]] = {}
    for part, pattern in patterns:
        times = [time for log in logs.glob(f"{pattern}.log") if (time := time_of(log))]
        job_times.setdefault(part, []).extend(times)
    return {part: times for part, times in job_times.items() if times}


def log_patterns(plan: Plan, jobs: Iterable[Job]) -> list[tuple[str, str]]:
    """Pairs of a part of the run and a pattern of the logs of its jobs, without duplicates."""
    return [*dict.fromkeys(_logs(plan, jobs))]


def _logs(plan: Plan, jobs: Iterable[Job]) -> Iterator[tuple[str, str]]:
    stems = {file_stem(name) for name in plan.streams}
    for job in jobs:
        stems |= {Path(path).stem for path in job.inputs.get("streams", ())}
        part = _DESCRIPTIONS.get(job.family, job.items[0].id).format(job.items[0].study)
        yield part, log_of(job)
    runs_with_seed_1 = {(*key, 1): names for key, names in plan.predictions.items()}
    for (name, protocol, seed), names in (runs_with_seed_1 | plan.seed_runs).items():
        stems.add(file_stem(name))
        slow = [learner for learner in names if plan.learners[learner].slow]
        for learner in ("", *slow):  # "": the joint job of the other learners
            log = _evaluation_log(name, protocol, seed, learner)
            yield f"learners on {split_name(name)[0]}", log
    yield from ((_STREAMS, f"*_stream/{stem}") for stem in sorted(stems))
    yield from _SHARED_JOBS


def log_of(job: Job) -> str:
    """The path of a job's log, below the folder of logs and without its ending."""
    return job.name if job.family in ("draw", "tabulate") else f"studies/{job.name}"
