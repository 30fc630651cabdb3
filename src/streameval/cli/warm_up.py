"""The subcommand ``warm-up``."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from tqdm import tqdm

from streameval import settings
from streameval.api.learners import spec_of
from streameval.learners.registry import load_learners
from streameval.pipeline.other_parts import other_parts
from streameval.pipeline.warm_up import learner_parts, warm_up

if TYPE_CHECKING:
    from streameval.cli.opening import Subparsers


_MOST_PROCESSES = 4


def add_to(commands: Subparsers) -> None:
    """Add the subcommand to the command's parser."""
    parser = commands.add_parser(
        "warm-up",
        examples=(
            "streameval warm-up",
            "streameval warm-up hoeffding_tree knn",
        ),
        description="Compile learners into the disk cache for all later runs, and print the "
        "seconds that each took. A learner that is already compiled takes almost no time.",
    )
    parser.add_argument(
        "learners",
        metavar="L",
        nargs="*",
        help="ids from `streameval learners`; by default all learners and all other compiled code",
    )
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> None:
    chosen = {name: spec_of(name) for name in options.learners}
    everything = load_learners(settings.locate("config/learners.yaml"))
    parts = learner_parts(chosen or everything) | ({} if chosen else other_parts())
    # A few processes are worth it only for many learners: each compiles what these have in common.
    processes = min(os.cpu_count() or 1, _MOST_PROCESSES) if len(parts) > 2 else 1
    total = 0.0
    with tqdm(total=len(parts), unit=" parts", disable=None, leave=False) as bar:
        for name, seconds in warm_up(parts, processes):
            bar.update()
            tqdm.write(f"{name:<32}{seconds:>12.2f} s")
            total += seconds
    print(f"{'all':<32}{total:>12.2f} s")
