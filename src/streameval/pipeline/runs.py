"""Runs of the pipeline and their jobs: locks, logs, and the remains of killed runs.

Files that lock a folder stay behind when a run is killed. Here each run also holds a lock of the
operating system, which ends with the process; so a run can remove what a dead one left.
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
from streameval.base.file_digests import digest_file
from streameval.base.files import PART, write_text
from streameval.base.processes import end_with
from streameval.base.terminal import EXPECTED, INTERRUPTED, error_message
from streameval.pipeline.origins import log_origin

#: The parameters of a script for one item, see `pipeline.study_jobs`.
Task = Mapping[str, Any]
#: The process id of the run that a job belongs to.
RUN = "STREAMEVAL_PROCESS"
#: The variable that names the folder of compiled kernels.
KERNELS = "NUMBA_CACHE_DIR"
#: The folders of results.
FOLDERS = ("results", "figures", "resources")
#: The last line of the log of a job that is done.
_DONE = "done in %.2f s, with %.2f s of processor time"
_TIMES = re.compile(re.escape(_DONE).replace(r"%\.2f", r"(\d+\.\d\d)") + "\n")

#: Files of pictures, whose folders are the outputs of jobs.
_PICTURES = (".svg", ".pdf")
#: The key of a mark of `mark_damage`, and the longest part of the name of a mark in Snakemake.
_DIGEST, _NAME = "streameval_digest", 254

_held: dict[Path, TextIO] = {}


def take_over(state: Path = Path(".snakemake")) -> None:
    """Remove the locks of a killed run from `state`, and hold a lock that tells others of this one.

    If another run is alive, or was on another machine, nothing is removed; Snakemake decides.
    """
    state = state.absolute()
    if state in _held:
        return
    with suppress(OSError, ImportError):
        import fcntl

        state.mkdir(parents=True, exist_ok=True)
        # Closed by the end of the process, and not inherited by its jobs.
        file = _held[state] = (state / "run.lock").open("a+", encoding="utf-8")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove_halves(state, file)
        except BlockingIOError:
            _name_others(state, file)
        fcntl.flock(file, fcntl.LOCK_SH)  # any number of dry runs and reports beside a run


def mark_damage(path: Path, state: Path = Path(".snakemake")) -> None:
    """Mark a damaged output as Snakemake marks an incomplete one: the next run makes it anew.

    Of a picture the output is its folder. The mark names the digest by which damage was noticed.
    """
    output = path.parent if path.suffix in _PICTURES else path
    name = urlsafe_b64encode(str(output).encode()).decode()
    parts = [name[at : at + _NAME] for at in range(0, len(name), _NAME)]
    mark = state.joinpath("incomplete", *(f"@{part}" for part in parts[:-1]), parts[-1])
    kept = digest_file(path)
    about = {"external_jobid": None, _DIGEST: str(kept) if kept.is_file() else ""}
    with suppress(OSError):
        write_text(mark, json.dumps(about))


def remove_accepted_marks(state: Path = Path(".snakemake")) -> None:
    """Remove the marks of files whose digest the user has deleted, to use them as they are."""
    for mark in (state / "incomplete").rglob("*"):
        with suppress(OSError, ValueError):
            kept = json.loads(mark.read_text(encoding="utf-8")).get(_DIGEST)
            if kept and not Path(kept).exists():
                mark.unlink()


def remove_remains(folder: Path) -> None:
    """Remove digests and empty folders of results that are deleted from the folder of a run."""
    for file in [*folder.glob("results/**/.digests/*.sha256")]:
        if not (file.parents[1] / file.stem).exists():
            file.unlink()
    kept = [path for name in FOLDERS for path in (folder / name).rglob("*")]
    for inner in sorted((path for path in kept if path.is_dir()), reverse=True):
        if not any(inner.iterdir()):
            inner.rmdir()


def _remove_halves(state: Path, file: TextIO) -> None:
    """Remove the locks and incomplete files of a run that was killed on this machine."""
    locks, here = state / "locks", platform.node()
    file.seek(0)
    if locks.is_dir() and any(locks.iterdir()):
        if file.read() != here:  # some shared file systems lock for one machine only
            return
        shutil.rmtree(locks)
        for folder in FOLDERS:
            for part in (state.parent / folder).rglob(f"{PART}*"):
                shutil.rmtree(part, ignore_errors=True)
    file.truncate(0)
    file.write(here)
    file.flush()


def _name_others(state: Path, file: TextIO) -> None:
    """Name the processes that hold the folder, where Snakemake would advise to unlock it."""
    locks, inode = state / "locks", str(os.fstat(file.fileno()).st_ino)
    pids: set[str] = set()
    if not locks.is_dir() or not any(locks.iterdir()):
        return
    with suppress(OSError):  # Linux only
        for line in Path("/proc/locks").read_text(encoding="ascii").splitlines():
            words = line.split()
            if words[1] == "FLOCK" and words[5].rpartition(":")[2] == inode:
                pids.add(words[4])
    named = f" (process {', '.join(sorted(pids, key=int))})" if pids else ""
    print(
        f"Another run is at work in this folder{named}. Wait until it ends, or end it with `kill`; "
        "then run again. Do not unlock the folder while it is at work.",
        file=sys.stderr,
    )


def announce_run(source: Path | None = None, kernels: Path | None = None) -> None:
    """Tell the jobs that they belong to this process.

    They find the package in `source` first, and keep compiled kernels in `kernels`, unless the
    environment says it: on a cluster a folder that all machines share.
    """
    os.environ[RUN] = str(os.getpid())
    if kernels is not None and not os.environ.get(KERNELS):
        os.environ[KERNELS] = str(kernels.absolute())
    if source is not None:
        others = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
        os.environ["PYTHONPATH"] = os.pathsep.join(dict.fromkeys([str(source), *others]))


def end_with_run() -> None:
    """End this job as soon as its run has ended, even by a signal that cannot be caught (Linux).

    Otherwise the job would go on beside the one by which the next run replaces it.
    """
    if RUN in os.environ:
        with suppress(ValueError):
            end_with(int(os.environ[RUN]))


@contextmanager
def job(log: str) -> Iterator[logging.Logger]:
    """Run the body of a script with its messages in a file, and show errors on the screen, too.

    The log has the traceback, but of a `StreamevalError`, which is no fault of the program.
    """
    end_with_run()
    _leave_folder_of_scripts()
    logging.raiseExceptions = False  # a log that cannot be written is no reason for a traceback
    # Nothing says when Python began; until here it has loaded modules, without a pause.
    begun = time.perf_counter() - time.process_time()
    try:
        to = _log_to(Path(log))
        log_origin(to)
        yield to
        to.info(_DONE, time.perf_counter() - begun, sum(os.times()[:4]))
    except EXPECTED as error:
        message = error_message(error)
        if isinstance(error, DamageError) and RUN in os.environ:
            mark_damage(Path(error.path))
        # Where in the program it was is of use for those that are not ours.
        plain = isinstance(error, StreamevalError)
        logging.getLogger("streameval").exception(message, exc_info=not plain)
        sys.exit(failed(message, log))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except Exception as error:
        logging.getLogger("streameval").exception("The job failed.")
        last = traceback.format_exception_only(error)[-1].strip()
        sys.exit(failed(last.partition("\n")[0], log))


def _leave_folder_of_scripts() -> None:
    """Remove the folder of the script from the path: a user's module may have a script's name."""
    script = sys.modules["__main__"]
    if hasattr(script, "__real_file__"):  # Snakemake has put it there
        folder = Path(str(script.__file__)).resolve().parent
        sys.path[:] = [place for place in sys.path if Path(place).resolve() != folder]


def failed(message: str, log: str) -> str:
    """The line by which a job reports its failure to `streameval run`."""
    return f"Error: {message} (log: {log})"


class Took(NamedTuple):
    """What a job took, in seconds from start to end, and of processors on all cores."""

    seconds: float
    processor: float


def time_of(log: Path) -> Took | None:
    """The times of the job of a log; None if it is not done, or the log is gone."""
    with suppress(OSError):
        match = _TIMES.search(log.read_text(encoding="utf-8", errors="replace"))
        return Took(*map(float, match.groups())) if match else None
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
    log.setLevel(
        logging.INFO
    )  # of other packages, warnings: fontTools alone says 200 lines a picture
    return log


def located(path: str, among: Iterable[str]) -> str:
    """The path of a file; in a workflow that is a module of another, it is below a prefix."""
    return next(
        candidate
        for candidate in map(str, among)
        if candidate == path or candidate.endswith(f"/{path}")
    )


def root_of(path: str | Path, planned: Path) -> Path:
    """The folder that the paths of a plan start from, by where one of its files is.

    That is the working folder, or one below it: of a module with a prefix.
    """
    root = str(path).removesuffix(str(planned))
    return Path(root) if root.endswith("/") else Path()
