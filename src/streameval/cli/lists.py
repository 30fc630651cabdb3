"""The subcommands that list registries, and ``warm-up``, which compiles learners and detectors."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from streameval.base import settings
from streameval.learners.registry import load_learners
from streameval.learners.tasks import prediction_noun
from streameval.streams.registry import StreamSpec, load_registry
from streameval.view.text import align_columns

if TYPE_CHECKING:
    from streameval.cli.options import Subparsers


#: Largest number of processes that compile. Each compiles the code that learners share, so more
#: processes would save little time.
_MAX_PROCESSES = 4


def add_to(commands: Subparsers) -> None:
    """Add the subcommands to the command's parser."""
    streams = commands.add_parser(
        "streams",
        examples=("streameval streams", "streameval streams | grep elec2"),
        description="List the streams of the registry with their ids, sizes and sources. Numbers "
        "of instances, inputs and classes are those of the whole stream.",
    )
    streams.set_defaults(run=_list_streams)
    learners = commands.add_parser(
        "learners",
        examples=("streameval learners", "streameval learners | grep forest"),
        description="List the learners of the registry with their ids for --learner, targets and "
        "parameters.",
    )
    learners.set_defaults(run=_list_learners)
    detectors = commands.add_parser(
        "detectors",
        examples=("streameval detectors", "streameval detectors | grep hddm"),
        description="List the drift detectors with their ids for --detector, inputs, and "
        "parameters in order. The last detectors are controls that ignore their inputs.",
    )
    detectors.set_defaults(run=_list_detectors)
    warm_up = commands.add_parser(
        "warm-up",
        examples=(
            "streameval warm-up",
            "streameval warm-up hoeffding_tree knn",
        ),
        description="Compile learners into the disk cache for all later runs, and print the "
        "seconds that each took. A learner that is already compiled takes almost no time.",
    )
    warm_up.add_argument(
        "learners",
        metavar="L",
        nargs="*",
        help="ids from `streameval learners`; by default all learners and all other compiled code",
    )
    warm_up.set_defaults(run=_warm_up)


def _list_streams(options: argparse.Namespace) -> None:
    registry = load_registry(check_options=False)  # checks would import all readers and generators
    titles = ("ID", "INSTANCES", "INPUTS", "CLASSES", "FROM", "WHAT")
    rows = [titles, *map(_stream_row, registry.values())]
    print("\n".join(align_columns(rows, right=(1, 2, 3))))


def _stream_row(spec: StreamSpec) -> tuple[str, ...]:
    numbers = [f"{n:,}" if n is not None else "?" for n in (spec.rows, spec.columns, spec.classes)]
    return (spec.id, *numbers, spec.origin, spec.title)


def _list_learners(options: argparse.Namespace) -> None:
    learners = load_learners(settings.locate("config/learners.yaml"))
    rows = [("ID", "WHAT", "PREDICTS", "PARAMETERS")]
    for spec in learners.values():
        parameters = ", ".join(f"{key}={value}" for key, value in spec.parameters.items())
        wrapper = f", in {spec.wrapper}" if spec.wrapper else ""
        predicts = prediction_noun(spec.tasks)
        rows.append((spec.id, spec.title, predicts, (parameters or "defaults") + wrapper))
    print("\n".join(align_columns(rows)))


def _list_detectors(options: argparse.Namespace) -> None:
    from streameval.detectors.registry import DETECTORS

    rows = [("NAME", "WHAT", "TAKES", "PARAMETERS")]
    for name, detector in DETECTORS.items():
        parameters = [
            parameter.name
            if parameter.is_required
            else f"{parameter.name}={str(parameter.default).lower()}"  # "true", as in settings
            for parameter in detector.declared_parameters()
        ]
        rows.append(
            (name, detector.title, detector.valid_inputs.text, ", ".join(parameters) or "none")
        )
    print("\n".join(align_columns(rows)))


def _warm_up(options: argparse.Namespace) -> None:
    # Imported here, as lists do not need compiled code.
    from tqdm import tqdm

    from streameval.api.learners import learner_spec
    from streameval.pipeline.non_learner_parts import non_learner_parts
    from streameval.pipeline.warm_up import learner_parts, warm_up

    requested = {name: learner_spec(name) for name in options.learners}
    registered = load_learners(settings.locate("config/learners.yaml"))
    parts = learner_parts(requested or registered) | ({} if requested else non_learner_parts())
    # Each process compiles the code that learners share, so one process is faster for two learners.
    processes = min(os.cpu_count() or 1, _MAX_PROCESSES) if len(parts) > 2 else 1
    total = 0.0
    with tqdm(total=len(parts), unit=" parts", disable=None, leave=False) as bar:
        for name, seconds in warm_up(parts, processes):
            bar.update()
            tqdm.write(f"{name:<32}{seconds:>12.2f} s")
            total += seconds
    print(f"{'all':<32}{total:>12.2f} s")
