"""Recording a long run, checking a record, and repeating a part of it.

python -m streameval.pipeline.record make STUDY/ITEM NAME --config FILE
python -m streameval.pipeline.record check FOLDER
python -m streameval.pipeline.record repeat FOLDER STREAM SCHEME FIRST [LAST]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
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
from streameval.base.errors import ConfigError, DataError, near, unknown
from streameval.base.files import written_aside
from streameval.base.table_files import digest, read_csv, write_parquet
from streameval.base.terminal import guarded
from streameval.evaluation.records import ABOUT, COUNTS, RECORDED, Record, read_record
from streameval.items import kinds
from streameval.items.kind import function_of
from streameval.learners.registry import LearnerSpec
from streameval.pipeline.configuration import merged
from streameval.pipeline.forecast import given_alone, without_missing
from streameval.pipeline.items import Item
from streameval.pipeline.plan import Plan, make_plan
from streameval.pipeline.shown import table_file
from streameval.pipeline.work import frame_files, part_files
from streameval.streams.registry import FileSpec, GeneratorSpec


def record(plan: Plan, item_id: str, folder: Path) -> None:
    """Record the finished run of an item of a kind with parts, completely or not at all."""
    item = _item(plan, item_id)
    if folder.exists():
        raise ConfigError(f"{folder}: expected no such folder yet. Choose another name.")
    streams = plan.streams_of(item)
    if not streams:
        raise DataError(f"{item_id}: expected streams, found none of them in this run.")
    shown = [one for one in plan.items.values() if item.id in one.of]
    tables = [one for one in shown if one.kind.is_table]
    _require_files(plan, item, streams, tables)
    with written_aside(folder) as aside:
        aside.mkdir(parents=True)
        about: dict[str, Any] = {
            "item": item.id,
            "kind": item.kind.name,
            "version": __version__,
            "commit": _commit(),
            "date": "",
            "machine": _machine(),
            "settings": item.plain(),
            "learners": {name: plan.learners[name].recipe() for name in item.learners},
            "streams": {name: _of_stream(plan, item, name, aside) for name in streams},
            "left_out": {
                name: plan.left_out[name] for name in item.streams if name in plan.left_out
            },
            "tables": {},
        }
        newest = max(path.stat().st_mtime for name in streams for path in _made(item, name))
        about["date"] = datetime.fromtimestamp(newest, UTC).date().isoformat()
        for one in tables:
            name = f"{one.id.removeprefix(f'{item.study}/')}.csv"
            target = aside / "tables" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            read_csv(table_file(one))  # checks its digest
            shutil.copyfile(table_file(one), target)
            about["tables"][name] = digest(target)
        text = yaml.safe_dump(json.loads(json.dumps(about)), sort_keys=False, allow_unicode=True)
        (aside / ABOUT).write_text(text, encoding="utf-8")
        read_record(aside)


def _item(plan: Plan, item_id: str) -> Item:
    known = [name for name, one in plan.items.items() if one.kind.parts]
    if item_id not in known:
        raise ConfigError(
            f"Record: expected an item that is computed in parts, "
            f"{', '.join(known) or 'none here'}, found {item_id!r}. {near(item_id, known)}".rstrip()
        )
    return plan.items[item_id]


def _made(item: Item, stream: str) -> Iterator[Path]:
    for part in range(item.in_parts.parts()):
        yield from map(Path, part_files(item, stream, part).values())
    yield from map(Path, frame_files(item, stream).values())


def _require_files(plan: Plan, item: Item, streams: Sequence[str], tables: Sequence[Item]) -> None:
    wanted = [path for name in streams for path in _made(item, name)]
    wanted += [Path(table_file(one)) for one in tables]
    missing = [str(path) for path in wanted if not path.is_file()]
    if missing:
        raise DataError(
            f"{item.id}: expected a finished run, found {len(missing):,} of {len(wanted):,} files "
            f"missing, such as {missing[0]}. Finish the run in this folder, with the same "
            "configuration; then record it."
        )


def _of_stream(plan: Plan, item: Item, stream: str, folder: Path) -> dict[str, Any]:
    """Write the files of a stream; return its entry in the record."""
    kind = item.kind
    paths = [part_files(item, stream, part) for part in range(item.in_parts.parts())]
    spec = plan.registry[stream]
    rows = {name: plan.learners[name] for name in item.learners}
    runs = [run for part in range(len(paths)) for run in item.in_parts.runs_of(part)]
    with TemporaryDirectory() as aside:
        given = replace(
            given_alone(spec, item.settings, rows, Path(aside)),
            parted={name: [one[name] for one in paths] for name in kind.parts},
        )
        parts = {name: given.whole(name) for name in kind.parts}
        counts: pd.DataFrame = function_of(kind, "pooled")(parts, item.settings)
        if sorted(counts["run"].unique()) != runs:
            raise DataError(
                f"{item.id}, {stream}: expected {len(runs):,} runs, found "
                f"{counts['run'].nunique():,}. Finish the run, with the same configuration."
            )
        frames = function_of(kind, "study")(given)
        instances = item.settings.rows(spec.rows or len(given.stream))
    names = []
    for name, path in frame_files(item, stream).items():
        text = Path(path).read_bytes()
        expected = frames[name].to_csv(index=False, lineterminator="\n").encode()
        if name not in kind.times and text != expected:
            raise DataError(
                f"{path}: expected the content that the parts of the study give, found another: "
                "another version or configuration made them. Run the study again."
            )
        names.append(f"{stream}.{name}.csv")
        (folder / names[-1]).write_bytes(text)
    names.append(f"{stream}.{COUNTS}")
    write_parquet(counts, folder / names[-1])
    seconds = [frame["seconds"].sum() for name, frame in parts.items() if name in kind.times]
    return {
        "title": plan.title(stream),
        "simulated": plan.is_simulated(stream),
        "spec": asdict(spec),
        "instances": instances,
        "runs": len(runs),
        "core_hours": round(float(sum(seconds)) / 3600, 4),
        "parts": _digest_of_all(path for one in paths for path in one.values()),
        "files": {name: digest(folder / name) for name in names},
    }


def _digest_of_all(paths: Iterator[str]) -> str:
    """Return the SHA-256 of the lines of ``sha256sum``, without the folders of the files."""
    lines = (f"{digest(path)}  {Path(path).name}\n" for path in paths)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _commit() -> str | None:
    git = shutil.which("git")
    if git is None or not (settings.ROOT / ".git").exists():
        return None
    command = [git, "-C", str(settings.ROOT), "describe", "--always", "--dirty", "--abbrev=40"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    return done.stdout.strip() or None


def _machine() -> dict[str, Any]:
    cpu = platform.processor() or platform.machine()
    information = Path("/proc/cpuinfo")
    if information.is_file():
        lines = information.read_text(encoding="utf-8", errors="replace").splitlines()
        named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
        cpu = named[0] if named else cpu
    return {
        "cpu": cpu,
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
    }


def repeat(kept: Record, stream: str, scheme: str, runs: Sequence[int]) -> Iterator[str]:
    """Repeat runs of a record, from 0; yield a line for each with equal counts, refuse others."""
    about, kind = kept.about, kinds()[kept.about["kind"]]
    chosen: Any = kind.settings_from(about["settings"])
    for what, name, known in (
        ("stream", stream, kept.streams),
        ("scheme", scheme, chosen.schemes),
    ):
        if name not in known:
            raise ConfigError(f"{kept.folder}: there is {unknown(what, name, known)}")
    number = kept.streams[stream]["runs"]
    if not runs or not {*runs} <= {*range(number)}:
        raise ConfigError(
            f"{kept.folder}: expected runs from 0 to {number - 1}, found "
            f"{', '.join(map(str, runs)) or 'none'}."
        )
    of_scheme = msgspec.structs.replace(chosen, schemes=(scheme,), runs_per_job=1)
    rows = {name: LearnerSpec(**row) for name, row in about["learners"].items()}
    counts, plain = kept.counts(stream), kept.streams[stream]["spec"]
    spec = GeneratorSpec(**plain) if "generator" in plain else FileSpec.from_dict(plain)
    with TemporaryDirectory() as folder:
        given = given_alone(spec, of_scheme, rows, Path(folder))
        for run in runs:
            parts = function_of(kind, "part")(given, run)
            found = function_of(kind, "pooled")(parts, of_scheme)
            chosen_rows = (counts["scheme"] == scheme) & (counts["run"] == run)
            _compare(
                counts[chosen_rows].reset_index(drop=True), found, f"{stream}, {scheme}, {run}"
            )
            yield f"{stream}, {scheme}, run {run}: all {len(found)} rows of counts are equal."


def _compare(expected: pd.DataFrame, found: pd.DataFrame, what: str) -> None:
    if list(expected) == list(found) and len(expected) == len(found):
        differs = (expected != found).any(axis=1)
        if not differs.any():
            return
        lines = [str(frame[differs].iloc[0].to_dict()) for frame in (expected, found)]
    else:
        lines = [f"{len(one)} rows of {', '.join(map(str, one))}" for one in (expected, found)]
    raise DataError(
        f"{what}: expected the counts of the record, {lines[0]}, found {lines[1]}. Streams, "
        "learners or schemes differ from those of the recorded version."
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; see the head of this module."""
    options = parser_of_command().parse_args(arguments)
    return guarded(lambda: options.run(options))


def parser_of_command() -> argparse.ArgumentParser:
    """Return the parser of the command."""
    parser = argparse.ArgumentParser(
        prog="python -m streameval.pipeline.record", description="Records of long runs."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    make = commands.add_parser("make", help="record the finished run of the working folder")
    make.add_argument("item", metavar="STUDY/ITEM")
    make.add_argument("name", metavar="NAME", help="of the record")
    make.add_argument("--config", type=Path, help="the configuration of the run")
    make.add_argument("--into", type=Path, default=settings.ROOT / RECORDED, help="where to")
    make.set_defaults(run=_make)
    check = commands.add_parser("check", help="compare a record with its digests")
    check.add_argument("folder", metavar="FOLDER")
    check.set_defaults(run=_check)
    again = commands.add_parser("repeat", help="do runs of a record again and compare")
    for name in ("folder", "stream", "scheme"):
        again.add_argument(name, metavar=name.upper())
    again.add_argument("first", metavar="FIRST", type=int, help="the first run, from 0")
    again.add_argument("last", metavar="LAST", type=int, nargs="?", help="by default the first")
    again.set_defaults(run=_repeat)
    return parser


def _make(options: argparse.Namespace) -> None:
    files = [options.config.absolute()] if options.config else []
    plan = make_plan(without_missing(merged(files)), decide=False, files=files)
    folder = options.into / options.item.partition("/")[0] / options.name
    record(plan, options.item, folder)
    print(f"Recorded: {folder}")


def _check(options: argparse.Namespace) -> None:
    found = read_record(options.folder)
    hours = sum(one["core_hours"] for one in found.streams.values())
    print(f"{options.folder}: {len(found.streams)} streams, {hours:.2f} core-hours, complete.")


def _repeat(options: argparse.Namespace) -> None:
    last = options.first if options.last is None else options.last
    runs = range(options.first, last + 1)
    for line in repeat(read_record(options.folder), options.stream, options.scheme, runs):
        print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
