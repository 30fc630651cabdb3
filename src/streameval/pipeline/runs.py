"""Runs of the pipeline and their jobs: locks, logs, and the remains of killed runs.

Snakemake's lock files stay behind when a run is killed. Therefore each run also holds a lock of the
operating system, which ends with the process. A run that gets this lock can remove the lock files
and incomplete outputs of a killed run.
"""

from __future__ import annotations

import json
import logging
import os
import platform
import re
import shutil
import sys
import time
import traceback
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from streameval.base.errors import DamageError, StreamevalError
from streameval.base.file_digests import digest_path
from streameval.base.files import PART_PREFIX, write_text
from streameval.base.processes import exit_with_process
from streameval.base.terminal import EXPECTED_ERRORS, INTERRUPTED, error_message
from streameval.pipeline.origins import log_origin

#: The parameters of a script for one item, see `pipeline.study_jobs`.
Task = Mapping[str, Any]
#: The variable of the environment with the process id of the run that a job belongs to.
RUN_VARIABLE = "STREAMEVAL_PROCESS"
#: The variable that names the folder of compiled kernels.
KERNELS_VARIABLE = "NUMBA_CACHE_DIR"
#: The folders of results.
FOLDERS = ("results", "figures", "resources")
#: The last line of the log of a finished job.
_DONE = "done in %.2f s, with %.2f s of processor time"
#: Pattern of `_DONE`; its groups are the seconds and the seconds of processor time.
_TIMES = re.compile(re.escape(_DONE).replace(r"%\.2f", r"(\d+\.\d\d)") + "\n")

#: Endings of pictures. The outputs of jobs that draw are the folders of these files.
_PICTURES = (".svg", ".pdf")
#: The key of a mark by `mark_damage` that names the file with the digest.
_DIGEST = "streameval_digest"
#: Longest file name, in characters, of a part of a mark, as in Snakemake.
_MAX_NAME = 254

#: The open lock file of each state folder that this process has locked.
_locks: dict[Path, TextIO] = {}


def lock_state_folder(state: Path = Path(".snakemake")) -> None:
    """Remove the locks of a killed run from `state`, and hold a lock for this run.

    If another run is alive, or the killed run was on another machine, nothing is removed; Snakemake
    then decides.
    """
    state = state.absolute()
    if state in _locks:
        return
    with suppress(OSError, ImportError):
        import fcntl

        state.mkdir(parents=True, exist_ok=True)
        # Stays open until the process ends; jobs do not inherit it.
        lock_file = _locks[state] = (state / "run.lock").open("a+", encoding="utf-8")
        try:
            fcntl.flock(lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove_incomplete(state, lock_file)
        except BlockingIOError:
            _report_other_runs(state, lock_file)
        fcntl.flock(lock_file, fcntl.LOCK_SH)  # dry runs and reports may run at the same time


def mark_damage(path: Path, state: Path = Path(".snakemake")) -> None:
    """Mark a damaged output as incomplete, in Snakemake's format, so that the next run remakes it.

    The output of a job that draws is the folder of a picture. The mark names the file with the
    digest that the content does not match; "" if there is none.
    """
    output = path.parent if path.suffix in _PICTURES else path
    name = urlsafe_b64encode(str(output).encode()).decode()
    parts = [name[start : start + _MAX_NAME] for start in range(0, len(name), _MAX_NAME)]
    mark = state.joinpath("incomplete", *(f"@{part}" for part in parts[:-1]), parts[-1])
    digest = digest_path(path)
    content = {"external_jobid": None, _DIGEST: str(digest) if digest.is_file() else ""}
    with suppress(OSError):
        write_text(mark, json.dumps(content))


def remove_accepted_marks(state: Path = Path(".snakemake")) -> None:
    """Remove the marks of damaged files that the user has accepted by deleting their digests."""
    for mark in (state / "incomplete").rglob("*"):
        with suppress(OSError, ValueError):
            digest = json.loads(mark.read_text(encoding="utf-8")).get(_DIGEST)
            if digest and not Path(digest).exists():
                mark.unlink()


def remove_leftovers(folder: Path) -> None:
    """Remove the digests of deleted results, and empty folders, from the folder of a run."""
    for file in [*folder.glob("results/**/.digests/*.sha256")]:
        if not (file.parents[1] / file.stem).exists():
            file.unlink()
    paths = [path for name in FOLDERS for path in (folder / name).rglob("*")]
    # In reverse order, folders come after the folders inside them.
    for inner in sorted((path for path in paths if path.is_dir()), reverse=True):
        if not any(inner.iterdir()):
            inner.rmdir()


def _remove_incomplete(state: Path, lock_file: TextIO) -> None:
    """Remove the locks and incomplete files of a run that was killed on this machine.

    `lock_file` has the name of the machine of the last run.
    """
    locks, machine = state / "locks", platform.node()
    lock_file.seek(0)
    if locks.is_dir() and any(locks.iterdir()):
        # Some shared file systems lock files within one machine only.
        if lock_file.read() != machine:
            return
        shutil.rmtree(locks)
        for folder in FOLDERS:
            for part in (state.parent / folder).rglob(f"{PART_PREFIX}*"):
                shutil.rmtree(part, ignore_errors=True)
    lock_file.truncate(0)
    lock_file.write(machine)
    lock_file.flush()


def _report_other_runs(state: Path, lock_file: TextIO) -> None:
    """Print the processes that hold the folder; Snakemake would only advise to unlock it."""
    locks, inode = state / "locks", str(os.fstat(lock_file.fileno()).st_ino)
    pids: set[str] = set()
    if not locks.is_dir() or not any(locks.iterdir()):
        return
    with suppress(OSError):  # Linux only
        for line in Path("/proc/locks").read_text(encoding="ascii").splitlines():
            fields = line.split()
            # The fields are number, type, mode, access, process, device:inode, and range.
            if fields[1] == "FLOCK" and fields[5].rpartition(":")[2] == inode:
                pids.add(fields[4])
    processes = f" (process {', '.join(sorted(pids, key=int))})" if pids else ""
    print(
        f"Another run is at work in this folder{processes}. Wait until it ends, or end it with "
        "`kill`; then run again. Do not unlock the folder while it is at work.",
        file=sys.stderr,
    )


def announce_run(source: Path | None = None, kernels: Path | None = None) -> None:
    """Put the process id of this run, and the paths for its jobs, into their environment.

    Jobs look for the package in `source` first. They store compiled kernels in `kernels`, a folder
    that all machines of a cluster share, unless the environment names another folder.
    """
    os.environ[RUN_VARIABLE] = str(os.getpid())
    if kernels is not None and not os.environ.get(KERNELS_VARIABLE):
        os.environ[KERNELS_VARIABLE] = str(kernels.absolute())
    if source is not None:
        others = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
        os.environ["PYTHONPATH"] = os.pathsep.join(dict.fromkeys([str(source), *others]))


def end_with_run() -> None:
    """End this job as soon as its run has ended, even by a signal that cannot be caught (Linux).

    Otherwise the job would go on while the next run starts the same job again.
    """
    if RUN_VARIABLE in os.environ:
        with suppress(ValueError):
            exit_with_process(int(os.environ[RUN_VARIABLE]))


@contextmanager
def job(log: str) -> Iterator[logging.Logger]:
    """Run the body of a script with its messages in a file; show errors on the screen, too.

    The log has the traceback of an error, except of a `StreamevalError`, which is no fault of the
    program.
    """
    end_with_run()
    _leave_folder_of_scripts()
    logging.raiseExceptions = False  # no traceback if the log cannot be written
    # The start of Python is not recorded. Until here it has only loaded modules, without waiting,
    # so it began about as long ago as the processor time it has used.
    begun = time.perf_counter() - time.process_time()
    try:
        logger = _log_to(Path(log))
        log_origin(logger)
        yield logger
        processor_time = sum(os.times()[:4])  # user and system, of the process and its children
        logger.info(_DONE, time.perf_counter() - begun, processor_time)
    except EXPECTED_ERRORS as error:
        message = error_message(error)
        if isinstance(error, DamageError) and RUN_VARIABLE in os.environ:
            mark_damage(Path(error.path))
        is_explained = isinstance(error, StreamevalError)
        logging.getLogger("streameval").exception(message, exc_info=not is_explained)
        sys.exit(failure_line(message, log))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except Exception as error:
        logging.getLogger("streameval").exception("The job failed.")
        last = traceback.format_exception_only(error)[-1].strip()
        sys.exit(failure_line(last.partition("\n")[0], log))


def _leave_folder_of_scripts() -> None:
    """Remove the folder of the script from the path: a user's module may have a script's name."""
    script = sys.modules["__main__"]
    if hasattr(script, "__real_file__"):  # Snakemake has put it there
        folder = Path(str(script.__file__)).resolve().parent
        sys.path[:] = [place for place in sys.path if Path(place).resolve() != folder]


def failure_line(message: str, log: str) -> str:
    """The line by which a job reports its failure to `streameval run`."""
    return f"Error: {message} (log: {log})"


class JobTime(NamedTuple):
    """Seconds of a job from start to end, and seconds of processor time over all cores."""

    seconds: float
    processor: float


def time_of(log: Path) -> JobTime | None:
    """The times of a job from its log; None if the job is unfinished or the log is missing."""
    with suppress(OSError):
        match = _TIMES.search(log.read_text(encoding="utf-8", errors="replace"))
        return JobTime(*map(float, match.groups())) if match else None
    return None


def _log_to(path: Path) -> logging.Logger:
    path.parent.mkdir(parents=True, exist_ok=True)
    logging.captureWarnings(True)
    logging.basicConfig(
        filename=path,
        filemode="w",
        level=logging.WARNING,
        format="%(levelname)s %(name)s: %(message)s",
        force=True,
    )
    log = logging.getLogger("streameval")
    # Other packages log warnings only: fontTools alone writes 200 lines of information a picture.
    log.setLevel(logging.INFO)
    return log


def prefixed_path(path: str, candidates: Iterable[str]) -> str:
    """The candidate that is `path`, or ends with it.

    If another workflow uses this one as a Snakemake module, all paths may have a prefix.
    """
    return next(
        candidate
        for candidate in map(str, candidates)
        if candidate == path or candidate.endswith(f"/{path}")
    )


def root_of(path: str | Path, planned: Path) -> Path:
    """The folder where the paths of a plan start: the working folder, or a module's prefix.

    For prefixes see `prefixed_path`. `path` is the actual path of a file, `planned` its path in
    the plan.
    """
    root = str(path).removesuffix(str(planned))
    return Path(root) if root.endswith("/") else Path()
