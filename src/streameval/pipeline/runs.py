"""Runs of the pipeline that were killed: the next one takes over, and no job outlives its run.

Snakemake locks a folder with files, which a run that is killed leaves behind, and the next run
is refused. Here each run also holds a lock of the operating system, which ends with the process,
whatever ends it. So a run can tell whether another one is alive, and remove what a dead one left.
"""

from __future__ import annotations

import os
import platform
import select
import shutil
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from streameval.files import PART

#: The process id of the run that a job belongs to.
RUN = "STREAMEVAL_RUN"
#: Where numba, and so `compiled.kernel_cache`, keeps compiled kernels.
KERNELS = "NUMBA_CACHE_DIR"
#: Where jobs write.
FOLDERS = ("results", "figures", "resources")

_held: dict[Path, TextIO] = {}


def take_over(state: Path = Path(".snakemake")) -> None:
    """Remove the locks of a killed run, and hold a lock that tells others of this one.

    If another run of this folder is alive, or was on another machine, nothing is removed, and
    Snakemake decides. So it does on file systems without such locks.

    Parameters
    ----------
    state : Path
        Where Snakemake keeps its state; it stands in the folder in which the run works.
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
            _remove_remains(state, file)
        except BlockingIOError:
            _name_others(state, file)
        fcntl.flock(file, fcntl.LOCK_SH)  # any number of dry runs and reports beside a run


def _remove_remains(state: Path, file: TextIO) -> None:
    """Remove the locks and the halves of files of a run that was killed on this machine."""
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
    """Say which processes are at work here: Snakemake advises to unlock, as if they were dead."""
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
    """Tell the jobs which process they belong to: this one.

    Parameters
    ----------
    source : Path, optional
        Where they find the package, before any other copy of it.
    kernels : Path, optional
        Where they keep compiled kernels, unless the environment says it: on a cluster a folder
        that all machines share, which neither the package's nor the user's need be.
    """
    os.environ[RUN] = str(os.getpid())
    if kernels is not None and not os.environ.get(KERNELS):
        os.environ[KERNELS] = str(kernels.absolute())
    if source is not None:
        others = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
        os.environ["PYTHONPATH"] = os.pathsep.join(dict.fromkeys([str(source), *others]))


def end_with_run() -> None:
    """End this job as soon as its run has ended, even by a signal that cannot be caught.

    Otherwise the job would go on beside the one by which the next run replaces it. Systems other
    than Linux let it.
    """
    if RUN in os.environ:
        with suppress(ValueError):
            end_with(int(os.environ[RUN]))


def end_with(process: int) -> None:
    """End this process as soon as another one has ended; see `end_with_run`."""
    if not hasattr(os, "pidfd_open"):
        return
    with suppress(OSError):
        run = os.pidfd_open(process)
        threading.Thread(target=_wait_and_exit, args=(run,), daemon=True).start()


def _wait_and_exit(run: int) -> None:
    select.select([run], [], [])
    os._exit(1)
