"""Carrying tasks out: the study, the table or the figure of an item."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pandas as pd

from streameval.base.file_digests import write_digest
from streameval.base.table_files import read_csv_table, write_csv, write_parquet
from streameval.items import kind_at
from streameval.items.frame_dates import DATE_COLUMNS
from streameval.items.inputs import ItemInput, StreamInput
from streameval.items.kind import function_of
from streameval.learners.registry import LearnerSpec
from streameval.pipeline.attempts import Frames, attempt, can_drop_learners
from streameval.pipeline.failed_notes import errors_in, failure_notes
from streameval.pipeline.runs import Task, located
from streameval.pipeline.study_errors import WHOLE_STUDY, merged_errors, read_errors, write_errors
from streameval.protocols.registry import DEFAULT, parse
from streameval.streams.registry import GeneratorSpec


def raise_error(learner: str, error: Exception) -> None:
    """Raise the error of a learner or study, where nothing records it."""
    raise error


def run_study(
    task: Task,
    inputs: Iterable[str],
    outputs: Iterable[str],
    announce: Callable[[str], object],
    report: Callable[[str, Exception], object] = raise_error,
) -> None:
    """Compute the frames of an item for a stream and write them.

    The task is one of a job of `pipeline.study_jobs.studies`, with the job's files. Where the task
    names a record, `report` is called with each learner that fails and its error, and the frames
    are without it. The frames of a study that fails, or that only reads such, have no rows.
    """
    kind, inputs, outputs = kind_at(**task["kind"]), list(inputs), list(outputs)
    about = _about(task, inputs) | {"announce": announce}
    read = _frames_that_are_made(task, task.get("read", {}), inputs)
    of_item = ItemInput(**about, frames=read)
    item_input = _given(task, inputs, about) if "name" in task else of_item
    announce(f"{task['item']}: begins")
    in_parts = "part" in task
    if in_parts:
        declared, write = kind.parts, write_parquet
    else:
        declared, write = kind.frames, write_csv
    together = [_given_of_streams(task, inputs, about)] if "streams" in kind.joins else []

    def compute(item_input: ItemInput[Any]) -> Frames:
        if in_parts:
            frames: Frames = function_of(kind, "part")(item_input, task["part"])
        else:
            frames = function_of(kind, "study")(*together, item_input)
        return frames

    errors = merged_errors(located(path, inputs) for path in task.get("part_records", ()))
    frames: Frames | None = None
    if "record" not in task:
        frames = compute(item_input) if read or not task.get("read") else None
    elif not errors:
        frames, errors = attempt(
            item_input, compute, report, drops_learners=can_drop_learners(kind)
        )
    if "record" in task:
        write_errors(errors, located(task["record"], outputs))
    if frames is None:
        frames = {name: pd.DataFrame(columns=columns) for name, columns in declared.items()}
    for name, columns in declared.items():
        _check_columns(frames[name], columns, f"{kind.name}, frame {name}")
        path = located(task["frames"][name], outputs)
        frame = frames[name]
        if isinstance(item_input, StreamInput) and len(frame):
            frame = item_input.with_date_columns(frame)
        write(frame, path)
        if in_parts:
            write_digest(path)


def tabulate(task: Task, inputs: Iterable[str], titles: Mapping[str, str]) -> pd.DataFrame:
    """The table of an item.

    The task is one of a job of `pipeline.products.tables`, with the job's files.
    """
    kind, inputs = kind_at(**task["kind"]), list(inputs)
    about = _about(task, inputs) | {
        "titles": titles,
        "frames": _frames_that_are_made(task, task["frames"], inputs),
    }
    if task["frames"] and not about["frames"]:
        table = pd.DataFrame(columns=kind.columns)
    elif kind.table_frame:
        table = read_csv_table(about["frames"][kind.table_frame])
    else:
        inputs_by_stream = _given_of_streams(task, inputs, about)
        table = function_of(kind, "study")(inputs_by_stream, ItemInput(**about))
        _check_columns(table[list(table)[: len(kind.columns)]], kind.columns, kind.name)
    protocol = str(parse(getattr(about["settings"], "protocol", DEFAULT)))
    return table if protocol == DEFAULT else table.assign(protocol=protocol)


def failed_of(task: Task, inputs: Iterable[str], titles: Mapping[str, str]) -> tuple[str, ...]:
    """Sentences about learners that an item names and that failed on its streams."""
    inputs = list(inputs)
    failed = {
        name: _errors(task, stream_task, inputs)
        for name, stream_task in task.get("given", {}).items()
    }
    for name, path in task.get("errors", {}).items():
        failed[name] = read_errors(located(path, inputs))
    joined = "streams" in kind_at(**task["kind"]).joins
    return failure_notes(failed, titles, task["streams"], joined=joined)


def _frames_that_are_made(
    task: Task, frames: Mapping[str, str], inputs: list[str]
) -> dict[str, str]:
    """Files of the frames that an item reads, without those of studies that failed."""
    errors = task.get("errors", {}).items()
    failed = [name for name, path in errors if WHOLE_STUDY in read_errors(located(path, inputs))]
    return {
        name: located(path, inputs)
        for name, path in frames.items()
        if name.rpartition(".")[0] not in failed
    }


def _errors(task: Task, stream_task: Task, inputs: list[str]) -> dict[str, str]:
    """Errors on a stream of the learners that an item reads, by their ids."""
    settings = kind_at(**task["kind"]).settings_from(task["settings"])
    paths = [
        located(path, inputs)
        for path in (
            *stream_task.get("predicted", {}).values(),
            *stream_task.get("seeded", {}).values(),
        )
    ]
    return errors_in(paths, settings.learners_read())


def _about(task: Task, inputs: list[str]) -> dict[str, Any]:
    kind = kind_at(**task["kind"])
    return {
        "settings": kind.settings_from(task["settings"]),
        "columns": kind.columns,
        "rows": {name: LearnerSpec(**row) for name, row in task.get("rows", {}).items()},
        "files": {name: located(path, inputs) for name, path in task["files"].items()},
        "seeds": task.get("seeds", {}),
    }


def _given_of_streams(
    task: Task, inputs: list[str], about: Mapping[str, Any]
) -> dict[str, StreamInput[Any]]:
    return {name: _given(stream_task, inputs, about) for name, stream_task in task["given"].items()}


def _given(task: Task, inputs: list[str], about: Mapping[str, Any]) -> StreamInput[Any]:
    predicted = task.get("predicted", {})
    return StreamInput(
        **about,
        name=task["name"],
        simulated=task["simulated"],
        smoothing=task["smoothing"],
        file=located(task["file"], inputs) if "file" in task else "",
        spec=GeneratorSpec(**task["spec"]) if "spec" in task else None,
        part_files={
            name: [located(path, inputs) for path in paths]
            for name, paths in task.get("parts", {}).items()
        },
        prediction_files={variant: located(path, inputs) for variant, path in predicted.items()},
        seed_files={seed: located(path, inputs) for seed, path in task.get("seeded", {}).items()},
        cost_files={seed: located(path, inputs) for seed, path in task.get("spent", {}).items()},
    )


def _check_columns(frame: pd.DataFrame, columns: tuple[str, ...], what: str) -> None:
    """Refuse a frame with other columns than its kind declares: a fault of the package.

    A study that dates the rows itself has the columns of dates behind these.
    """
    if tuple(frame.columns) not in (columns, (*columns, *DATE_COLUMNS)):
        raise TypeError(f"{what}: expected columns {columns}, found {tuple(frame.columns)}.")
