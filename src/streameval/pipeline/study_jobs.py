"""The jobs of a plan: their inputs, outputs, parameters, memory and time.

A task is plain data, which Snakemake compares with that of the last run: a change of settings
reruns what depends on them. Jobs that train learners have one task; short ones have many, as a
job takes longer to start than most tasks.

The factors of memory and time are at least twice those of the largest jobs that were measured (runs
of learners, seconds of one core with kernels compiled already, peak memory of the process; last,
that of a job that has to compile its kernels, as on a processor of another kind):

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

A job that is ended for asking too little is submitted again where the profile says ``retries``,
and asks for twice as much each time.
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
from streameval.pipeline.study_errors import ENDING
from streameval.protocols.protocol import Protocol
from streameval.protocols.registry import DEFAULT, parse
from streameval.streams.variants import file_stem, split_name

#: Python, the packages, and the compiler with what it has compiled; and what trees keep.
_BASE_MB = 1600
#: A stream as it is read, as it is kept, with further inputs; and what trees keep of it.
_COPIES = 12
#: To compile the kernels and to wait for a slow file system.
_BASE_MINUTES = 15
#: Of one learner, for each of a row's inputs and classes.
_SECONDS_PER_VALUE = 2.5e-7
#: Cost of a row apart from its inputs and classes, as a number of values.
_VALUES_PER_ROW = 10
#: The slowest ensembles of River and scikit-learn predict and learn a few hundred rows a second.
_FOREIGN_SECONDS_PER_ROW = 0.005


#: The message of the jobs that run learners over a stream or variant, by a protocol.
RUNNING = "Running the learners over {}: {}"
#: The same of their runs with a further seed.
RUNNING_AGAIN = f"{RUNNING}, seed {{}}"
#: The message of the job of a slow learner, which runs beside those of the other learners.
RUNNING_ALONE = "Running {} over {}: {}"


class Size(NamedTuple):
    """The size of a stream; lagged labels and inputs that a study adds count as attributes."""

    rows: int
    attributes: int
    classes: int

    def lagged(self, lags: int, inputs: bool = False) -> Size:
        """The size with lagged labels and, if wanted, lagged inputs."""
        added = lags * (1 + inputs * self.attributes)
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
    """The megabytes to request for learners that run over a stream in turn.

    `size` holds all that they get, and all predictions are kept; `row_bytes` is what else is kept
    of a row. The first submission is `attempt` 1.
    """
    table = _COPIES * 8 * size.rows * size.attributes
    scores = 3 * 4 * size.rows * size.classes
    predictions = 2 * 2 * size.rows * learners
    rest = row_bytes * size.rows
    return attempts(_BASE_MB + (table + scores + predictions + rest) / 1e6, attempt)


def runtime_minutes(size: Size, learners: int = 1, foreign: int = 0, attempt: int = 1) -> int:
    """The minutes to request for learners that run over a stream in turn.

    `learners` counts runs: a study of six settings runs each six times; `foreign` those of other
    tools' learners or of classes in plain Python. The first submission is `attempt` 1.
    """
    return attempts(_BASE_MINUTES + core_seconds(size, learners, foreign) / 60, attempt)


def core_seconds(size: Size, learners: int = 1, foreign: int = 0) -> float:
    """The CPU seconds that the runs of `runtime_minutes` take at most."""
    values = size.attributes + size.classes + _VALUES_PER_ROW
    each = learners * values * _SECONDS_PER_VALUE + foreign * _FOREIGN_SECONDS_PER_ROW
    return size.rows * each


def attempts(amount: float, attempt: int) -> int:
    """An amount rounded up, and doubled for each attempt that has failed."""
    return ceil(amount) << (attempt - 1)


@dataclass(frozen=True)
class Work:
    """A job: its rule and purpose, tasks (parameters of its script), files, sources and request.

    `modules` are those that its script imports by name, `family` is study, trace, draw or tabulate;
    one that `trains` learners waits for them to be compiled. `seconds` are those of a core that its
    learners take at most.
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
        """The megabytes to request from a cluster."""
        return attempts(self.megabytes, attempt)

    def minutes_of(self, wildcards: Any, attempt: int) -> int:
        """The minutes to request from a cluster."""
        return attempts(self.minutes, attempt)


def stream_file(name: str) -> str:
    """The converted file of a stream."""
    return f"resources/streams/{name}.parquet"


def predictions_for(plan: Plan, name: str, protocol: Protocol, seed: int = 1) -> str:
    """The file with the learners' predictions for a stream or variant."""
    folder = plan.predictions_folder + folder_of_seed(seed)
    return f"{folder}{prediction_file(name, protocol).name}"


def alone_for(plan: Plan, learner: str, name: str, protocol: Protocol, seed: int = 1) -> str:
    """The file with the predictions of a slow learner, which runs in a job of its own."""
    folder = f"{plan.predictions_folder}alone/{folder_of_seed(seed)}{learner}/"
    return f"{folder}{prediction_file(name, protocol).name}"


def costs_for(plan: Plan, name: str, protocol: Protocol, seed: int = 1) -> str:
    """The file with the costs of the learners' predictions for a stream or variant."""
    return f"{plan.timings_folder}{folder_of_seed(seed)}{file_stem(name)}.{protocol}.csv"


def folder_of_seed(seed: int) -> str:
    """The folder of predictions with a seed, below that of those with the first one."""
    return f"seed-{seed}/" if seed > 1 else ""


def measured_files(plan: Plan) -> list[str]:
    """The files of test-then-train predictions for streams in their own order."""
    return [predictions_for(plan, name, parse(DEFAULT)) for name in plan.measured]


def predicted_files(plan: Plan) -> list[tuple[str, str]]:
    """All files of predictions, each with that of their costs."""
    runs = [*((*key, 1) for key in plan.predictions), *plan.seeded]
    return [(predictions_for(plan, *run), costs_for(plan, *run)) for run in runs]


def predictions_of(plan: Plan, item: Item, stream: str) -> dict[str, str]:
    """The files of predictions that an item reads for a stream, by variant."""
    return {
        split_name(name)[1]: predictions_for(plan, name, item.protocol)
        for name in variants_of(item, stream)
    }


def frame_files(item: Item, stream: str = "") -> dict[str, str]:
    """The files of an item's frames for a stream, or for none, by the frames' names."""
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
    return f"results/failures/{stem}{'' if part is None else f'.{part}'}{ENDING}"


def error_records(plan: Plan, item: Item) -> dict[str, str]:
    """Error records, by stream, of the studies that an item shows: its own or those it reads."""
    items = [plan.items[name] for name in item.of] if item.kind.source_kind else [item]
    return {
        stream: error_record(studied, stream)
        for studied in items
        if records_errors(studied)
        for stream in frame_streams(plan, studied)
    }


def frame_streams(plan: Plan, item: Item) -> list[str]:
    """The available streams of an item, or "" for a frame of no stream."""
    if "streams" in item.kind.joins:
        return [""] * bool(plan.streams_of(item))
    if item.kind.source_kind:
        return [""] * any(frame_streams(plan, plan.items[other]) for other in item.of)
    return [""] if item.kind.reads == "nothing" else plan.streams_of(item)


def studies(plan: Plan) -> list[Work]:
    """The jobs that compute frames: training ones by item and stream, others by stream."""
    work, short = [], dict[str, list[Item]]()
    for item in plan.items.values():
        if not item.kind.is_figure or not item.is_wanted:
            continue
        for stream in frame_streams(plan, item):
            name = study_name(item, stream)
            what = f"Study {item.id}" + (f" of {stream}" if stream else "")
            if item.kind.parts:
                work += _parted(plan, name, what, item, stream)
            elif item.kind.trains or item.kind.source_kind or "streams" in item.kind.joins:
                work.append(_study(plan, name, what, [item], stream))
            else:
                short.setdefault(stream, []).append(item)
    for stream, items in short.items():
        name, what = (stream, stream) if stream else ("no_stream", "what needs no stream")
        traced = _study(plan, f"trace_{name}", f"Tracing {what}", items, stream)
        work.append(replace(traced, family="trace"))
    return work


def study_name(item: Item, stream: str) -> str:
    """The name of the job of an item's study of a stream, before dots are replaced."""
    return "_".join(["study", item.study, item.name, *([stream] if stream else [])])


def _parted(plan: Plan, name: str, message: str, item: Item, stream: str) -> list[Work]:
    """The jobs of a study in parts: one for each, and one that puts them together."""
    number = item.in_parts.parts()
    files = [part_files(item, stream, part) for part in range(number)]
    work = []
    for part, frames in enumerate(files):
        what = f"{message}: part {part + 1} of {number}"
        job = _study(plan, f"{name}_{part}", what, [item], stream)
        job.tasks[0].update(part=part, frames=frames)
        modules = [item.kind.module, item.kind.part_module]
        outputs = list(frames.values())
        if records_errors(item):
            job.tasks[0]["record"] = error_record(item, stream, part)
            outputs.append(job.tasks[0]["record"])
        code = own_code(plan, [item], [item.kind.part_module])
        inputs = {**job.inputs, "code": code}
        work.append(replace(job, inputs=inputs, outputs=outputs, modules=modules))
    whole = _study(plan, name, f"{message}: all of its parts", [item], stream)
    whole.tasks[0]["parts"] = {
        frame: [paths[frame] for paths in files] for frame in item.kind.parts
    }
    code = kind_code(plan, [item], [item.kind.study_module])
    part_inputs = {"made": [path for paths in files for path in paths.values()], "code": code}
    if records_errors(item):
        records = [error_record(item, stream, part) for part in range(number)]
        whole.tasks[0]["part_records"] = records
        part_inputs["made"] += records
    together = replace(whole, inputs={**whole.inputs, **part_inputs}, trains=False, seconds=0.0)
    return [*work, together]


def _study(plan: Plan, name: str, message: str, items: list[Item], stream: str) -> Work:
    tasks = [
        study_task(plan, item, stream) | {"frames": frame_files(item, stream)} for item in items
    ]
    code = own_code(plan, items, [item.kind.study_module for item in items])
    read_files, files = [], list[str]()
    for task, item in zip(tasks, items, strict=True):
        if item.kind.source_kind:
            task["read"] = frames_read(plan, item)
            task["errors"] = error_records(plan, item)
            read_files += [*task["read"].values(), *task["errors"].values()]
        if records_errors(item):
            task["record"] = error_record(item, stream)
        files += task["files"].values()
    return Work(
        name.replace(".", "_"),
        message,
        tasks,
        inputs_of(tasks) | {"made": read_files, "files": files, "code": code},
        [
            *(path for task in tasks for path in task["frames"].values()),
            *(task["record"] for task in tasks if "record" in task),
        ],
        modules_of(*((item.kind.module, item.kind.study_module) for item in items)),
        items,
        "study",
        any(bool(item.kind.trains) for item in items),
        entries_of(plan, tasks),
        *_demands(plan, items, stream),
    )


def inputs_of(tasks: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    """The files of streams and predictions that studies read, each once."""
    entries = [entry for task in tasks for entry in (task, *task.get("given", {}).values())]
    of_runs = (entry.get(key, {}) for entry in entries for key in ("predicted", "seeded", "spent"))
    return {
        "streams": list(dict.fromkeys(entry["file"] for entry in entries if "file" in entry)),
        "predictions": list(dict.fromkeys(path for files in of_runs for path in files.values())),
    }


def modules_of(*of_items: tuple[str, ...]) -> list[str]:
    """The modules that a job imports, from those of each of its items."""
    return sorted({name for names in of_items for name in names})


def _demands(plan: Plan, items: list[Item], stream: str) -> tuple[int, int, float]:
    """Megabytes and minutes for a study, maxima over its items, and the sum of seconds."""
    size = size_of(plan.spec_of(stream) if stream else {})
    demands = [(1, 1, 0.0)]
    for item in items:
        runs, lags, lagged_inputs, kept = item.settings.cost()
        wide = size._replace(rows=item.settings.rows(size.rows)).lagged(lags, lagged_inputs)
        foreign = sum(not plan.learners[name].is_compiled for name in item.learners)
        share = runs // max(len(item.learners), 1)
        memory = memory_mb(wide, len(item.learners) or 1, row_bytes=kept)
        run = (wide, runs, foreign * share)
        demands.append((memory, runtime_minutes(*run), core_seconds(*run) if runs else 0.0))
    memories, minutes, seconds = zip(*demands, strict=True)
    return max(memories), max(minutes), sum(seconds)


def seconds_by_message(plan: Plan) -> dict[str, float]:
    """The core seconds of learners at most, by the messages of jobs that run any.

    Jobs on no stream are left out, and on streams whose size is not known before they are read.
    """
    unsized = {None, *plan.unsized}
    seconds = {
        work.message: work.seconds
        for work in studies(plan)
        if work.trains and unsized.isdisjoint(task.get("name") for task in work.tasks)
    }
    for name, protocol in plan.predictions:
        if split_name(name)[0] in unsized:
            continue
        runs = runs_of_predictions(plan, name, str(protocol))
        seconds[RUNNING.format(file_stem(name), protocol)] = core_seconds(*runs)
    for name, protocol, seed in plan.seeded:
        if split_name(name)[0] not in unsized:
            runs = runs_of_predictions(plan, name, str(protocol), seed)
            message = RUNNING_AGAIN.format(file_stem(name), protocol, seed)
            seconds[message] = core_seconds(*runs)
    return seconds


def requests_by_message(plan: Plan) -> dict[str, tuple[int, int]]:
    """The megabytes and minutes that jobs ask a cluster for, by their messages.

    Other jobs take seconds and run beside Snakemake.
    """
    requests = {
        work.message: (work.megabytes, work.minutes) for work in studies(plan) if work.trains
    }
    messages = {(*key, 1): RUNNING.format(file_stem(key[0]), key[1]) for key in plan.predictions}
    for name, protocol, seed in plan.seeded:
        message = RUNNING_AGAIN.format(file_stem(name), protocol, seed)
        messages[name, protocol, seed] = message
    for (name, protocol, seed), message in messages.items():
        size, learners, foreign = runs_of_predictions(plan, name, str(protocol), seed)
        minutes = runtime_minutes(size, learners, foreign)
        requests[message] = memory_mb(size, learners), minutes
        for learner in plan.learners_of(name, str(protocol), seed):
            if (row := plan.learners[learner]).slow:
                text = f"{protocol}, seed {seed}" if seed > 1 else protocol
                minutes = runtime_minutes(size, 1, not row.is_compiled)
                requests[RUNNING_ALONE.format(learner, file_stem(name), text)] = (
                    memory_mb(size),
                    minutes,
                )
    return requests


def runs_of_predictions(
    plan: Plan, name: str, protocol: str, seed: int = 1
) -> tuple[Size, int, int]:
    """The arguments of `core_seconds` for the learners of a stream or variant."""
    names = plan.learners_of(name, protocol, seed)
    foreign = sum(not plan.learners[learner].is_compiled for learner in names)
    return size_of(plan.spec_of(split_name(name)[0])), len(names), foreign


def entries_of(plan: Plan, tasks: Iterable[Mapping[str, Any]]) -> Entries:
    """The entries of the learners that studies make, and of the streams that they generate."""
    task_entries = [entry for task in tasks for entry in (task, *task.get("given", {}).values())]
    return entries(
        (plan.learners[name] for task in tasks for name in task.get("rows", ())),
        (plan.registry[entry["name"]] for entry in task_entries if "spec" in entry),
    )


def own_code(plan: Plan, items: Sequence[Item], modules: Iterable[str]) -> list[str]:
    """The files of users that studies run: their learners, and a module of each kind."""
    learners = {name for item in items if item.kind.trains for name in item.learners}
    return sorted({*plan.own_code(learners), *kind_code(plan, items, modules)})


def kind_code(plan: Plan, items: Iterable[Item], modules: Iterable[str]) -> list[str]:
    """The files of users of a module of each item's kind, and of what these import."""
    each = zip(items, modules, strict=True)
    return sorted({path for item, module in each for path in plan.kind_code(item.kind, module)})


def study_task(plan: Plan, item: Item, stream: str) -> dict[str, Any]:
    """The parameters of the study of an item for a stream."""
    task: dict[str, Any] = {
        "item": item.id,
        "kind": item.kind.import_arguments,
        "settings": item.plain(),
    }
    if item.kind.trains:
        task["rows"] = {name: plan.learners[name].recipe() for name in item.learners}
    task["files"] = {name: name for name in item.settings.resources()}
    if item.shows_seeds:
        task["seeds"] = plan.seeds_of(item)
    if stream:
        return task | _given(plan, item, stream)
    streams = plan.streams_of(item) if item.streams else []
    return task | {"given": {name: _given(plan, item, name) for name in streams}}


def _given(plan: Plan, item: Item, stream: str) -> dict[str, Any]:
    stream_task = {
        "name": stream,
        "simulated": plan.is_simulated(stream),
        "smoothing": plan.registry[stream].smoothing,
    }
    draws = item.kind.reads == "source" and plan.is_generated(stream)
    if item.kind.reads == "generator" or draws:
        return stream_task | {"spec": plan.spec_of(stream)}
    if item.kind.reads in ("stream", "source"):
        return stream_task | {"file": stream_file(stream)}
    stream_task["predicted"] = predictions_of(plan, item, stream)
    if item.shows_seeds:
        last = max(plan.seeds_of(item).values(), default=1)
        runs = {seed: (stream, item.protocol, seed) for seed in range(1, last + 1)}
        files = {str(seed): predictions_for(plan, *run) for seed, run in runs.items()}
        stream_task["seeded"] = {seed: path for seed, path in files.items() if seed != "1"}
        stream_task["spent"] = {str(seed): costs_for(plan, *run) for seed, run in runs.items()}
    return stream_task


def frames_read(plan: Plan, item: Item) -> dict[str, str]:
    """The frames of the items that an item is about."""
    return {
        f"{stream}.{name}".removeprefix("."): path
        for of in map(plan.items.__getitem__, item.of)
        for stream in frame_streams(plan, of)
        for name, path in frame_files(of, stream).items()
    }
