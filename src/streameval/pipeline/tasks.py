"""Execution of the tasks of jobs: compute the study or the table of an item."""

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
from streameval.pipeline.failed_notes import failure_notes, learner_errors_in
from streameval.pipeline.runs import Task, prefixed_path
from streameval.pipeline.study_errors import WHOLE_STUDY, merged_errors, read_errors, write_errors
from streameval.protocols.registry import DEFAULT, parse
from streameval.streams.registry import GeneratorSpec


def raise_error(learner: str, error: Exception) -> None:
    """Raise the error of a learner or study; used where no file records errors."""
    raise error


def run_study(
    task: Task,
    inputs: Iterable[str],
    outputs: Iterable[str],
    announce: Callable[[str], object],
    report: Callable[[str, Exception], object] = raise_error,
) -> None:
    """Compute the frames of an item for a stream and write them.

    The task belongs to a job of `pipeline.study_jobs.studies`; `inputs` and `outputs` are the files
    of that job. If the task names a record, each learner that fails is left out of the frames, and
    `report` is called with its id and error. If the study fails, or reads only the frames of failed
    studies, its frames have no rows.
    """
    kind, inputs, outputs = kind_at(**task["kind"]), list(inputs), list(outputs)
    fields = _item_fields(task, inputs) | {"announce": announce}
    source_frames = _frames_without_failed(task, task.get("read", {}), inputs)
    item_input = ItemInput(**fields, frames=source_frames)
    if "name" in task:  # the study is about one stream
        item_input = _stream_input(task, inputs, fields)
    announce(f"{task['item']}: begins")
    in_parts = "part" in task
    if in_parts:
        columns_by_frame, write = kind.parts, write_parquet
    else:
        columns_by_frame, write = kind.frames, write_csv
    # A study that joins streams has the inputs of all streams as its first argument.
    joined_streams = [_stream_inputs(task, inputs, fields)] if "streams" in kind.joins else []

    def compute(item_input: ItemInput[Any]) -> Frames:
        if in_parts:
            frames: Frames = function_of(kind, "part")(item_input, task["part"])
        else:
            frames = function_of(kind, "study")(*joined_streams, item_input)
        return frames

    errors = merged_errors(prefixed_path(path, inputs) for path in task.get("part_records", ()))
    frames: Frames | None = None
    if "record" not in task:
        # Not computed if all studies whose frames it reads have failed.
        frames = compute(item_input) if source_frames or not task.get("read") else None
    elif not errors:  # not computed if a part has failed
        frames, errors = attempt(
            item_input, compute, report, drops_learners=can_drop_learners(kind)
        )
    if "record" in task:
        write_errors(errors, prefixed_path(task["record"], outputs))
    if frames is None:
        frames = {name: pd.DataFrame(columns=columns) for name, columns in columns_by_frame.items()}
    for name, columns in columns_by_frame.items():
        _check_columns(frames[name], columns, f"{kind.name}, frame {name}")
        path = prefixed_path(task["frames"][name], outputs)
        frame = frames[name]
        if isinstance(item_input, StreamInput) and len(frame):
            frame = item_input.with_date_columns(frame)
        write(frame, path)
        if in_parts:
            write_digest(path)


def tabulate(task: Task, inputs: Iterable[str], titles: Mapping[str, str]) -> pd.DataFrame:
    """The table of an item.

    The task belongs to a job of `pipeline.products.table_jobs`; `inputs` are the files of that job.
    """
    kind, inputs = kind_at(**task["kind"]), list(inputs)
    fields = _item_fields(task, inputs) | {
        "titles": titles,
        "frames": _frames_without_failed(task, task["frames"], inputs),
    }
    if task["frames"] and not fields["frames"]:
        table = pd.DataFrame(columns=kind.columns)
    elif kind.table_frame:
        table = read_csv_table(fields["frames"][kind.table_frame])
    else:
        inputs_by_stream = _stream_inputs(task, inputs, fields)
        table = function_of(kind, "study")(inputs_by_stream, ItemInput(**fields))
        # A table may have further columns after those of its kind, such as one for each learner.
        _check_columns(table[list(table)[: len(kind.columns)]], kind.columns, kind.name)
    protocol = str(parse(getattr(fields["settings"], "protocol", DEFAULT)))
    return table if protocol == DEFAULT else table.assign(protocol=protocol)


def notes_on_failures(
    task: Task, inputs: Iterable[str], titles: Mapping[str, str]
) -> tuple[str, ...]:
    """Sentences about the learners of an item that failed on its streams."""
    inputs = list(inputs)
    failed = {
        name: _learner_errors(task, stream_task, inputs)
        for name, stream_task in task.get("stream_tasks", {}).items()
    }
    for name, path in task.get("errors", {}).items():
        failed[name] = read_errors(prefixed_path(path, inputs))
    joined = "streams" in kind_at(**task["kind"]).joins
    return failure_notes(failed, titles, task["streams"], joined=joined)


def _frames_without_failed(
    task: Task, frames: Mapping[str, str], inputs: list[str]
) -> dict[str, str]:
    """Files of the frames that an item reads, without the frames of failed studies."""
    errors = task.get("errors", {}).items()
    failed = [
        name for name, path in errors if WHOLE_STUDY in read_errors(prefixed_path(path, inputs))
    ]
    return {
        name: prefixed_path(path, inputs)
        for name, path in frames.items()
        if name.rpartition(".")[0] not in failed  # names are STREAM.FRAME, or FRAME
    }


def _learner_errors(task: Task, stream_task: Task, inputs: list[str]) -> dict[str, str]:
    """Errors on a stream of the learners that an item reads, by their ids."""
    settings = kind_at(**task["kind"]).settings_from(task["settings"])
    paths = [
        prefixed_path(path, inputs)
        for path in (
            *stream_task.get("prediction_files", {}).values(),
            *stream_task.get("seed_files", {}).values(),
        )
    ]
    return learner_errors_in(paths, settings.evaluated_learners())


def _item_fields(task: Task, inputs: list[str]) -> dict[str, Any]:
    """The fields of an `ItemInput`, which a `StreamInput` has, too."""
    kind = kind_at(**task["kind"])
    return {
        "settings": kind.settings_from(task["settings"]),
        "columns": kind.columns,
        "learner_specs": {name: LearnerSpec(**row) for name, row in task.get("rows", {}).items()},
        "files": {name: prefixed_path(path, inputs) for name, path in task["files"].items()},
        "n_runs_by_learner": task.get("seeds", {}),
    }


def _stream_inputs(
    task: Task, inputs: list[str], item_fields: Mapping[str, Any]
) -> dict[str, StreamInput[Any]]:
    return {
        name: _stream_input(stream_task, inputs, item_fields)
        for name, stream_task in task["stream_tasks"].items()
    }


def _stream_input(
    task: Task, inputs: list[str], item_fields: Mapping[str, Any]
) -> StreamInput[Any]:
    return StreamInput(
        **item_fields,
        name=task["name"],
        simulated=task["simulated"],
        smoothing=task["smoothing"],
        file=prefixed_path(task["file"], inputs) if "file" in task else "",
        spec=GeneratorSpec(**task["spec"]) if "spec" in task else None,
        part_files={
            name: [prefixed_path(path, inputs) for path in paths]
            for name, paths in task.get("parts", {}).items()
        },
        prediction_files={
            variant: prefixed_path(path, inputs)
            for variant, path in task.get("prediction_files", {}).items()
        },
        seed_files={
            seed: prefixed_path(path, inputs) for seed, path in task.get("seed_files", {}).items()
        },
        cost_files={
            seed: prefixed_path(path, inputs) for seed, path in task.get("cost_files", {}).items()
        },
    )


def _check_columns(frame: pd.DataFrame, columns: tuple[str, ...], name: str) -> None:
    """Raise TypeError if a frame has other columns than its kind declares.

    A study that dates the rows itself returns the columns of dates after the declared ones.
    """
    if tuple(frame.columns) not in (columns, (*columns, *DATE_COLUMNS)):
        raise TypeError(f"{name}: expected columns {columns}, found {tuple(frame.columns)}.")
