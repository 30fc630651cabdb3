"""The jobs of a plan as rules want them: what each reads, writes and is told.

A task is plain data, which Snakemake compares with that of the last run: a change of settings
reruns what depends on them. Jobs that train learners have one task; short ones have many, as a
job takes longer to start than most tasks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from streameval.evaluation.predictions import prediction_file
from streameval.items.recorded import OfRecord
from streameval.pipeline import captions, resources
from streameval.pipeline.entries import Entries, entries
from streameval.pipeline.items import Item
from streameval.pipeline.plan import Plan, variants_of
from streameval.protocols.protocol import Protocol
from streameval.protocols.registry import DEFAULT, parse
from streameval.streams.variants import file_stem, split_name

#: What tables are written as.
TABLE_FORMATS = ("csv", "html", "md", "tex")


@dataclass(frozen=True)
class Work:
    """A job.

    Parameters
    ----------
    name : str
        Of its rule.
    message : str
        What it does, for people.
    tasks : list of dict
        What its script is told.
    inputs : mapping of str to list of str
        Files that it reads, by what they are.
    outputs : list of str
        Files that it writes.
    modules : list of str
        Modules of the package that its script imports by name.
    entries : mapping of str to list of str
        Which entries of registries it uses; see `pipeline.entries`.
    items : list of Item
        What it is about.
    family : str
        What rules of its sort are called together; see `folded`.
    trains : bool
        Whether it trains learners, and waits for them to be compiled.
    megabytes, minutes : int
        What it asks a cluster for at the first attempt.
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
    megabytes: int = resources.memory_mb(resources.UNKNOWN)
    minutes: int = resources.runtime_minutes(resources.UNKNOWN)

    def memory_mb(self, wildcards: Any, attempt: int) -> int:
        """Return the megabytes to ask a cluster for."""
        return resources.attempts(self.megabytes, attempt)

    def runtime(self, wildcards: Any, attempt: int) -> int:
        """Return the minutes to ask a cluster for."""
        return resources.attempts(self.minutes, attempt)


def stream_file(name: str) -> str:
    """Return the converted file of a stream."""
    return f"resources/streams/{name}.parquet"


def predictions_for(plan: Plan, name: str, protocol: Protocol) -> str:
    """Return the file with the learners' predictions for a stream or variant."""
    return f"{plan.predictions_folder}{prediction_file(name, protocol).name}"


def measured_files(plan: Plan) -> list[str]:
    """Return the files of test-then-train predictions for streams in their own order."""
    return [predictions_for(plan, name, parse(DEFAULT)) for name in plan.measured]


def predicted_files(plan: Plan) -> list[tuple[str, str]]:
    """Return all files of predictions, each with that of their costs."""
    return [
        (
            predictions_for(plan, name, protocol),
            f"{plan.timings_folder}{file_stem(name)}.{protocol}.csv",
        )
        for name, protocol in plan.predictions
    ]


def predictions_of(plan: Plan, item: Item, stream: str) -> dict[str, str]:
    """Return the files of predictions that an item reads for a stream, by variant."""
    return {
        split_name(name)[1]: predictions_for(plan, name, item.protocol)
        for name in variants_of(item, stream)
    }


def frame_files(item: Item, stream: str = "") -> dict[str, str]:
    """Return the files of an item's frames for a stream, or for none, by the frames' names."""
    stem = f"{item.id}/{stream}." if stream else f"{item.id}/"
    folders = {name: "timings" if name in item.kind.times else "data" for name in item.kind.frames}
    return {name: f"results/{folder}/{stem}{name}.csv" for name, folder in folders.items()}


def part_files(item: Item, stream: str, part: int) -> dict[str, str]:
    """Return the files of a part of an item's study of a stream, by the names of its frames."""
    stem = f"{item.id}/{stream}.{part}."
    folders = {name: "timings" if name in item.kind.times else "parts" for name in item.kind.parts}
    return {name: f"results/{folder}/{stem}{name}.parquet" for name, folder in folders.items()}


def shown_in(plan: Plan, item: Item) -> list[str]:
    """Return what an item has frames for: its streams that can be had, or "" for none."""
    if "streams" in item.kind.joins:
        return [""] * bool(plan.streams_of(item))
    if item.kind.of:
        return [""] * any(shown_in(plan, plan.items[one]) for one in item.of)
    return [""] if item.kind.reads == "nothing" else plan.streams_of(item)


def tabled(plan: Plan) -> list[Item]:
    """Return the items with a table; what a figure or another item has no data for has none."""
    items = [one for one in plan.items.values() if one.kind.is_table]
    return [one for one in items if shown_in(plan, one) or not (one.kind.is_figure or one.of)]


def studies(plan: Plan) -> list[Work]:
    """Return the jobs that compute frames: training ones by item and stream, others by stream."""
    work, short = [], dict[str, list[Item]]()
    for item in plan.items.values():
        if not item.kind.is_figure or not item.is_wanted:
            continue
        for stream in shown_in(plan, item):
            name = "_".join(["study", item.study, item.name, *([stream] if stream else [])])
            what = f"Study {item.id}" + (f" of {stream}" if stream else "")
            if item.kind.of or "streams" in item.kind.joins:
                work.append(replace(_study(plan, name, what, [item], stream), family="join"))
            elif item.kind.parts:
                work += _parted(plan, name, what, item, stream)
            elif item.kind.trains:
                work.append(_study(plan, name, what, [item], stream))
            else:
                short.setdefault(stream, []).append(item)
    for stream, items in short.items():
        name, what = (stream, stream) if stream else ("no_stream", "what needs no stream")
        traced = _study(plan, f"trace_{name}", f"Tracing {what}", items, stream)
        work.append(replace(traced, family="trace"))
    return work


def _parted(plan: Plan, name: str, message: str, item: Item, stream: str) -> list[Work]:
    """Return the jobs of a study in parts: one for each, and one that puts them together."""
    number = item.in_parts.parts()
    files = [part_files(item, stream, part) for part in range(number)]
    work = []
    for part, frames in enumerate(files):
        what = f"{message}: part {part + 1} of {number}"
        one = _study(plan, f"{name}_{part}", what, [item], stream)
        one.tasks[0].update(part=part, frames=frames)
        modules = [item.kind.module, item.kind.part_module]
        outputs = list(frames.values())
        work.append(replace(one, outputs=outputs, modules=modules, family="study_part"))
    whole = _study(plan, name, f"{message}: its {number} parts together", [item], stream)
    whole.tasks[0]["parts"] = {frame: [one[frame] for one in files] for frame in item.kind.parts}
    made = {"made": [path for one in files for path in one.values()], "code": []}
    return [*work, replace(whole, inputs={**whole.inputs, **made}, trains=False)]


def _study(plan: Plan, name: str, message: str, items: list[Item], stream: str) -> Work:
    tasks = [_task(plan, item, stream) | {"frames": frame_files(item, stream)} for item in items]
    made, files = [], list[str]()
    for task, item in zip(tasks, items, strict=True):
        if item.kind.of:
            task["read"] = _frames_read(plan, item)
            made += task["read"].values()
        files += task["files"].values()
    return Work(
        name.replace(".", "_"),
        message,
        tasks,
        _read(tasks) | {"made": made, "files": files, "code": _code(plan, items)},
        [path for task in tasks for path in task["frames"].values()],
        modules_of(*((item.kind.module, item.kind.study_module) for item in items)),
        items,
        "study",
        any(bool(item.kind.trains) for item in items),
        _entries(plan, tasks),
        *_demands(plan, items, stream),
    )


def folded(jobs: Iterable[Work]) -> list[Work]:
    """Return one job for each family, for a graph of rules that fits a page; it is not to run."""
    families = dict[str, list[Work]]()
    for job in jobs:
        families.setdefault(job.family, []).append(job)
    return [_folded(name, family) for name, family in families.items()]


def _folded(name: str, family: list[Work]) -> Work:
    of = {
        part: dict.fromkeys(path for job in family for path in job.inputs[part])
        for part in family[0].inputs
    }
    return Work(
        name,
        name,
        [],
        {part: [*paths] for part, paths in of.items()},
        [path for job in family for path in job.outputs],
        modules_of(*(tuple(job.modules) for job in family)),
        [item for job in family for item in job.items],
        name,
        any(job.trains for job in family),
        {part: sorted({n for job in family for n in job.entries[part]}) for part in entries()},
    )


def _read(given: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return the streams and predictions that studies are given, each file once."""
    given = [one for task in given for one in (task, *task.get("given", {}).values())]
    predictions = (path for one in given for path in one.get("predicted", {}).values())
    return {
        "streams": list(dict.fromkeys(one["file"] for one in given if "file" in one)),
        "predictions": list(dict.fromkeys(predictions)),
    }


def modules_of(*of_items: tuple[str, ...]) -> list[str]:
    """Return the modules that a job imports, from those of each of its items."""
    return sorted({name for names in of_items for name in names})


def _demands(plan: Plan, items: list[Item], stream: str) -> tuple[int, int]:
    """Return megabytes and minutes for a study: the most that one of its items needs."""
    size = resources.size_of(plan.spec_of(stream) if stream else {})
    found = [(1, 1)]
    for item in items:
        runs, lags, lagged_inputs, kept = item.settings.cost()
        wide = size._replace(rows=item.settings.rows(size.rows)).lagged(lags, lagged_inputs)
        foreign = sum(not plan.learners[name].is_compiled for name in item.learners)
        share = runs // max(len(item.learners), 1)
        memory = resources.memory_mb(wide, len(item.learners) or 1, row_bytes=kept)
        found.append((memory, resources.runtime_minutes(wide, runs, foreign * share)))
    return max(memory for memory, _ in found), max(minutes for _, minutes in found)


def _entries(plan: Plan, tasks: Iterable[Mapping[str, Any]]) -> Entries:
    """Return the learners that studies make, and the streams that they generate."""
    given = [one for task in tasks for one in (task, *task.get("given", {}).values())]
    return entries(
        (plan.learners[name] for task in tasks for name in task.get("rows", ())),
        (plan.registry[one["name"]] for one in given if "spec" in one),
    )


def _code(plan: Plan, items: Iterable[Item]) -> list[str]:
    return plan.own_code({name for item in items if item.kind.trains for name in item.learners})


def _task(plan: Plan, item: Item, stream: str) -> dict[str, Any]:
    """Return what the study of an item is told about a stream."""
    task: dict[str, Any] = {"item": item.id, "kind": item.kind.place, "settings": item.plain()}
    if item.kind.trains:
        task["rows"] = {name: plan.learners[name].recipe() for name in item.learners}
    task["files"] = {name: name for name in item.settings.resources()}
    if stream:
        return task | _given(plan, item, stream)
    streams = plan.streams_of(item) if item.streams else []
    return task | {"given": {name: _given(plan, item, name) for name in streams}}


def _given(plan: Plan, item: Item, stream: str) -> dict[str, Any]:
    given = {
        "name": stream,
        "simulated": plan.is_simulated(stream),
        "smoothing": plan.registry[stream].smoothing,
    }
    draws = item.kind.reads == "source" and plan.is_generated(stream)
    if item.kind.reads == "generator" or draws:
        return given | {"spec": plan.spec_of(stream)}
    if item.kind.reads in ("stream", "source"):
        return given | {"file": stream_file(stream)}
    return given | {"predicted": predictions_of(plan, item, stream)}


def table_file(item: Item, form: str = "csv") -> str:
    """Return the file of an item's table."""
    return f"results/tables/{item.id}.{form}"


def tables(plan: Plan) -> list[Work]:
    """Return the jobs that write tables: one for each study that has any."""
    work = []
    for study in plan.studies:
        items = [one for one in tabled(plan) if one.study == study]
        if items:
            tasks = [_table(plan, item) for item in items]
            read = _read(tasks)
            for part in ("frames", "files"):
                paths = (path for task in tasks for path in task[part].values())
                read[part] = list(dict.fromkeys(paths))
            kinds = [item.kind for item in items]
            modules = [(kind.module, kind.study_module, kind.layout_module) for kind in kinds]
            work.append(
                Work(
                    f"tabulate_{study}",
                    f"Tables of {study}",
                    tasks,
                    read,
                    [table_file(item, form) for item in items for form in TABLE_FORMATS],
                    modules_of(*modules),
                    items,
                    "tabulate",
                    entries=_entries(plan, tasks),
                )
            )
    return work


def _table(plan: Plan, item: Item) -> dict[str, Any]:
    frames = frame_files(item) if item.kind.is_figure else {}
    shown = plan.streams_of(item) if item.streams else []
    if item.kind.of:
        shown = [name for one in item.of for name in shown_in(plan, plan.items[one]) if name]
        frames = frames or _frames_read(plan, item)
    recorded = item.settings.stream_titles() if isinstance(item.settings, OfRecord) else {}
    return _task(plan, item, "") | {
        "rows": {name: plan.learners[name].to_dict() for name in item.learners},
        "streams": {name: plan.title(name) for name in shown} | recorded,
        "frames": frames,
        "csv": table_file(item),
        "title": captions.table_title(item),
        "label": f"tab:{item.study}-{item.name.removeprefix('table_')}",
    }


def _frames_read(plan: Plan, item: Item) -> dict[str, str]:
    """Return the frames of the items that an item is about."""
    return {
        f"{stream}.{name}".removeprefix("."): path
        for of in map(plan.items.__getitem__, item.of)
        for stream in shown_in(plan, of)
        for name, path in frame_files(of, stream).items()
    }
