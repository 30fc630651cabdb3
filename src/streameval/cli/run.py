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
from streameval.base.errors import ConfigError, StreamevalError, bounded, near, printable
from streameval.base.files import check_writable
from streameval.base.processes import child
from streameval.base.terminal import IncompleteError

if TYPE_CHECKING:
    from streameval.cli.options import Subparsers
    from streameval.pipeline.failure_list import Failure
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
    parser.add_argument("file", metavar="FILE", nargs="?", help=file)
    cores = (
        "number of jobs that run side by side, each on one core; by default all cores, with "
        "--slurm two for jobs of a few seconds"
    )
    parser.add_argument("--cores", metavar="N", type=int, help=cores)
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="only check the file, list the jobs and say how long learners take at most",
    )
    parser.add_argument(
        "--retry",
        action="store_true",
        help="run learners again that failed, though neither code nor settings have changed",
    )
    parser.add_argument(
        "--slurm",
        action="store_true",
        help="submit the jobs that run learners to SLURM; needs the extra slurm, and a working "
        "folder on a disk that all machines share",
    )
    parser.set_defaults(run=_run, more=[])  # main() takes those off


def _check_cores(options: argparse.Namespace) -> None:
    if options.cores is None:
        options.cores = _CORES_BESIDE_CLUSTER if options.slurm else os.cpu_count() or 1
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
    plan = check_setup(files, contents=dry)
    command = [sys.executable, "-P", "-m", "snakemake", "--snakefile", str(_snakefile())]
    # Snakemake would take one of the working folder, which may be a stranger's.
    on_cluster = options.slurm and not dry  # a dry run does without a cluster and its plug-in
    if on_cluster:
        _require_slurm()
    profile = "slurm" if on_cluster else "default"
    command += ["--workflow-profile", str(_snakefile().parent / "profiles" / profile)]
    command += ["--configfile", *map(str, files)] if files else []
    command += ["--dry-run"] if options.dry_run else []
    again = list(dict.fromkeys(product.job.file for product in _failed(plan) if options.retry))
    command += ["--forcerun", *again] if again else []
    command += [] if "--quiet" in options.more else ["--quiet", "host", "reason"]
    # Last, an option with one value: files that are asked for by name are no values of others.
    command += ["--local-cores" if on_cluster else "--cores", str(options.cores), *options.more]
    about = (partial(_seconds, plan), partial(_requests, plan) if options.slurm else dict)
    with _summed_up(options, *about) if options.dry_run else nullcontext() as output:
        known = partial(_files_of, plan)
        try:
            has_run = call(command, writes=not dry, output=output, known=known, words=options.words)
        except StreamevalError as error:
            failed = "" if dry else _listed(options, _failed(plan))
            raise StreamevalError("\n".join(filter(None, [failed, str(error)]))) from error
    if has_run and not dry:
        from streameval.pipeline.page_content import first_page

        page = Path(first_page(plan)).absolute()  # there is none after a run of some files only
        print(f"\nDone. Open {page}" if page.is_file() else "\nDone.", flush=True)
        if options.slurm or options.cores > 1:
            from streameval.pipeline.slow_learners import advice, long_runs

            for line in advice(long_runs(plan)):
                print(line, flush=True)
        if failed := _listed(options, _failed(plan)):
            raise IncompleteError(failed)


@contextmanager
def _summed_up(
    options: argparse.Namespace,
    seconds: Callable[[], Mapping[str, float]],
    requests: Callable[[], Mapping[str, tuple[int, int]]] = dict,
) -> Iterator[IO[str]]:
    """Yield a file for the output of a dry run; afterwards print a summary of it.

    `seconds` returns the longest time of the learners of each job, by the job's message, and
    `requests` the megabytes and minutes that each job asks a cluster for.
    """
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output:
        yield output
        output.seek(0)
        jobs = [match[2].strip() for line in output if (match := _BEGINS.match(line))]
    if not jobs:
        print("Nothing to do: all results are there and up to date.")
        return
    print(f"{len(jobs):,} job{'s' * (len(jobs) > 1)} to do:")
    print("".join(f"  {job}\n" for job in jobs[:_MOST_JOBS]), end="")
    if len(jobs) > _MOST_JOBS:
        file = f" {options.file}" if options.file else ""
        print(f"  and {len(jobs) - _MOST_JOBS:,} others; `streameval run{file} -- -n` lists all")
    known = seconds()
    if any(job in known for job in jobs):
        time = _core_time(sum(known.get(job, 0.0) for job in jobs))
        print(f"Learners take at most {time}, estimated from sizes of streams that are known.")
    asked = requests()
    if submitted := [asked[job] for job in jobs if job in asked]:
        megabytes, minutes = map(max, zip(*submitted, strict=True))
        number = f"{len(submitted):,} job{'s' * (len(submitted) > 1)}"
        print(f"{number} for SLURM, each with at most {megabytes:,} MB and {minutes:,} minutes.")


def _failed(plan: Plan) -> list[Failure]:
    """Learners that failed, as recorded in the files of the plan."""
    from streameval.pipeline.failure_list import failures_in
    from streameval.pipeline.products import failure_records

    return failures_in(failure_records(plan))


def _listed(options: argparse.Namespace, failures: list[Failure]) -> str:
    """Print a list of failures, and make a sentence with their number and what to do."""
    from streameval.pipeline.failure_list import failure_lines, headline

    if not failures:
        return ""
    print(*failure_lines(failures), sep="\n", file=sys.stderr)
    again = " ".join(["streameval run", *([options.file] if options.file else []), "--retry"])
    return (
        f"{headline(failures)} After a correction of code, data or settings, repeat the same "
        f"command. `{again}` runs these learners again unchanged."
    )


def _core_time(seconds: float) -> str:
    """Text of a time, rounded up."""
    if seconds <= 60:
        return "a core-minute"
    if seconds <= 7200:
        return f"{ceil(seconds / 60)} core-minutes"
    return f"{ceil(seconds / 3600):,} core-hours"


def _require_slurm() -> None:
    """Refuse to submit jobs without the plug-in of Snakemake, or without a cluster."""
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


def _requests(plan: Plan) -> Mapping[str, tuple[int, int]]:
    from streameval.pipeline.study_jobs import requests_by_message

    return requests_by_message(plan)


def _seconds(plan: Plan) -> Mapping[str, float]:
    from streameval.pipeline.study_jobs import seconds_by_message

    return seconds_by_message(plan)


def _files_of(plan: Plan) -> list[str]:
    """Files that the jobs of a plan write: studies, tables and drawings."""
    from streameval.pipeline import products, study_jobs

    jobs = (*study_jobs.studies(plan), *products.table_jobs(plan), *products.drawing_jobs(plan))
    return [path for job in jobs for path in job.outputs]


def _checked_file(name: str) -> Path:
    """Path of a study; a stream is refused."""
    path = Path(name)
    if path.suffix.lower() in (".yaml", ".yml", ".json"):
        return path.absolute()
    raise ConfigError(
        f"run: expected a study, a YAML file with streams and items, found "
        f"{path.name!r}. For a single stream use `streameval evaluate {path.name} --learner L`; "
        'the page "A study of your own" of the documentation has one to copy.'
    )


def require_pipeline(what: str) -> None:
    """Refuse to go on without the packages of the extra."""
    missing = [name for name in ("snakemake", "matplotlib") if find_spec(name) is None]
    if missing:
        raise ConfigError(
            f"{what} needs {', '.join(missing)}, which {'is' if len(missing) == 1 else 'are'} not "
            'installed: pip install "streameval[pipeline]"'
        )


def check_setup(files: list[Path], *, contents: bool) -> Plan:
    """Refuse a wrong configuration in one message, before Snakemake starts, or return its plan.

    With `contents`, the files of streams are read, too; later configurations add to earlier ones.
    """
    from streameval.pipeline.checks import check_files, check_generated, check_learner_rows
    from streameval.pipeline.configuration import merge_files
    from streameval.pipeline.plan import make_plan

    plan = make_plan(merge_files(files), decide=False, files=files)
    check_generated(plan)
    broken = check_learner_rows(plan)
    if contents:
        for error in broken:
            print(f"streameval: {error} The run will record that it failed.", file=sys.stderr)
        check_files(plan)
    return plan


def _snakefile() -> Path:
    in_clone = settings.ROOT / "Snakefile"
    return in_clone if in_clone.is_file() else settings.ROOT / "workflow" / "Snakefile"


#: Start of a job's own error, see `streameval.pipeline.runs.failure_line`; and the end of its last
#: line.
_OURS, _LOG = "Error: ", re.compile(r" \(log: ([^()]+)\)$")
#: What Snakemake says of a job: its message as it begins, and what failed.
_BEGINS = re.compile(r"Job (\d+): (.+)")
_FAILED = re.compile(r"Error in rule (\w+):.*?\n    jobid: (\d+)\n(.*?)(?=\n\S|\Z)", re.DOTALL)
_UNKNOWN = re.compile(r"No rule to produce (.+?) \(if you use input functions")
_UP_TO_DATE = "Nothing to be done"
_LOCKED = "Error: Directory cannot be locked"
_LOG_OF_JOB = re.compile(r"^    log: (.+) \(check log", re.MULTILINE)
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
#: Numbers of errors whose messages are repeated at the end, and of jobs that a dry run names.
_MOST, _MOST_JOBS = 5, 8
#: Cores of this machine for jobs of a few seconds, where others go to a cluster.
_CORES_BESIDE_CLUSTER = 2


def check_folder(folder: Path) -> None:
    """Refuse a working folder that nothing can be written to, before anything starts."""
    for name in _WRITTEN:
        place = folder / name
        if not place.is_dir():
            continue
        try:
            check_writable(place)
        except OSError as error:
            raise ConfigError(_said(error.errno, place)) from error


def _said(number: int | None, place: Path) -> str:
    why = os.strerror(number or errno.EIO)
    if number in (errno.ENOSPC, errno.EDQUOT):
        return f"The disk is full at {place}: {why}. Free some space, then repeat the command."
    return f"Expected a folder that can be written to, found {place}: {why}. Run in another folder."


def call(
    command: Sequence[str],
    *,
    writes: bool = True,
    output: IO[str] | None = None,
    known: Callable[[], Iterable[str]] = tuple,
    words: Sequence[str] = (),
) -> bool:
    """Run Snakemake in the working folder, or fail with the errors of the jobs.

    Return whether jobs have run or none was needed: options such as ``--unlock`` run none.

    Without `writes`, as in a dry run, the folder is left as it was. Output goes to `output`, and is
    shown on failure; `known` names the files that may be asked for, to suggest one. `words` are
    those of the command that the user has typed, for the pages of the run.
    """
    aside = {"PYTHONSAFEPATH": "1"}
    if words:
        from streameval.pipeline.origins import COMMAND

        aside[COMMAND] = shlex.join(["streameval", *words])
    new = [name for name in _WRITTEN if name and not Path(name).exists()]
    if not writes:
        aside["PYTHONDONTWRITEBYTECODE"] = "1"
    log = _RunLog()
    try:
        with (
            _writable_cache() as cache,
            child(command, os.environ | aside | cache, output) as process,
        ):
            for line in _messages(process.stderr or (), log):
                print(line, end="", file=sys.stderr, flush=True)
        code = process.returncode
    finally:
        if not writes:
            for directory in [name for name in new if Path(name).is_dir()]:
                shutil.rmtree(directory, ignore_errors=True)
    if code:
        if output is not None:
            output.seek(0)
            for line in _messages(output, log):
                print(line, end="", file=sys.stderr)
        if log.is_locked:
            raise StreamevalError(
                "Another run is at work in this folder: wait until it ends, then run again. If "
                "none is, as after a power failure or on another machine, add `-- --unlock` to "
                "the command once; then run it again."
            )
        if log.unknown:
            raise StreamevalError(
                f"Nothing makes the file {log.unknown!r}. {near(log.unknown, known())}".rstrip()
            )
        if writes and not log.errors:
            check_folder(Path.cwd())  # Snakemake may be silent about a disk that is full
        raise StreamevalError(_why(log))
    return bool(log.jobs) or log.is_up_to_date


@contextmanager
def _writable_cache() -> Iterator[dict[str, str]]:
    """Yield the variables of a cache for Snakemake: none if it can write the user's own."""
    is_writable = True
    try:
        usual = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "snakemake"
        usual.mkdir(parents=True, exist_ok=True)
        check_writable(usual)
    except (OSError, RuntimeError):  # or there is no home
        is_writable = False
    if is_writable:
        yield {}
        return
    with tempfile.TemporaryDirectory(prefix="streameval-cache-") as folder:
        yield {"XDG_CACHE_HOME": folder}


@dataclass
class _RunLog:
    """Messages of a run about its jobs, errors of the jobs, and errors of Snakemake."""

    jobs: dict[str, str] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    withheld: list[str] = field(default_factory=list)
    is_locked: bool = False  # the folder, by another run
    is_up_to_date: bool = False  # all files that were asked for
    unknown: str = ""  # a file that is asked for, and nothing makes


def _messages(lines: Iterable[str], log: _RunLog) -> Iterator[str]:
    """Yield the lines to show; those about failures are collected."""
    in_failure, number = False, None
    for line in lines:
        if number is None and not line.startswith(_OURS):
            number = next((code for code in _OF_SYSTEM if os.strerror(code) in line), None)
            if number is not None:
                yield f"streameval: {_said(number, Path.cwd())}\n"
        if number is not None:  # what follows are the tracebacks of all that cannot write
            log.withheld.append(line)
            continue
        in_failure = bool(_OF_FAILURE.match(line)) or (in_failure and line[:1] in (" ", "\n"))
        if in_failure:
            log.withheld.append(line)
            continue
        if line.startswith(_LOCKED):
            log.is_locked = True
        if log.is_locked or line.startswith("LockException:"):
            continue
        if line.startswith(_OURS):
            log.errors.append(line.removeprefix(_OURS).strip())
        elif asked := _UNKNOWN.match(line):
            log.unknown = asked[1]
            continue
        elif begins := _BEGINS.match(line):
            log.jobs[begins[1]] = begins[2].strip()
        log.is_up_to_date |= line.startswith(_UP_TO_DATE)
        yield line


def _why(log: _RunLog) -> str:
    """Reason why a run has failed: errors of the disk first, then errors of the jobs."""
    again = "Repeat the same command to continue."
    text = "".join(log.withheld)
    for number in _OF_SYSTEM:
        if os.strerror(number) in text:
            return _said(number, Path.cwd())
    if named := list(dict.fromkeys([*_by_job(log, text), *log.errors])):
        more = f" And {len(named) - _MOST:,} further errors." if len(named) > _MOST else ""
        return f"The run did not finish. {again}{more}\n" + "\n".join(named[:_MOST])
    why = bounded(printable(" ".join(text.split()), 1500)) or "see above"
    return f"The run did not finish: {why.rstrip('.')}. {again}"


def _by_job(run_log: _RunLog, text: str) -> Iterator[str]:
    """Yield the errors of failed jobs, each with the subject of its job.

    Errors that remain in `run_log.errors` belong to no job that Snakemake names.
    """
    logs = {match[1]: error for error in run_log.errors if (match := _LOG.search(error))}
    for rule, number, rest in _FAILED.findall(text):
        job = run_log.jobs.get(number, rule)
        log = match[1] if (match := _LOG_OF_JOB.search(rest)) else ""
        if log in logs:
            if logs[log] in run_log.errors:
                run_log.errors.remove(logs[log])
            yield f"{job}: {logs[log]}"
        elif log:
            yield (
                f"{job}: it ended without a message, as a process does that is killed, by hand or "
                f"for want of memory (log: {log})"
            )
