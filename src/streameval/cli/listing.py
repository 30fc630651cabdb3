"""The subcommands ``streams`` and ``learners``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from streameval import settings
from streameval.learners.registry import load_learners
from streameval.streams.registry import StreamSpec, load_registry

if TYPE_CHECKING:
    from streameval.cli.opening import Subparsers


def add_to(commands: Subparsers) -> None:
    """Add the subcommands to the command's parser."""
    streams = commands.add_parser(
        "streams",
        examples=("streameval streams", "streameval streams | grep elec2"),
        description="List the streams of the registry, by the ids that other commands take. Their "
        "numbers of instances, inputs and classes are those of the whole stream.",
    )
    streams.set_defaults(run=_list_streams)
    learners = commands.add_parser(
        "learners",
        examples=("streameval learners", "streameval learners | grep forest"),
        description="List the learners of the registry, by the ids that --learner takes, with "
        "their targets and parameters.",
    )
    learners.set_defaults(run=_list_learners)


def _list_streams(options: argparse.Namespace) -> None:
    registry = load_registry(check_options=False)
    head = ("ID", "INSTANCES", "INPUTS", "CLASSES", "WHAT")
    _print_table([head, *map(_stream_row, registry.values())], right=(1, 2, 3))


def _stream_row(spec: StreamSpec) -> tuple[str, ...]:
    numbers = [f"{n:,}" if n is not None else "?" for n in (spec.rows, spec.columns, spec.classes)]
    return (spec.id, *numbers, spec.title)


def _list_learners(options: argparse.Namespace) -> None:
    learners = load_learners(settings.locate("config/learners.yaml"))
    rows = [("ID", "WHAT", "PREDICTS", "PARAMETERS")]
    for spec in learners.values():
        parameters = ", ".join(f"{key}={value}" for key, value in spec.parameters.items())
        wrapper = f", in {spec.wrapper}" if spec.wrapper else ""
        predicts = "numbers" if spec.is_regressor else "classes" if spec.is_classifier else "either"
        rows.append((spec.id, spec.title, predicts, (parameters or "defaults") + wrapper))
    _print_table(rows)


def _print_table(rows: Sequence[tuple[str, ...]], right: Sequence[int] = ()) -> None:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        print("  ".join(cells).rstrip())
