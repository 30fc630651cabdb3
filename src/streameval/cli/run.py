"""The subcommand ``run``, and calls of Snakemake."""

from __future__ import annotations

import argparse
import errno
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from math import ceil
from pathlib import Path
from typing import IO, TYPE_CHECKING

from streameval.base import settings
from streameval.base.errors import (
    ConfigError,
    StreamevalError,
    did_you_mean,
    printable,
    shorten_message,
)
from streameval.base.files import check_writable
from streameval.base.processes import child
from streameval.base.terminal import IncompleteError

if TYPE_CHECKING:
    from streameval.cli.options import Subparsers
    from streameval.pipeline.failure_list import Failure
    from streameval.pipeline.plan import Plan


def add_to(commands: Subparsers) -> None:
    """Add the subcommand to the command's parser."""
    parser = commands.add_parser(
        "run",
        usage="%(prog)s [FILE] [--cores N] [-- SNAKEMAKE_OPTION ...]",
        examples=(
            "streameval run mine.yaml --dry-run",
            "streameval run mine.yaml --cores 2",
        ),
        description="Run the studies of a configuration file in the working folder. Tables are "
        "written to results/tables, figures to figures. The last line of the output names the page "
        "to open first. A stopped run continues where it stopped. Options after -- are passed to "
        "Snakemake.",
    )
    file_help = (
        "a YAML file with studies, their items, and streams and learners of your own; without it, "
        "the studies of the papers run"
    )
    parser.add_argument("file", metavar="FILE", nargs="?", help=file_help)
    cores_help = (
        "number of jobs that run side by side, each on one core; by default all cores. With "
        "--slurm, number of short jobs on this machine, by default two"
    )
    parser.add_argument("--cores", metavar="N", type=int, help=cores_help)
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="only check the file, list the jobs, and estimate the longest time of learners",
    )
    parser.add_argument(
        "--retry",
        action="store_true",
        help="run failed learners again even if neither code nor settings have changed",
    )
    parser.add_argument(
        "--slurm",
        action="store_true",
        help="submit the jobs that run learners to SLURM; needs the extra slurm, and a working "
        "folder on a disk that all machines share",
    )
    # Snakemake's options follow --, see streameval.cli.main.
    parser.set_defaults(run=_run, snakemake_options=[])


def _check_cores(options: argparse.Namespace) -> None:
    if options.cores is None:
        options.cores = _LOCAL_CORES_WITH_SLURM if options.slurm else os.cpu_count() or 1
    if options.cores < 1:
        raise ConfigError(f"--cores: expected at least one core, found {options.cores}.")


def _run(options: argparse.Namespace) -> None:
    _check_cores(options)
    require_pipeline("Running studies")
    is_dry = options.dry_run or bool({"-n", "--dry-run", "--dryrun"} & {*options.snakemake_options})
    if is_dry:
        # Checks import classes of the user's own; a dry run writes no files beside them.
        sys.dont_write_bytecode = True
    else:
        check_folder(Path.cwd())
    files = [_check_study_file(options.file)] if options.file else []
    plan = check_setup(files, contents=is_dry)
    # -P: modules of the working folder must not replace installed modules.
    command = [sys.executable, "-P", "-m", "snakemake", "--snakefile", str(_snakefile())]
    on_cluster = options.slurm and not is_dry  # a dry run needs no cluster and no plug-in
    if on_cluster:
        _require_slurm()
    # Without this option Snakemake would use a profile in the working folder.
    profile = "slurm" if on_cluster else "default"
    command += ["--workflow-profile", str(_snakefile().parent / "profiles" / profile)]
    command += ["--configfile", *map(str, files)] if files else []
    command += ["--dry-run"] if options.dry_run else []
    failures = _failures(plan) if options.retry else []
    retried = list(dict.fromkeys(failure.job.file for failure in failures))
    command += ["--forcerun", *retried] if retried else []
    # By default leave out the name of the host and the reasons for jobs.
    command += [] if "--quiet" in options.snakemake_options else ["--quiet", "host", "reason"]
    # An option with exactly one value comes last: after an option with several values, the names
    # of files in snakemake_options would count as its values.
    cores_option = "--local-cores" if on_cluster else "--cores"
    command += [cores_option, str(options.cores), *options.snakemake_options]
    requests = partial(_slurm_requests, plan) if options.slurm else None
    summary = _dry_run_summary(options, partial(_seconds, plan), requests)
    # Only --dry-run before -- prints a summary: `-- -n` lists all jobs.
    with summary if options.dry_run else nullcontext() as output:
        try:
            has_run = run_snakemake(
                command,
                writes=not is_dry,
                output=output,
                known_files=partial(_output_files, plan),
                words=options.command_words,
            )
        except StreamevalError as error:
            summary_line = "" if is_dry else _print_failures(options, _failures(plan))
            raise StreamevalError("\n".join(filter(None, [summary_line, str(error)]))) from error
    if has_run and not is_dry:
        from streameval.pipeline.page_content import first_page

        page = Path(first_page(plan)).absolute()  # missing after a run of selected files
        print(f"\nDone. Open {page}" if page.is_file() else "\nDone.", flush=True)
        if options.slurm or options.cores > 1:  # separate jobs run in parallel
            from streameval.pipeline.slow_learners import advice, slow_runs

            for line in advice(slow_runs(plan)):
                print(line, flush=True)
        if summary_line := _print_failures(options, _failures(plan)):
            raise IncompleteError(summary_line)


@contextmanager
def _dry_run_summary(
    options: argparse.Namespace,
    seconds: Callable[[], Mapping[str, float]],
    requests: Callable[[], Mapping[str, tuple[int, int]]] | None = None,
) -> Iterator[IO[str]]:
    """Yield a file for the output of a dry run; afterwards print a summary of it.

    `seconds` returns the longest time of the learners of each job, by the job's message, and
    `requests` the megabytes and minutes that each job asks a cluster for.
    """
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output:
        yield output
        output.seek(0)
        jobs = [match[2].strip() for line in output if (match := _JOB_BEGINS.match(line))]
    if not jobs:
        print("Nothing to do: all results are there and up to date.")
        return
    print(f"{len(jobs):,} job{'s' * (len(jobs) > 1)} to do:")
    print("".join(f"  {job}\n" for job in jobs[:_MAX_JOBS]), end="")
    if len(jobs) > _MAX_JOBS:
        file = f" {options.file}" if options.file else ""
        print(f"  and {len(jobs) - _MAX_JOBS:,} others; `streameval run{file} -- -n` lists all")
    seconds_by_job = seconds()
    if any(job in seconds_by_job for job in jobs):
        time = _core_time(sum(seconds_by_job.get(job, 0.0) for job in jobs))
        print(f"Learners take at most {time}, estimated from the known sizes of streams.")
    requests_by_job = requests() if requests is not None else {}
    if submitted := [requests_by_job[job] for job in jobs if job in requests_by_job]:
        megabytes, minutes = map(max, zip(*submitted, strict=True))
        number = f"{len(submitted):,} job{'s' * (len(submitted) > 1)}"
        print(f"{number} for SLURM, each with at most {megabytes:,} MB and {minutes:,} minutes.")


def _failures(plan: Plan) -> list[Failure]:
    """Learners that failed, as recorded in the files of the plan."""
    from streameval.pipeline.failure_list import failures_in
    from streameval.pipeline.products import failure_records

    return failures_in(failure_records(plan))


def _print_failures(options: argparse.Namespace, failures: list[Failure]) -> str:
    """Print a list of failures, and return a sentence with their number and what to do."""
    from streameval.pipeline.failure_list import failure_lines, headline

    if not failures:
        return ""
    print(*failure_lines(failures), sep="\n", file=sys.stderr)
    command = " ".join(["streameval run", *([options.file] if options.file else []), "--retry"])
    return (
        f"{headline(failures)} After a correction of code, data or settings, repeat the same "
        f"command. `{command}` runs these learners again unchanged."
    )


def _core_time(seconds: float) -> str:
    """Text of a time, rounded up."""
    if seconds <= 60:
        return "a core-minute"
    if seconds <= 7200:
        return f"{ceil(seconds / 60)} core-minutes"
    return f"{ceil(seconds / 3600):,} core-hours"


def _require_slurm() -> None:
    """Raise ConfigError without Snakemake's plug-in for SLURM, or without a cluster."""
    if find_spec("snakemake_executor_plugin_slurm") is None:
        raise ConfigError(
            "--slurm needs snakemake-executor-plugin-slurm, which is not installed: "
            'pip install "streameval[slurm]"'
        )
    if shutil.which("sbatch") is None:
        raise ConfigError(
            "--slurm: expected the program sbatch, found none. Run on a machine from which jobs "
            "are submitted."
        )


def _slurm_requests(plan: Plan) -> Mapping[str, tuple[int, int]]:
    """Megabytes and minutes that each job asks SLURM for, by the message of the job."""
    from streameval.pipeline.study_jobs import requests_by_message

    return requests_by_message(plan)


def _seconds(plan: Plan) -> Mapping[str, float]:
    """Longest time of the learners of each job, by the message of the job."""
    from streameval.pipeline.study_jobs import seconds_by_message

    return seconds_by_message(plan)


def _output_files(plan: Plan) -> list[str]:
    """Files that the jobs of a plan write: studies, tables and drawings."""
    from streameval.pipeline import products, study_jobs

    jobs = (*study_jobs.studies(plan), *products.table_jobs(plan), *products.drawing_jobs(plan))
    return [path for job in jobs for path in job.outputs]


def _check_study_file(name: str) -> Path:
    """Absolute path of a study; other files, such as streams, raise ConfigError."""
    path = Path(name)
    if path.suffix.lower() in (".yaml", ".yml", ".json"):
        return path.absolute()
    raise ConfigError(
        f"run: expected a study, a YAML file with streams and items, found "
        f"{path.name!r}. For a single stream use `streameval evaluate {path.name} --learner L`; "
        'the page "A study of your own" of the documentation has one to copy.'
    )


def require_pipeline(feature: str) -> None:
    """Raise ConfigError without the packages of the extra; `feature` begins the message."""
    missing = [name for name in ("snakemake", "matplotlib") if find_spec(name) is None]
    if missing:
        raise ConfigError(
            f"{feature} needs {', '.join(missing)}, which {'is' if len(missing) == 1 else 'are'} "
            'not installed: pip install "streameval[pipeline]"'
        )


def check_setup(files: list[Path], *, contents: bool) -> Plan:
    """Check a configuration before Snakemake starts, and return its plan.

    Raises a ConfigError that lists all problems. Later files add to earlier files. With `contents`
    the files of streams are read, too.
    """
    from streameval.pipeline.checks import check_files, check_generated, check_learner_rows
    from streameval.pipeline.configuration import merge_files
    from streameval.pipeline.plan import make_plan

    # decide=False: Snakemake's process decides which streams are available.
    plan = make_plan(merge_files(files), decide=False, files=files)
    check_generated(plan)
    learner_errors = check_learner_rows(plan)
    if contents:
        for error in learner_errors:
            print(f"streameval: {error} The run will record that it failed.", file=sys.stderr)
        check_files(plan)
    return plan


def _snakefile() -> Path:
    in_clone = settings.ROOT / "Snakefile"
    return in_clone if in_clone.is_file() else settings.ROOT / "workflow" / "Snakefile"


#: Start of an error that one of our jobs prints, see `streameval.pipeline.runs.failure_line`.
_JOB_ERROR = "Error: "
#: End of such an error, with the log of the job.
_LOG_OF_ERROR = re.compile(r" \(log: ([^()]+)\)$")
#: Snakemake's message on the start of a job: number and the message of the job.
_JOB_BEGINS = re.compile(r"Job (\d+): (.+)")
#: Snakemake's message on a failed job: rule, number, and further lines.
_JOB_FAILED = re.compile(r"Error in rule (\w+):.*?\n    jobid: (\d+)\n(.*?)(?=\n\S|\Z)", re.DOTALL)
#: The log in the further lines of `_JOB_FAILED`.
_LOG_OF_JOB = re.compile(r"^    log: (.+) \(check log", re.MULTILINE)
#: Snakemake's message on a requested file that no job makes.
_UNKNOWN_FILE = re.compile(r"No rule to produce (.+?) \(if you use input functions")
_UP_TO_DATE = "Nothing to be done"
_LOCKED = "Error: Directory cannot be locked"
#: First lines of Snakemake's messages on a failed job, which repeat the job's error.
_FAILURE_MESSAGE = re.compile(
    r"RuleException:|CalledProcessError in file|Command '|Error in rule |Exiting because a job |"
    r"Complete log\(s\)|WorkflowError:|At least one job did not |Removing output files of |"
    r"Elapsed time:"
)
#: Error numbers of the operating system after which a run cannot write. Their texts are searched in
#: the output of all libraries.
_WRITE_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
#: Folders that a run writes, in the working folder.
_WRITTEN_FOLDERS = ("", ".snakemake", "logs", "results", "figures", "resources")
#: Largest number of errors of jobs that are repeated at the end.
_MAX_ERRORS = 5
#: Largest number of jobs that the summary of a dry run names.
_MAX_JOBS = 8
#: Largest number of characters of Snakemake's own messages that are repeated at the end.
_MAX_REASON = 1500
#: Default number of cores for short jobs on this machine; the other jobs run on the cluster.
_LOCAL_CORES_WITH_SLURM = 2


def check_folder(folder: Path) -> None:
    """Raise ConfigError if a run cannot write to the working folder, before it starts."""
    for name in _WRITTEN_FOLDERS:
        path = folder / name
        if not path.is_dir():
            continue
        try:
            check_writable(path)
        except OSError as error:
            raise ConfigError(_write_error_text(error.errno, path)) from error


def _write_error_text(number: int | None, path: Path) -> str:
    reason = os.strerror(number or errno.EIO)
    if number in (errno.ENOSPC, errno.EDQUOT):
        return f"The disk is full at {path}: {reason}. Free some space, then repeat the command."
    return (
        f"Expected a folder that can be written to, found {path}: {reason}. Run in another folder."
    )


def run_snakemake(
    command: Sequence[str],
    *,
    writes: bool = True,
    output: IO[str] | None = None,
    known_files: Callable[[], Iterable[str]] = tuple,
    words: Sequence[str] = (),
) -> bool:
    """Run Snakemake in the working folder, or fail with the errors of the jobs.

    Return whether jobs have run or all files are up to date; False for options such as
    ``--unlock``, which run no jobs.

    Without `writes`, as in a dry run, new folders are removed again. With `output`, Snakemake's
    output goes to this file, and is printed on failure. `known_files` returns the files that jobs
    make, to suggest one for an unknown name. `words` are the words of the user's command, which the
    pages of the run show.
    """
    # Modules of the working folder must not replace installed modules.
    variables = {"PYTHONSAFEPATH": "1"}
    if words:
        from streameval.pipeline.origins import COMMAND

        variables[COMMAND] = shlex.join(["streameval", *words])
    new_folders = [name for name in _WRITTEN_FOLDERS if name and not Path(name).exists()]
    if not writes:
        variables["PYTHONDONTWRITEBYTECODE"] = "1"
    log = _RunLog()
    try:
        with (
            _writable_cache() as cache,
            child(command, os.environ | variables | cache, output) as process,
        ):
            for line in _messages(process.stderr or (), log):
                print(line, end="", file=sys.stderr, flush=True)
        code = process.returncode
    finally:
        if not writes:
            for folder in [name for name in new_folders if Path(name).is_dir()]:
                shutil.rmtree(folder, ignore_errors=True)
    if code:
        if output is not None:
            output.seek(0)
            for line in _messages(output, log):
                print(line, end="", file=sys.stderr)
        if log.is_locked:
            raise StreamevalError(
                "Another run is active in this folder: wait until it ends, then run again. If no "
                "run is active, for example after a power failure, add `-- --unlock` to the "
                "command once; then run it again."
            )
        if log.unknown_file:
            name = log.unknown_file
            raise StreamevalError(
                f"No job makes the file {name!r}. {did_you_mean(name, known_files())}".rstrip()
            )
        if writes and not log.errors:
            check_folder(Path.cwd())  # Snakemake may not report a full disk
        raise StreamevalError(_failure_text(log))
    return bool(log.jobs) or log.is_up_to_date


@contextmanager
def _writable_cache() -> Iterator[dict[str, str]]:
    """Yield environment variables that give Snakemake a temporary folder for its cache.

    There are none if Snakemake can write to the user's cache.
    """
    is_writable = True
    try:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "snakemake"
        folder.mkdir(parents=True, exist_ok=True)
        check_writable(folder)
    except (OSError, RuntimeError):  # RuntimeError: the user has no home folder
        is_writable = False
    if is_writable:
        yield {}
        return
    with tempfile.TemporaryDirectory(prefix="streameval-cache-") as temporary_folder:
        yield {"XDG_CACHE_HOME": temporary_folder}


@dataclass
class _RunLog:
    """Messages of a run about its jobs, errors of the jobs, and errors of Snakemake."""

    jobs: dict[str, str] = field(default_factory=dict)  # message by number
    errors: list[str] = field(default_factory=list)  # of jobs
    failure_lines: list[str] = field(default_factory=list)  # not printed
    is_locked: bool = False  # another run has locked the folder
    is_up_to_date: bool = False  # no job had to run
    unknown_file: str = ""  # a requested file that no job makes


def _messages(lines: Iterable[str], log: _RunLog) -> Iterator[str]:
    """Yield the lines to print; lines about failures are stored in the log."""
    in_failure, write_error = False, None
    for line in lines:
        if write_error is None and not line.startswith(_JOB_ERROR):
            write_error = next((code for code in _WRITE_ERRORS if os.strerror(code) in line), None)
            if write_error is not None:
                yield f"streameval: {_write_error_text(write_error, Path.cwd())}\n"
        if write_error is not None:  # only tracebacks of jobs follow; no job can write
            log.failure_lines.append(line)
            continue
        in_failure = bool(_FAILURE_MESSAGE.match(line)) or (in_failure and line[:1] in (" ", "\n"))
        if in_failure:
            log.failure_lines.append(line)
            continue
        if line.startswith(_LOCKED):
            log.is_locked = True
        # `run_snakemake` raises an error with shorter advice instead.
        if log.is_locked or line.startswith("LockException:"):
            continue
        if line.startswith(_JOB_ERROR):
            log.errors.append(line.removeprefix(_JOB_ERROR).strip())
        elif unknown := _UNKNOWN_FILE.match(line):
            log.unknown_file = unknown[1]
            continue
        elif begins := _JOB_BEGINS.match(line):
            log.jobs[begins[1]] = begins[2].strip()
        log.is_up_to_date |= line.startswith(_UP_TO_DATE)
        yield line


def _failure_text(log: _RunLog) -> str:
    """Reason why a run has failed: errors of the disk first, then errors of the jobs."""
    advice = "Repeat the same command to continue."
    text = "".join(log.failure_lines)
    for number in _WRITE_ERRORS:
        if os.strerror(number) in text:
            return _write_error_text(number, Path.cwd())
    if errors := list(dict.fromkeys([*_errors_of_jobs(log, text), *log.errors])):
        n_more = len(errors) - _MAX_ERRORS
        more = f" And {n_more:,} further errors." if n_more > 0 else ""
        return f"The run did not finish. {advice}{more}\n" + "\n".join(errors[:_MAX_ERRORS])
    reason = shorten_message(printable(" ".join(text.split()), _MAX_REASON)) or "see above"
    return f"The run did not finish: {reason.rstrip('.')}. {advice}"


def _errors_of_jobs(run_log: _RunLog, text: str) -> Iterator[str]:
    """Yield the errors of failed jobs, each after the message of its job.

    These errors are removed from `run_log.errors`. The remaining errors belong to no job that
    Snakemake names.
    """
    errors = {match[1]: error for error in run_log.errors if (match := _LOG_OF_ERROR.search(error))}
    for rule, number, details in _JOB_FAILED.findall(text):
        job = run_log.jobs.get(number, rule)
        log = match[1] if (match := _LOG_OF_JOB.search(details)) else ""
        if log in errors:
            if errors[log] in run_log.errors:
                run_log.errors.remove(errors[log])
            yield f"{job}: {errors[log]}"
        elif log:
            yield (
                f"{job}: it ended without a message, like a process that is killed by a user or "
                f"for lack of memory (log: {log})"
            )
