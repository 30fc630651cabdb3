"""The subcommand ``run``."""

from __future__ import annotations

import argparse
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from streameval import settings
from streameval.cli.screen import call, check_folder
from streameval.errors import ConfigError

if TYPE_CHECKING:
    from streameval.cli.opening import Subparsers

REPORT = Path("results", "report.html")


def add_to(commands: Subparsers) -> None:
    """Add the subcommand to the command's parser."""
    parser = commands.add_parser(
        "run",
        usage="%(prog)s [FILE] [--cores N] [-- SNAKEMAKE_OPTION ...]",
        examples=(
            "streameval run mine.yaml --dry-run",
            "streameval run mine.yaml --cores 2",
        ),
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
    dry = options.dry_run or bool({"-n", "--dry-run", "--dryrun"} & {*options.more})
    if dry:
        sys.dont_write_bytecode = True  # of classes of the user's own
    else:
        check_folder(Path.cwd())
    files = [_checked_file(options.file)] if options.file else []
    check(files, contents=dry)
    command = [sys.executable, "-P", "-m", "snakemake", "--snakefile", str(_snakefile())]
    command += ["--cores", str(options.cores)]
    command += ["--configfile", *map(str, files)] if files else []
    asked = ["--dry-run"] if options.dry_run else []
    quiet = [] if "--quiet" in options.more else ["--quiet", "host", "reason"]
    call([*command, *asked, *quiet, *options.more], writes=not dry)
    if not dry:
        REPORT.parent.mkdir(exist_ok=True)
        aside = REPORT.with_name(".report.html")
        try:
            call([*command, *quiet, "--report", str(aside)], shows=False)
            aside.replace(REPORT)
        finally:
            aside.unlink(missing_ok=True)
        print(f"\nDone. The report: {REPORT.absolute()}")


def _checked_file(name: str) -> Path:
    """Return the path of a study; a stream is not one."""
    path = Path(name)
    if path.suffix.lower() in (".yaml", ".yml", ".json"):
        return path.absolute()
    raise ConfigError(
        f"run: expected a study, a YAML file that names streams and what to make of them, found "
        f"{path.name!r}. For a single stream use `streameval evaluate {path.name} --learner L`; "
        'the README has a study to copy, under "Your own study".'
    )


def require_pipeline(what: str) -> None:
    """Refuse to go on without the packages of the extra.

    Raises
    ------
    ConfigError
        If one of them is missing.
    """
    missing = [name for name in ("snakemake", "matplotlib") if find_spec(name) is None]
    if missing:
        raise ConfigError(
            f"{what} needs {', '.join(missing)}, which {_is(missing)} not installed: "
            'pip install "streameval[pipeline]"'
        )


def _is(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"


def check(files: list[Path], *, contents: bool) -> None:
    """Refuse a wrong configuration in one message, before Snakemake starts.

    Parameters
    ----------
    files : list of Path
        Configurations; a later one adds to those before it.
    contents : bool
        Whether to read the files of streams, too.
    """
    from streameval.pipeline.checks import check_files, check_generated, check_rows
    from streameval.pipeline.configuration import merged
    from streameval.pipeline.plan import make_plan

    plan = make_plan(merged(files), decide=False, files=files)
    check_generated(plan)
    check_rows(plan)
    if contents:
        check_files(plan)


def _snakefile() -> Path:
    in_clone = settings.ROOT / "Snakefile"
    return in_clone if in_clone.is_file() else settings.ROOT / "workflow" / "Snakefile"
