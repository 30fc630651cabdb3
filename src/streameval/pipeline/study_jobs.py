"""The jobs of a plan: their inputs, outputs, parameters, memory and time.

A task is plain data. Snakemake compares it with the task of the last run, so a change of settings
reruns the jobs that depend on them. Jobs that train learners have one task. Short jobs have
several, since a job takes longer to start than most tasks.

The factors of memory and time give at least twice the memory and time of the largest jobs that were
measured. The table has the number of runs of learners, seconds of one core with compiled kernels,
and the peak memory of the process in MB. The last column is the peak memory of a job that also
compiles its kernels, as it must on another kind of processor:

==============================  =========  ==========  =======  =====  =======  =====  =========
job                                  rows  attributes  classes   runs  seconds     MB  compiling
==============================  =========  ==========  =======  =====  =======  =====  =========
evaluate, electricity              45,312           8        2     18        1    311        634
evaluate, covertype, simulated     50,000          54        7     18        6    472
lags, covertype, simulated         50,000          54        7     50       13    551
evaluate, random RBF            1,000,000          10       10     18       45    687
evaluate, KDD Cup 1999            494,021          41       23     18       35  1,337
type errors, random RBF             5,000          10        5  6,000       37    354        558
==============================  =========  ==========  =======  =====  =======  =====  =========

With ``retries`` in the profile, a job that exceeds its request is submitted again and requests
twice as much each time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from typing import Any, NamedTuple

from streameval.evaluation.predictions import prediction_file
from streameval.pipeline.items import Item
from streameval.pipeline.plan import Plan, variants_of
from streameval.pipeline.reuse import Entries, entries
from streameval.pipeline.study_errors import RECORD_ENDING
from streameval.protocols.protocol import Protocol
from streameval.protocols.registry import DEFAULT, parse
from streameval.streams.variants import file_stem, split_name

#: Megabytes of Python, the packages, the compiler with compiled code, and learnt trees.
_BASE_MB = 1600
#: Upper limit of the copies of a stream in memory: as read, as stored, with added inputs, and in
#: the nodes of trees.
_COPIES = 12
#: Minutes to compile the kernels and to wait for a slow file system.
_BASE_MINUTES = 15
#: Seconds of one learner for each input and each class of a row: two to five times those measured.
_SECONDS_PER_VALUE = 2.5e-7
#: Cost of a row apart from its inputs and classes, as a number of values.
_VALUES_PER_ROW = 10
#: Seconds of learners that the package does not compile. The slowest ensembles of River and
#: scikit-learn predict and learn a few hundred rows a second.
_UNCOMPILED_SECONDS_PER_ROW = 0.005


#: The message of the jobs that run learners over a stream or variant, by a protocol.
RUNNING = "Running the learners over {}: {}"
#: The message of the jobs that run learners again with another seed.
RUNNING_AGAIN = f"{RUNNING}, seed {{}}"
#: The message of the job of a slow learner, which runs in parallel to the other learners.
RUNNING_ALONE = "Running {} over {}: {}"


class Size(NamedTuple):
    """The size of a stream; lagged labels and inputs that a study adds count as attributes."""

    rows: int
    attributes: int
    classes: int

    def with_lags(self, lags: int, *, lagged_inputs: bool = False) -> Size:
        """The size with lagged labels and, if wanted, lagged inputs."""
        added = lags * (1 + (self.attributes if lagged_inputs else 0))
        return self._replace(attributes=self.attributes + added)


#: The assumed size of a stream whose entry in the registry lacks it.
UNKNOWN = Size(rows=1_000_000, attributes=50, classes=20)


def size_of(spec: Mapping[str, Any]) -> Size:
    """The size of a stream by its entry in the registry.

    The entry may lack rows, columns or classes.
    """
    return Size(
        rows=spec.get("rows") or UNKNOWN.rows,
        attributes=spec.get("columns") or UNKNOWN.attributes,
        classes=spec.get("classes") or UNKNOWN.classes,
    )


def memory_mb(size: Size, learners: int = 1, attempt: int = 1, row_bytes: int = 0) -> int:
    """The megabytes to request for learners that run over a stream one after the other.

    `size` includes lagged labels and inputs. All predictions stay in memory; `row_bytes` is the
    number of further bytes stored for each row. The first submission is `attempt` 1.
    """
    # Bytes: inputs are 64-bit numbers, scores 32-bit numbers in up to three copies, predictions
    # 16-bit codes in two copies.
    inputs = _COPIES * 8 * size.rows * size.attributes
    scores = 3 * 4 * size.rows * size.classes
    predictions = 2 * 2 * size.rows * learners
    further = row_bytes * size.rows
    return request_for_attempt(_BASE_MB + (inputs + scores + predictions + further) / 1e6, attempt)


def runtime_minutes(size: Size, runs: int = 1, uncompiled_runs: int = 0, attempt: int = 1) -> int:
    """The minutes to request for learners that run over a stream one after the other.

    `runs` is the number of runs of learners: a study of six settings runs each learner six times.
    `uncompiled_runs` is the number of runs of other tools' learners or of classes in plain Python.
    The first submission is `attempt` 1.
    """
    seconds = core_seconds(size, runs, uncompiled_runs)
    return request_for_attempt(_BASE_MINUTES + seconds / 60, attempt)


def core_seconds(size: Size, runs: int = 1, uncompiled_runs: int = 0) -> float:
    """Upper limit of the CPU seconds of runs, with the arguments of `runtime_minutes`."""
    values = size.attributes + size.classes + _VALUES_PER_ROW
    compiled = runs * values * _SECONDS_PER_VALUE
    return size.rows * (compiled + uncompiled_runs * _UNCOMPILED_SECONDS_PER_ROW)


def request_for_attempt(amount: float, attempt: int) -> int:
    """An amount rounded up, and doubled for each attempt that has failed."""
    return ceil(amount) << (attempt - 1)


@dataclass(frozen=True)
class Job:
    """A job: its rule, message, tasks (parameters of its script), files, sources and request.

    `modules` are the modules that its script imports by name. `family` is study, trace, draw or
    tabulate. A job that `trains` learners waits until they are compiled. `seconds` is an upper
    limit of the CPU seconds of its learners.
    """

    name: str
    message: str
    tasks: list[dict[str, Any]]
    inputs: Mapping[str, list[str]]
    outputs: list[str]
    modules: list[str]
    items: list[Item] = field(default_factory=list)
    family: str = "study"
    trains: bool = False
    entries: Entries = field(default_factory=entries)
    megabytes: int = memory_mb(UNKNOWN)
    minutes: int = runtime_minutes(UNKNOWN)
    seconds: float = 0.0

    def megabytes_of(self, wildcards: Any, attempt: int) -> int:
        """The megabytes to request from a cluster; Snakemake passes both arguments."""
        return request_for_attempt(self.megabytes, attempt)

    def minutes_of(self, wildcards: Any, attempt: int) -> int:
        """The minutes to request from a cluster; Snakemake passes both arguments."""
        return request_for_attempt(self.minutes, attempt)


def stream_file(name: str) -> str:
    """The converted file of a stream."""
    return f"resources/streams/{name}.parquet"


def predictions_for(plan: Plan, name: str, protocol: Protocol, seed: int = 1) -> str:
    """The file with the learners' predictions for a stream or variant."""
    folder = plan.predictions_folder + folder_of_seed(seed)
    return f"{folder}{prediction_file(name, protocol).name}"


def slow_predictions_for(
    plan: Plan, learner: str, name: str, protocol: Protocol, seed: int = 1
) -> str:
    """The file with the predictions of a slow learner, which runs in a job of its own."""
    folder = f"{plan.predictions_folder}alone/{folder_of_seed(seed)}{learner}/"
    return f"{folder}{prediction_file(name, protocol).name}"


def costs_for(plan: Plan, name: str, protocol: Protocol, seed: int = 1) -> str:
    """The file with the costs of the learners' predictions for a stream or variant."""
    return f"{plan.timings_folder}{folder_of_seed(seed)}{file_stem(name)}.{protocol.file_form}.csv"


def folder_of_seed(seed: int) -> str:
    """The folder of predictions with a seed, below the folder of predictions with seed 1."""
    return f"seed-{seed}/" if seed > 1 else ""


def measured_files(plan: Plan) -> list[str]:
    """The files of predictions that are measured; see `Plan.measured_streams`."""
    return [predictions_for(plan, name, parse(DEFAULT)) for name in plan.measured_streams]


def prediction_and_cost_files(plan: Plan) -> list[tuple[str, str]]:
    """Pairs of all files of predictions and their files of costs."""
    runs = [*((*key, 1) for key in plan.predictions), *plan.seed_runs]
    return [(predictions_for(plan, *run), costs_for(plan, *run)) for run in runs]


def predictions_of(plan: Plan, item: Item, stream: str) -> dict[str, str]:
    """The files of predictions that an item reads for a stream, by variant."""
    return {
        split_name(name)[1]: predictions_for(plan, name, item.protocol)
        for name in variants_of(item, stream)
    }


def frame_files(item: Item, stream: str = "") -> dict[str, str]:
    """The files of an item's frames by name; `stream` is "" for frames of no single stream."""
    stem = f"{item.id}/{stream}." if stream else f"{item.id}/"
    folders = {name: "timings" if name in item.kind.times else "data" for name in item.kind.frames}
    return {name: f"results/{folder}/{stem}{name}.csv" for name, folder in folders.items()}


def part_files(item: Item, stream: str, part: int) -> dict[str, str]:
    """The files of a part of an item's study of a stream, by the names of its frames."""
    stem = f"{item.id}/{stream}.{part}."
    folders = {name: "timings" if name in item.kind.times else "parts" for name in item.kind.parts}
    return {name: f"results/{folder}/{stem}{name}.parquet" for name, folder in folders.items()}


def records_errors(item: Item) -> bool:
    """Whether the study of an item trains the learners that it names, and records their errors."""
    return bool(item.kind.trains and item.learners)


def error_record(item: Item, stream: str = "", part: int | None = None) -> str:
    """The file in which the study of an item, or a part of it, records errors."""
    stem = "/".join(filter(None, [item.id, stream]))
    return f"results/failures/{stem}{'' if part is None else f'.{part}'}{RECORD_ENDING}"


def error_records(plan: Plan, item: Item) -> dict[str, str]:
    """Error records, by stream, of an item's own study or of the studies of its source items."""
    items = [plan.items[name] for name in item.source_items] if item.kind.source_kind else [item]
    return {
        stream: error_record(studied, stream)
        for studied in items
        if records_errors(studied)
        for stream in frame_streams(plan, studied)
    }


def frame_streams(plan: Plan, item: Item) -> list[str]:
    """The available streams of an item, each with its own frames.

    The only entry is "" if the frames are about no stream, or about all streams together.
    """
    if "streams" in item.kind.joins:
        return [""] * bool(plan.streams_of(item))
    if item.kind.source_kind:
        return [""] * any(frame_streams(plan, plan.items[other]) for other in item.source_items)
    return [""] if item.kind.reads == "nothing" else plan.streams_of(item)


def studies(plan: Plan) -> list[Job]:
    """The jobs that compute frames.

    A study has separate jobs if it trains learners, joins streams, or reads other items. Other
    studies are short: all those of a stream share one job, of the family ``trace``.
    """
    jobs, short = [], dict[str, list[Item]]()
    for item in plan.items.values():
        # The jobs that write tables compute them.
        if not item.kind.is_figure or not item.is_computed:
            continue
        for stream in frame_streams(plan, item):
            name = study_name(item, stream)
            message = f"Study {item.id}" + (f" of {stream}" if stream else "")
            if item.kind.parts:
                jobs += _jobs_in_parts(plan, name, message, item, stream)
            elif item.kind.trains or item.kind.source_kind or "streams" in item.kind.joins:
                jobs.append(_study_job(plan, name, message, [item], stream))
            else:
                short.setdefault(stream, []).append(item)
    for stream, items in short.items():
        name, subject = (stream, stream) if stream else ("no_stream", "items without streams")
        trace = _study_job(plan, f"trace_{name}", f"Tracing {subject}", items, stream)
        jobs.append(replace(trace, family="trace"))
    return jobs


def study_name(item: Item, stream: str) -> str:
    """The name of the job of an item's study of a stream, before dots are replaced."""
    return "_".join(["study", item.study, item.name, *([stream] if stream else [])])


def _jobs_in_parts(plan: Plan, name: str, message: str, item: Item, stream: str) -> list[Job]:
    """The jobs of a study in parts: one for each part, and a last one that combines the parts."""
    n_parts = item.partitioned_settings.parts()
    files = [part_files(item, stream, part) for part in range(n_parts)]
    jobs = []
    for part, frames in enumerate(files):
        message_of_part = f"{message}: part {part + 1} of {n_parts}"
        job = _study_job(plan, f"{name}_{part}", message_of_part, [item], stream)
        job.tasks[0].update(part=part, frames=frames)
        modules = [item.kind.module, item.kind.part_module]
        outputs = list(frames.values())
        if records_errors(item):
            job.tasks[0]["record"] = error_record(item, stream, part)
            outputs.append(job.tasks[0]["record"])
        code = study_code(plan, [item], [item.kind.part_module])
        inputs = {**job.inputs, "code": code}
        jobs.append(replace(job, inputs=inputs, outputs=outputs, modules=modules))
    job = _study_job(plan, name, f"{message}: all of its parts", [item], stream)
    job.tasks[0]["parts"] = {frame: [paths[frame] for paths in files] for frame in item.kind.parts}
    code = kind_code(plan, [item], [item.kind.study_module])
    part_inputs = {"results": [path for paths in files for path in paths.values()], "code": code}
    if records_errors(item):
        records = [error_record(item, stream, part) for part in range(n_parts)]
        job.tasks[0]["part_records"] = records
        part_inputs["results"] += records
    combining = replace(job, inputs={**job.inputs, **part_inputs}, trains=False, seconds=0.0)
    return [*jobs, combining]


def _study_job(plan: Plan, name: str, message: str, items: list[Item], stream: str) -> Job:
    """The job that computes the frames of items for a stream."""
    tasks = [
        study_task(plan, item, stream) | {"frames": frame_files(item, stream)} for item in items
    ]
    code = study_code(plan, items, [item.kind.study_module for item in items])
    source_files, resource_files = [], list[str]()
    for task, item in zip(tasks, items, strict=True):
        if item.kind.source_kind:
            task["read"] = frames_read(plan, item)
            task["errors"] = error_records(plan, item)
            source_files += [*task["read"].values(), *task["errors"].values()]
        if records_errors(item):
            task["record"] = error_record(item, stream)
        resource_files += task["files"].values()
    megabytes, minutes, seconds = _request(plan, items, stream)
    return Job(
        name.replace(".", "_"),
        message,
        tasks,
        inputs_of(tasks) | {"results": source_files, "files": resource_files, "code": code},
        outputs=[
            *(path for task in tasks for path in task["frames"].values()),
            *(task["record"] for task in tasks if "record" in task),
        ],
        modules=modules_of(*((item.kind.module, item.kind.study_module) for item in items)),
        items=items,
        family="study",
        trains=any(bool(item.kind.trains) for item in items),
        entries=entries_of(plan, tasks),
        megabytes=megabytes,
        minutes=minutes,
        seconds=seconds,
    )


def inputs_of(tasks: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    """The files of streams and predictions that studies read, without duplicates."""
    entries = _with_stream_tasks(tasks)
    keys = ("prediction_files", "seed_files", "cost_files")
    paths = [path for entry in entries for key in keys for path in entry.get(key, {}).values()]
    return {
        "streams": list(dict.fromkeys(entry["file"] for entry in entries if "file" in entry)),
        "predictions": list(dict.fromkeys(paths)),
    }


def modules_of(*groups: tuple[str, ...]) -> list[str]:
    """The modules that a job imports, from a group of modules for each of its items."""
    return sorted({name for names in groups for name in names})


def _request(plan: Plan, items: list[Item], stream: str) -> tuple[int, int, float]:
    """Megabytes and minutes for a study (maxima over its items), and CPU seconds (their sum)."""
    size = size_of(plan.spec_of(stream) if stream else {})
    requests = []
    for item in items:
        runs, lags, lagged_inputs, row_bytes = item.settings.cost()
        used_size = size._replace(rows=item.settings.rows(size.rows))
        size_with_lags = used_size.with_lags(lags, lagged_inputs=lagged_inputs)
        n_uncompiled = sum(not plan.learners[name].is_compiled for name in item.learners)
        runs_of_each = runs // max(len(item.learners), 1)
        memory = memory_mb(size_with_lags, len(item.learners) or 1, row_bytes=row_bytes)
        arguments = (size_with_lags, runs, n_uncompiled * runs_of_each)
        requests.append((memory, runtime_minutes(*arguments), core_seconds(*arguments)))
    memories, minutes, seconds = zip(*requests, strict=True)
    return max(memories), max(minutes), sum(seconds)


def seconds_by_message(plan: Plan) -> dict[str, float]:
    """Upper limits of CPU seconds of learners, by the messages of the jobs that run them.

    Jobs without a stream are left out, and jobs on streams whose size is unknown before reading.
    """
    unsized = {None, *plan.unsized_streams}  # a task without a stream has no name
    seconds = {
        job.message: job.seconds
        for job in studies(plan)
        if job.trains and unsized.isdisjoint(task.get("name") for task in job.tasks)
    }
    for name, protocol in plan.predictions:
        if split_name(name)[0] in unsized:
            continue
        runs = size_and_runs(plan, name, protocol.file_form)
        seconds[RUNNING.format(file_stem(name), protocol.file_form)] = core_seconds(*runs)
    for name, protocol, seed in plan.seed_runs:
        if split_name(name)[0] not in unsized:
            runs = size_and_runs(plan, name, protocol.file_form, seed)
            message = RUNNING_AGAIN.format(file_stem(name), protocol.file_form, seed)
            seconds[message] = core_seconds(*runs)
    return seconds


def requests_by_message(plan: Plan) -> dict[str, tuple[int, int]]:
    """The megabytes and minutes that jobs request from a cluster, by their messages.

    Jobs that run no learner are left out: they take seconds, on the machine of Snakemake.
    """
    requests = {job.message: (job.megabytes, job.minutes) for job in studies(plan) if job.trains}
    messages = {
        (*key, 1): RUNNING.format(file_stem(key[0]), key[1].file_form) for key in plan.predictions
    }
    for name, protocol, seed in plan.seed_runs:
        message = RUNNING_AGAIN.format(file_stem(name), protocol.file_form, seed)
        messages[name, protocol, seed] = message
    for (name, protocol, seed), message in messages.items():
        size, runs, uncompiled_runs = size_and_runs(plan, name, protocol.file_form, seed)
        minutes = runtime_minutes(size, runs, uncompiled_runs)
        requests[message] = memory_mb(size, runs), minutes
        for learner in plan.learners_of(name, protocol.file_form, seed):
            if (spec := plan.learners[learner]).slow:
                text = protocol.file_form + (f", seed {seed}" if seed > 1 else "")
                minutes = runtime_minutes(size, 1, not spec.is_compiled)
                requests[RUNNING_ALONE.format(learner, file_stem(name), text)] = (
                    memory_mb(size),
                    minutes,
                )
    return requests


def size_and_runs(plan: Plan, name: str, protocol: str, seed: int = 1) -> tuple[Size, int, int]:
    """The arguments of `core_seconds`: each learner of a stream or variant runs once."""
    names = plan.learners_of(name, protocol, seed)
    n_uncompiled = sum(not plan.learners[learner].is_compiled for learner in names)
    return size_of(plan.spec_of(split_name(name)[0])), len(names), n_uncompiled


def entries_of(plan: Plan, tasks: Iterable[Mapping[str, Any]]) -> Entries:
    """The entries of the learners that studies make, and of the streams that they generate."""
    return entries(
        (plan.learners[name] for task in tasks for name in task.get("rows", ())),
        (plan.registry[task["name"]] for task in _with_stream_tasks(tasks) if "spec" in task),
    )


def _with_stream_tasks(tasks: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Tasks, each followed by the tasks of its single streams."""
    return [entry for task in tasks for entry in (task, *task.get("stream_tasks", {}).values())]


def study_code(plan: Plan, items: Sequence[Item], modules: Iterable[str]) -> list[str]:
    """Users' files that studies run: those of their learners, and those of `kind_code`."""
    learners = {name for item in items if item.kind.trains for name in item.learners}
    return sorted({*plan.learner_code(learners), *kind_code(plan, items, modules)})


def kind_code(plan: Plan, items: Iterable[Item], modules: Iterable[str]) -> list[str]:
    """Users' files of `modules`, one of each item's kind, and of the modules that these import."""
    pairs = zip(items, modules, strict=True)
    return sorted({path for item, module in pairs for path in plan.kind_code(item.kind, module)})


def study_task(plan: Plan, item: Item, stream: str) -> dict[str, Any]:
    """The parameters of the study of an item for a stream."""
    task: dict[str, Any] = {
        "item": item.id,
        "kind": item.kind.import_arguments,
        "settings": item.plain_settings(),
    }
    if item.kind.trains:
        task["rows"] = {name: plan.learners[name].recipe() for name in item.learners}
    # The name in the settings is also the path, unless a prefix is added: see `prefixed_path`.
    task["files"] = {name: name for name in item.settings.resources()}
    if item.shows_seeds:
        task["seeds"] = plan.seeds_of(item)
    if stream:
        return task | _stream_task(plan, item, stream)
    streams = plan.streams_of(item) if item.streams else []
    return task | {"stream_tasks": {name: _stream_task(plan, item, name) for name in streams}}


def _stream_task(plan: Plan, item: Item, stream: str) -> dict[str, Any]:
    """The parameters of a study that depend on the stream: its file or entry, and predictions."""
    stream_task = {
        "name": stream,
        "simulated": plan.is_simulated(stream),
        "smoothing": plan.registry[stream].smoothing,
    }
    generates = item.kind.reads == "source" and plan.is_generated(stream)
    if item.kind.reads == "generator" or generates:
        return stream_task | {"spec": plan.spec_of(stream)}
    if item.kind.reads in ("stream", "source"):
        return stream_task | {"file": stream_file(stream)}
    stream_task["prediction_files"] = predictions_of(plan, item, stream)
    if item.shows_seeds:
        last = max(plan.seeds_of(item).values(), default=1)
        runs = {seed: (stream, item.protocol, seed) for seed in range(1, last + 1)}
        files = {str(seed): predictions_for(plan, *run) for seed, run in runs.items()}
        # Predictions with seed 1 are in `prediction_files`.
        stream_task["seed_files"] = {seed: path for seed, path in files.items() if seed != "1"}
        stream_task["cost_files"] = {str(seed): costs_for(plan, *run) for seed, run in runs.items()}
    return stream_task


def frames_read(plan: Plan, item: Item) -> dict[str, str]:
    """The frames of the items whose data an item reads, by stream and frame."""
    return {
        f"{stream}.{name}".removeprefix("."): path
        for source in map(plan.items.__getitem__, item.source_items)
        for stream in frame_streams(plan, source)
        for name, path in frame_files(source, stream).items()
    }
