"""The subcommands ``run`` and ``forecast``, and Snakemake as a command of ours."""

from __future__ import annotations

import argparse
import errno
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from streameval import settings
from streameval.errors import ConfigError, StreamevalError, bounded, plain

if TYPE_CHECKING:
    from streameval.cli.opening import Subparsers
    from streameval.pipeline.plan import Plan


def add_to(commands: Subparsers) -> None:
    """Add the subcommands to the command's parser."""
    parser = commands.add_parser(
        "run",
        usage="%(prog)s [FILE] [--cores N] [-- SNAKEMAKE_OPTION ...]",
        examples=(
            "streameval run mine.yaml --dry-run",
            "streameval run mine.yaml --cores 2",
        ),
        description="Run the studies that a configuration file describes, in the working folder: "
        "tables in results/tables, figures in figures, and pages that show them; the last line "
        "says where. A stopped run continues. Options after -- are passed to Snakemake.",
    )
    file = (
        "a YAML file with studies, their items, and streams and learners of your own; without it, "
        "the studies of the papers run"
    )
    _add_file_and_cores(parser, file, "cores to use; by default all")
    parser.add_argument(
        "--dry-run", action="store_true", help="only check the file and list the jobs"
    )
    parser.set_defaults(run=_run, more=[])  # main() takes those off
    forecast = commands.add_parser(
        "forecast",
        examples=(
            "streameval forecast",
            "streameval forecast mine.yaml --cores 8",
        ),
        description="Forecast the core-hours of the long studies of a configuration, those in "
        "parts: short probes of each stream are measured and extrapolated. The run is not "
        "started.",
    )
    file, cores = "a configuration; without it, the default run", "cores that the run would use"
    _add_file_and_cores(forecast, file, f"{cores}; by default all")
    seconds = "CPU seconds for all probes; by default 90"
    forecast.add_argument("--seconds", metavar="S", type=float, help=seconds)
    forecast.set_defaults(run=_run_forecast, seconds=90.0)


def _add_file_and_cores(command: argparse.ArgumentParser, file: str, cores: str) -> None:
    command.add_argument("file", metavar="FILE", nargs="?", help=file)
    default = os.cpu_count() or 1
    command.add_argument("--cores", metavar="N", type=int, default=default, help=cores)


def _check_cores(options: argparse.Namespace) -> None:
    if options.cores < 1:
        raise ConfigError(f"--cores: expected at least one core, found {options.cores}.")


def _run(options: argparse.Namespace) -> None:
    _check_cores(options)
    require_pipeline("Running studies")
    dry = options.dry_run or bool({"-n", "--dry-run", "--dryrun"} & {*options.more})
    if dry:
        sys.dont_write_bytecode = True  # of classes of the user's own
    else:
        check_folder(Path.cwd())
    files = [_checked_file(options.file)] if options.file else []
    plan = check(files, contents=dry)
    command = [sys.executable, "-P", "-m", "snakemake", "--snakefile", str(_snakefile())]
    command += ["--cores", str(options.cores)]
    command += ["--configfile", *map(str, files)] if files else []
    asked = ["--dry-run"] if options.dry_run else []
    quiet = [] if "--quiet" in options.more else ["--quiet", "host", "reason"]
    call([*command, *asked, *quiet, *options.more], writes=not dry)
    if not dry:
        from streameval.pipeline.paged import first_page

        print(f"\nDone. Open {Path(first_page(plan)).absolute()}")


def _checked_file(name: str) -> Path:
    """Return the path of a study; a stream is not one."""
    path = Path(name)
    if path.suffix.lower() in (".yaml", ".yml", ".json"):
        return path.absolute()
    raise ConfigError(
        f"run: expected a study, a YAML file with streams and items, found "
        f"{path.name!r}. For a single stream use `streameval evaluate {path.name} --learner L`; "
        'the page "A study of your own" of the documentation has one to copy.'
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
            f"{what} needs {', '.join(missing)}, which {'is' if len(missing) == 1 else 'are'} not "
            'installed: pip install "streameval[pipeline]"'
        )


def check(files: list[Path], *, contents: bool) -> Plan:
    """Refuse a wrong configuration in a single message, before Snakemake starts.

    Returns the plan of its run.

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
    return plan


def _snakefile() -> Path:
    in_clone = settings.ROOT / "Snakefile"
    return in_clone if in_clone.is_file() else settings.ROOT / "workflow" / "Snakefile"


def _run_forecast(options: argparse.Namespace) -> None:
    _check_cores(options)
    if not options.seconds > 0:
        raise ConfigError(f"--seconds: expected more than 0, found {options.seconds:g}.")
    require_pipeline("A forecast")
    from streameval.pipeline.configuration import merged
    from streameval.pipeline.forecast import Forecast, advice, forecasts, page, without_missing
    from streameval.pipeline.plan import make_plan

    files = [Path(options.file).absolute()] if options.file else []
    plan = make_plan(without_missing(merged(files)), decide=False, files=files)
    told = [*forecasts(plan, options.seconds)]
    found = [one for one in told if isinstance(one, Forecast)]
    missing = [one for one in told if not isinstance(one, Forecast)]
    if found:
        print(page(found, options.cores))
    else:
        print("No item that is done in parts has a stream here.")
    for item, stream, reason in missing:
        print(f"{item}, {stream}: not in the forecast, as the stream is not here: {reason}")
    for line in advice(found):
        print(line)


#: Start of a job's own error; see `streameval.pipeline.runs`.
_OURS = "Error: "
#: First lines of Snakemake's own messages on a failed job, which repeat those of the job.
_OF_FAILURE = re.compile(
    r"RuleException:|CalledProcessError in file|Command '|Error in rule |Exiting because a job |"
    r"Complete log\(s\)|WorkflowError:|At least one job did not |Removing output files of |"
    r"Elapsed time:"
)
#: Errors of the operating system, by whatever library.
_OF_SYSTEM = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
#: Folders of a run, in the working folder.
_WRITTEN = ("", ".snakemake", "logs", "results", "figures", "resources")
#: Seconds that an interrupted run has to end its jobs.
_PATIENCE = 60
#: Number of errors whose messages are repeated at the end.
_MOST = 5


def check_folder(folder: Path) -> None:
    """Refuse a working folder that nothing can be written to, before anything starts.

    Raises
    ------
    ConfigError
        If one of its folders cannot be written to, or its disk is full.
    """
    for name in _WRITTEN:
        place = folder / name
        if not place.is_dir():
            continue
        try:
            with tempfile.TemporaryFile(dir=place) as probe:
                probe.write(bytes(4096))
                probe.flush()
        except OSError as error:
            raise ConfigError(_said(error.errno, place)) from error


def _said(number: int | None, place: Path) -> str:
    why = os.strerror(number or errno.EIO)
    if number in (errno.ENOSPC, errno.EDQUOT):
        return f"The disk is full at {place}: {why}. Free some space; the same command goes on."
    return f"Expected a folder that can be written to, found {place}: {why}. Run in another folder."


def call(command: Sequence[str], *, writes: bool = True) -> None:
    """Run Snakemake in the working folder.

    Files in the working folder are not imported in place of installed modules. If it `writes`
    nothing, as in a dry run, the folder is left as it was.

    Raises
    ------
    StreamevalError
        If it fails, with the errors of the jobs, or all that Snakemake has said where no job has
        said why.
    """
    aside = {"PYTHONSAFEPATH": "1"}
    new = [name for name in _WRITTEN if name and not Path(name).exists()]
    if not writes:
        aside["PYTHONDONTWRITEBYTECODE"] = "1"
    errors: list[str] = []
    withheld: list[str] = []
    try:
        with subprocess.Popen(  # noqa: S603, options are the user's own
            command,
            env=os.environ | aside,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
        ) as process:
            try:
                for line in _shown(process.stderr or (), errors, withheld):
                    print(line, end="", file=sys.stderr, flush=True)
            except KeyboardInterrupt:  # Ctrl-C reaches both; the folder is free when it has ended
                with suppress(subprocess.TimeoutExpired):
                    process.communicate(timeout=_PATIENCE)
                process.terminate()
                raise
        code = process.returncode
    finally:
        if not writes:
            for made in [name for name in new if Path(name).is_dir()]:
                shutil.rmtree(made, ignore_errors=True)
    if code:
        if writes and not errors:
            check_folder(Path.cwd())  # Snakemake may be silent about a disk that is full
        raise StreamevalError(_why(errors, withheld))


def _shown(lines: Iterable[str], errors: list[str], withheld: list[str]) -> Iterator[str]:
    """Yield the lines to show; those about failures are collected."""
    in_failure, number = False, None
    for line in lines:
        if number is None and not line.startswith(_OURS):
            number = next((code for code in _OF_SYSTEM if os.strerror(code) in line), None)
            if number is not None:
                yield f"streameval: {_said(number, Path.cwd())}\n"
        if number is not None:  # what follows are the tracebacks of all that cannot write
            withheld.append(line)
            continue
        in_failure = bool(_OF_FAILURE.match(line)) or (in_failure and line[:1] in (" ", "\n"))
        if in_failure:
            withheld.append(line)
            continue
        if line.startswith(_OURS):
            errors.append(line.removeprefix(_OURS).strip())
        yield line


def _why(errors: Sequence[str], withheld: Sequence[str]) -> str:
    """Return why a run has failed: errors of the disk first, then those of the jobs."""
    again = "The same command goes on."
    text = "".join(withheld)
    for number in _OF_SYSTEM:
        if os.strerror(number) in text:
            return _said(number, Path.cwd())
    if errors:
        named = list(dict.fromkeys(errors))
        more = f" And {len(named) - _MOST:,} further errors." if len(named) > _MOST else ""
        return f"The run did not finish. {again}{more}\n" + "\n".join(named[:_MOST])
    why = bounded(plain(" ".join(text.split()), 1500)) or "see above"
    return f"The run did not finish: {why.rstrip('.')}. {again}"
