"""The subcommand ``run``."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from streameval import settings
from streameval.errors import ConfigError, StreamevalError

if TYPE_CHECKING:
    from streameval.cli.opening import Subparsers

REPORT = Path("results", "report.html")


def add_to(commands: Subparsers) -> None:
    """Add the subcommand to the command's parser."""
    parser = commands.add_parser(
        "run",
        usage="%(prog)s [FILE] [--cores N] [-- SNAKEMAKE_OPTION ...]",
        description="Run the studies that a configuration file describes, in the working folder: "
        "tables in results/tables, figures in figures, and a report in results/report.html. A run "
        "that was stopped goes on where it was. What stands behind -- are options of Snakemake.",
    )
    parser.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        help="a YAML file with studies, their items, and streams and learners of your own; without "
        "it, the studies of the papers run",
    )
    parser.add_argument(
        "--cores",
        metavar="N",
        type=int,
        default=os.cpu_count() or 1,
        help="cores to use; by default all",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="only check the file and say what would be done"
    )
    parser.set_defaults(run=_run, more=[])  # main() takes those off


def _run(options: argparse.Namespace) -> None:
    if options.cores < 1:
        raise ConfigError(f"--cores: expected at least one core, found {options.cores}.")
    require_pipeline("Running studies")
    files = [Path(options.file).absolute()] if options.file else []
    _check(files)
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(_snakefile())]
    command += ["--cores", str(options.cores)]
    command += ["--configfile", *map(str, files)] if files else []
    dry = ["--dry-run"] if options.dry_run else []
    quiet = [] if "--quiet" in options.more else ["--quiet", "host", "reason"]
    _call([*command, *dry, *quiet, *options.more])
    if not dry:
        REPORT.parent.mkdir(exist_ok=True)
        aside = REPORT.with_name(".report.html")
        _call([*command, "--quiet", "all", "--report", str(aside)])
        aside.replace(REPORT)
        print(f"\nDone. The report: {REPORT.absolute()}")


def require_pipeline(what: str) -> None:
    """Refuse to go on without the packages of the extra.

    Raises
    ------
    ConfigError
        If one of them is missing.
    """
    missing = [name for name in ("snakemake", "matplotlib", "msgspec") if find_spec(name) is None]
    if missing:
        raise ConfigError(
            f"{what} needs {', '.join(missing)}, which {_is(missing)} not installed: "
            'pip install "streameval[pipeline]"'
        )


def _is(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _check(files: list[Path]) -> None:
    """Refuse a wrong configuration in one message, before Snakemake starts."""
    from streameval.pipeline.checks import check_generated, check_rows
    from streameval.pipeline.configuration import merged
    from streameval.pipeline.plan import make_plan

    plan = make_plan(merged(files), decide=False, files=files)
    check_generated(plan)
    check_rows(plan)


def _snakefile() -> Path:
    in_clone = settings.ROOT / "Snakefile"
    return in_clone if in_clone.is_file() else settings.ROOT / "workflow" / "Snakefile"


def _call(command: list[str]) -> None:
    done = subprocess.run(command, check=False)  # noqa: S603, options are the user's own
    if done.returncode:
        raise StreamevalError(
            "The run did not finish: the messages above say why. The same command goes on."
        )
