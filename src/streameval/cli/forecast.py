"""The subcommand ``forecast``."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from streameval.cli.run import require_pipeline
from streameval.errors import ConfigError

if TYPE_CHECKING:
    from streameval.cli.opening import Subparsers


def add_to(commands: Subparsers) -> None:
    """Add the subcommand to the command's parser."""
    parser = commands.add_parser(
        "forecast",
        examples=(
            "streameval forecast",
            "streameval forecast mine.yaml --cores 8",
        ),
        description="Say how many core-hours the long studies of a configuration take, those that "
        "are done in parts: short probes of each stream are measured and extrapolated. Nothing "
        "of the run is started.",
    )
    parser.add_argument(
        "file", metavar="FILE", nargs="?", help="a configuration; without it, the default run"
    )
    parser.add_argument(
        "--cores",
        metavar="N",
        type=int,
        default=os.cpu_count() or 1,
        help="cores that the run would use; by default all",
    )
    parser.add_argument(
        "--seconds",
        metavar="S",
        type=float,
        default=90.0,
        help="CPU seconds for all probes; by default 90",
    )
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> None:
    if options.cores < 1:
        raise ConfigError(f"--cores: expected at least one core, found {options.cores}.")
    if not options.seconds > 0:
        raise ConfigError(f"--seconds: expected more than 0, found {options.seconds:g}.")
    require_pipeline("A forecast")
    from streameval.pipeline.configuration import merged
    from streameval.pipeline.forecast import Forecast, advice, forecasts, page, without_missing
    from streameval.pipeline.plan import make_plan

    files = [Path(options.file).absolute()] if options.file else []
    plan = make_plan(without_missing(merged(files)), decide=False, files=files)
    found, missing = [], []
    for one in forecasts(plan, options.seconds):
        if isinstance(one, Forecast):
            found.append(one)
        else:
            missing.append(one)
    if found:
        print(page(found, options.cores))
    else:
        print("No item that is done in parts has a stream here.")
    for item, stream, reason in missing:
        print(f"{item}, {stream}: not in the forecast, as the stream is not here: {reason}")
    for line in advice(found):
        print(line)
