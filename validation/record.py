"""Records of long runs: add streams of a finished run, check a record, repeat recorded runs.

A record is a folder with the frames and counts of a study on each stream, its tables, and a
description with the settings from which `repeat` repeats runs.

python validation/record.py add FOLDER STUDY/ITEM --config FILE
python validation/record.py check FOLDER
python validation/record.py repeat FOLDER STREAM SCHEME FIRST [LAST]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pandas as pd
import yaml

from streameval import __version__
from streameval.base import settings
from streameval.base.errors import ConfigError, DataError, did_you_mean, unknown_name_text
from streameval.base.file_digests import file_digest
from streameval.base.files import replacing_file
from streameval.base.provenance import commit_of, machine
from streameval.base.settings import RAW
from streameval.base.table_files import write_csv, write_parquet
from streameval.base.terminal import run_guarded
from streameval.evaluation.records import COUNTS, DESCRIPTION_FILE, Record, read_record
from streameval.items import kinds
from streameval.items.inputs import StreamInput
from streameval.items.kind import function_of
from streameval.learners.registry import LearnerSpec
from streameval.pipeline.configuration import merge_files
from streameval.pipeline.items import Item
from streameval.pipeline.plan import Plan, make_plan
from streameval.pipeline.products import single_table_job
from streameval.pipeline.study_errors import write_errors
from streameval.pipeline.study_jobs import (
    error_record,
    frame_files,
    part_files,
    stream_file,
    studies,
)
from streameval.pipeline.tasks import run_study, tabulate
from streameval.streams.columnar import write_stream
from streameval.streams.making import convert
from streameval.streams.raw.fetch import fetch
from streameval.streams.registry import FileSpec, GeneratorSpec, StreamSpec


def add(plan: Plan, item_id: str, folder: Path) -> list[str]:
    """Add the streams of an item's finished run to a record; return their names.

    A new record is created if `folder` does not exist. The record is changed completely or not at
    all. The tables of items about this item are computed again from the frames of all streams.
    """
    item = _find_item(plan, item_id)
    existing = read_record(folder) if folder.exists() else None
    recorded_streams = list(existing.streams) if existing else []
    streams = [name for name in plan.streams_of(item) if name not in recorded_streams]
    if not streams:
        raise DataError(
            f"{item_id}: expected streams that {folder} lacks, this run has none. "
            "Name them in the configuration."
        )
    content = _common_content(plan, item)
    if existing is not None:
        _require_same(existing, content)
    _require_files(item, streams)
    with replacing_file(folder) as new_folder:
        new_folder.mkdir(parents=True)
        if existing is not None:
            for name in (file for entry in existing.streams.values() for file in entry["files"]):
                shutil.copyfile(folder / name, new_folder / name)
            content["streams"] |= existing.streams
            content["left_out"] |= existing.description["left_out"]
        for name in streams:
            content["streams"][name] = _record_stream(plan, item, name, new_folder)
        content["left_out"] = {
            name: reason
            for name, reason in content["left_out"].items()
            if name not in content["streams"]
        }
        content["tables"] = _record_tables(plan, item, list(content["streams"]), new_folder)
        text = yaml.safe_dump(_as_json(content), sort_keys=False, allow_unicode=True)
        (new_folder / DESCRIPTION_FILE).write_text(text, encoding="utf-8")
        read_record(new_folder)  # checks it
        if existing is not None:
            # Folders cannot be overwritten. The old record is removed with the temporary folder.
            folder.replace(new_folder.parent / "old_record")
    return streams


def _find_item(plan: Plan, item_id: str) -> Item:
    in_parts = [name for name, item in plan.items.items() if item.kind.parts]
    if item_id not in in_parts:
        raise ConfigError(
            f"Record: expected an item that is computed in parts, "
            f"{', '.join(in_parts) or 'none here'}, found {item_id!r}. "
            f"{did_you_mean(item_id, in_parts)}".rstrip()
        )
    return plan.items[item_id]


def _common_content(plan: Plan, item: Item) -> dict[str, Any]:
    """Content of a record that all its streams share; `streams` and `tables` are empty."""
    content = {
        "item": item.id,
        "kind": item.kind.name,
        "settings": {
            key: value for key, value in item.plain_settings().items() if key != "streams"
        },
        "learners": {name: plan.learners[name].recipe() for name in item.learners},
        "streams": {},
        "left_out": {name: plan.left_out[name] for name in item.streams if name in plan.left_out},
        "tables": {},
    }
    return _as_json(content)


def _as_json(content: dict[str, Any]) -> dict[str, Any]:
    """Content with the types of JSON: lists instead of tuples, no shared objects."""
    copy: dict[str, Any] = json.loads(json.dumps(content))
    return copy


def _require_same(existing: Record, content: Mapping[str, Any]) -> None:
    """Raise DataError if a run has another item, or other settings or learners, than the record."""
    for key in ("item", "kind", "settings", "learners"):
        recorded, run = (
            description[key] if isinstance(description[key], dict) else {key: description[key]}
            for description in (existing.description, content)
        )
        if recorded != run:
            differing = [
                f"{name}: {recorded.get(name)!r} in the record, {run.get(name)!r} in this run"
                for name in sorted({*recorded, *run})
                if recorded.get(name) != run.get(name)
            ]
            raise DataError(
                f"{existing.folder}: expected the {key} of the record, found differences "
                f"({'; '.join(differing)}). Choose another folder."
            )


def _files(item: Item, stream: str) -> Iterator[Path]:
    """Yield the files of a finished run on a stream: parts and frames."""
    for part in range(item.partitioned_settings.parts()):
        yield from map(Path, part_files(item, stream, part).values())
    yield from map(Path, frame_files(item, stream).values())


def _require_files(item: Item, streams: Sequence[str]) -> None:
    """Raise DataError if a file of a finished run is missing."""
    required = [path for name in streams for path in _files(item, name)]
    missing = [str(path) for path in required if not path.is_file()]
    if missing:
        raise DataError(
            f"{item.id}: expected a finished run, found {len(missing):,} of {len(required):,} "
            f"files missing, such as {missing[0]}. Finish the run in this folder, with the same "
            "configuration; then record it."
        )


def _record_stream(plan: Plan, item: Item, stream: str, folder: Path) -> dict[str, Any]:
    """Write the files of a stream to a record; return its entry.

    Frames are computed again from the parts, and must equal the frames of the run.
    """
    kind, spec = item.kind, plan.registry[stream]
    paths = [part_files(item, stream, part) for part in range(item.partitioned_settings.parts())]
    learner_specs = {name: plan.learners[name] for name in item.learners}
    runs = [run for part in range(len(paths)) for run in item.partitioned_settings.runs_of(part)]
    with TemporaryDirectory() as temporary:
        inputs = replace(
            _stream_input(spec, item.settings, learner_specs, Path(temporary)),
            part_files={name: [files[name] for files in paths] for name in kind.parts},
        )
        parts = {name: inputs.joined_parts(name) for name in kind.parts}
        counts: pd.DataFrame = function_of(kind, "pool_counts")(parts, item.settings)
        if sorted(counts["run"].unique()) != runs:
            raise DataError(
                f"{item.id}, {stream}: expected {len(runs):,} runs, found "
                f"{counts['run'].nunique():,}. Finish the run, with the same configuration."
            )
        frames = function_of(kind, "study")(inputs)
        instances = item.settings.rows(spec.rows or len(inputs.stream))
    names = []
    for name, path in frame_files(item, stream).items():
        content = Path(path).read_bytes()
        expected = frames[name].to_csv(index=False, lineterminator="\n").encode()
        # `kind.times` names the frames with times of this machine; they are not compared.
        if name not in kind.times and content != expected:
            raise DataError(
                f"{path}: expected the content that follows from the parts of the study, found "
                "other content, from another version or configuration. Run the study again."
            )
        names.append(f"{stream}.{name}.csv")
        (folder / names[-1]).write_bytes(content)
    names.append(f"{stream}.{COUNTS}")
    write_parquet(counts, folder / names[-1])
    seconds = [frame["seconds"].sum() for name, frame in parts.items() if name in kind.times]
    finished_at = max(path.stat().st_mtime for path in _files(item, stream))
    return {
        "title": plan.title(stream),
        "simulated": plan.is_simulated(stream),
        "spec": asdict(spec),
        "instances": instances,
        "runs": len(runs),
        "core_hours": round(float(sum(seconds)) / 3600, 4),
        "parts": _digest_of_files(path for files in paths for path in files.values()),
        "version": __version__,
        "commit": commit_of(settings.ROOT) or None,
        "date": datetime.fromtimestamp(finished_at, UTC).date().isoformat(),
        "machine": machine(),
        "files": {name: file_digest(folder / name) for name in names},
    }


def _record_tables(plan: Plan, item: Item, streams: Sequence[str], folder: Path) -> dict[str, str]:
    """Write the tables about an item from the frames of a record; return their digests."""
    digests: dict[str, str] = {}
    tables = [
        other
        for other in plan.items.values()
        if item.id in other.source_items and other.kind.is_table
    ]
    # The plan of this run, but with all streams of the record.
    settings = msgspec.structs.replace(item.settings, streams=tuple(streams))
    items = {**plan.items, item.id: replace(item, settings=settings)}
    record_plan, table_ids = replace(plan, items=items), [table.id for table in tables]
    with TemporaryDirectory() as temporary:
        copies = []
        for stream in streams:
            for name, path in frame_files(item, stream).items():
                copies.append(str(_path_in(temporary, path)))
                shutil.copyfile(folder / f"{stream}.{name}.csv", copies[-1])
            copies.append(str(_path_in(temporary, error_record(item, stream))))
            # There are no errors, as frames of a failed study are never recorded.
            write_errors({}, copies[-1])
        for job in studies(record_plan):
            for task in job.tasks:
                if task["item"] in table_ids:
                    outputs = [str(_path_in(temporary, path)) for path in job.outputs]
                    run_study(task, copies, outputs, print)
                    copies += outputs
        for table in tables:
            (task,) = single_table_job(record_plan, table.id).tasks
            name = f"{table.id.removeprefix(f'{item.study}/')}.csv"
            file, temporary_file = _path_in(folder / "tables", name), _path_in(temporary, name)
            # `write_csv` also writes a digest beside the file; the record has its own digests.
            write_csv(tabulate(task, copies, plan.titles), temporary_file)
            shutil.copyfile(temporary_file, file)
            digests[name] = file_digest(file)
    return digests


def _path_in(folder: Path | str, path: Path | str) -> Path:
    """A path below a folder; its parent folders are created."""
    joined = Path(folder) / path
    joined.parent.mkdir(parents=True, exist_ok=True)
    return joined


def _digest_of_files(paths: Iterable[str]) -> str:
    """The SHA-256 of the output of ``sha256sum`` for these files, with names instead of paths."""
    lines = (f"{file_digest(path)}  {Path(path).name}\n" for path in paths)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _stream_input(
    spec: StreamSpec, item_settings: Any, learner_specs: Mapping[str, LearnerSpec], folder: Path
) -> StreamInput[Any]:
    """The input of a study for a stream.

    A file is converted to `folder` unless a run in this working folder has converted it. It is not
    downloaded.
    """
    is_file = isinstance(spec, FileSpec)
    file = Path(stream_file(spec.id))
    if isinstance(spec, FileSpec) and not file.is_file():
        file = folder / file.name
        write_stream(convert(spec, fetch(spec, RAW, None, offline=True)), file)
    return StreamInput(
        settings=item_settings,
        learner_specs=learner_specs,
        name=spec.id,
        simulated=isinstance(spec, GeneratorSpec) and spec.stands_for is not None,
        smoothing=spec.smoothing,
        file=str(file) if is_file else "",
        spec=spec if isinstance(spec, GeneratorSpec) else None,
    )


def repeat(record: Record, stream: str, scheme: str, runs: Sequence[int]) -> Iterator[str]:
    """Repeat runs of a record, numbered from 0; yield a line for each run with equal counts.

    Raises DataError if the counts of a run differ from the record.
    """
    description, kind = record.description, kinds()[record.description["kind"]]
    recorded_settings: Any = kind.settings_from(
        {**description["settings"], "streams": [*record.streams]}
    )
    for noun, name, recorded_names in (
        ("stream", stream, record.streams),
        ("scheme", scheme, recorded_settings.schemes),
    ):
        if name not in recorded_names:
            raise ConfigError(
                f"{record.folder}: there is {unknown_name_text(noun, name, recorded_names)}"
            )
    n_runs = record.streams[stream]["runs"]
    if not runs or not {*runs} <= {*range(n_runs)}:
        raise ConfigError(
            f"{record.folder}: expected runs from 0 to {n_runs - 1}, found "
            f"{', '.join(map(str, runs)) or 'none'}."
        )
    settings_of_run = msgspec.structs.replace(recorded_settings, schemes=(scheme,), runs_per_job=1)
    learner_specs = {
        name: LearnerSpec(**recipe) for name, recipe in description["learners"].items()
    }
    counts, spec_fields = record.counts(stream), record.streams[stream]["spec"]
    is_generated = "generator" in spec_fields
    spec = GeneratorSpec(**spec_fields) if is_generated else FileSpec.from_dict(spec_fields)
    with TemporaryDirectory() as folder:
        inputs = _stream_input(spec, settings_of_run, learner_specs, Path(folder))
        for run in runs:
            parts = function_of(kind, "part")(inputs, run)
            repeated = function_of(kind, "pool_counts")(parts, settings_of_run)
            is_run = (counts["scheme"] == scheme) & (counts["run"] == run)
            recorded_counts = counts[is_run].reset_index(drop=True)
            _require_equal(recorded_counts, repeated, f"{stream}, {scheme}, {run}")
            yield f"{stream}, {scheme}, run {run}: all {len(repeated)} rows of counts are equal."


def _require_equal(recorded: pd.DataFrame, repeated: pd.DataFrame, name: str) -> None:
    """Raise DataError with the first rows that differ; `name` says which run it is."""
    if list(recorded) == list(repeated) and len(recorded) == len(repeated):
        differs = (recorded != repeated).any(axis=1)
        if not differs.any():
            return
        lines = [str(frame[differs].iloc[0].to_dict()) for frame in (recorded, repeated)]
    else:
        lines = [
            f"{len(frame)} rows of {', '.join(map(str, frame))}" for frame in (recorded, repeated)
        ]
    raise DataError(
        f"{name}: expected the counts of the record, {lines[0]}, found {lines[1]}. Streams, "
        "learners or schemes differ from the recorded version."
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; see the head of this module."""
    options = make_parser().parse_args(arguments)
    return run_guarded(lambda: options.run(options))


def make_parser() -> argparse.ArgumentParser:
    """Make the parser of the command."""
    parser = argparse.ArgumentParser(
        prog="python validation/record.py", description="Records of long runs."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    adding = commands.add_parser("add", help="add streams of the working folder's finished run")
    adding.add_argument("folder", metavar="FOLDER", type=Path, help="the folder of the record")
    adding.add_argument("item", metavar="STUDY/ITEM")
    adding.add_argument(
        "--config", type=Path, action="append", default=[], help="the configuration of the run"
    )
    adding.set_defaults(run=_run_add)
    checking = commands.add_parser("check", help="compare a record with its digests")
    checking.add_argument("folder", metavar="FOLDER", type=Path)
    checking.set_defaults(run=_run_check)
    repeating = commands.add_parser("repeat", help="repeat runs of a record and compare")
    repeating.add_argument("folder", metavar="FOLDER", type=Path)
    for name in ("stream", "scheme"):
        repeating.add_argument(name, metavar=name.upper())
    repeating.add_argument("first", metavar="FIRST", type=int, help="the first run, from 0")
    repeating.add_argument(
        "last", metavar="LAST", type=int, nargs="?", help="the last run; default: FIRST"
    )
    repeating.set_defaults(run=_run_repeat)
    return parser


def _run_add(options: argparse.Namespace) -> None:
    files = [path.absolute() for path in options.config]
    config = msgspec.to_builtins(merge_files(files))
    config["data"]["missing"] = "skip"  # the record lists streams without data
    added = add(make_plan(config, decide=False, files=files), options.item, options.folder)
    print(f"{options.folder}: added {', '.join(added)}.")


def _run_check(options: argparse.Namespace) -> None:
    streams = read_record(options.folder).streams
    hours = sum(entry["core_hours"] for entry in streams.values())
    print(f"{options.folder}: {len(streams)} streams, {hours:.2f} core-hours, complete.")


def _run_repeat(options: argparse.Namespace) -> None:
    last = options.first if options.last is None else options.last
    runs = range(options.first, last + 1)
    for line in repeat(read_record(options.folder), options.stream, options.scheme, runs):
        print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
