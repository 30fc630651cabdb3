"""Evaluation of data-stream classifiers: streams, tapes, learners, measures, studies.

A `Stream` is read or generated; a protocol turns it into a `Tape` of predict and learn
events; a `Learner` plays the tape and leaves `Predictions`; measures read predictions;
studies put those together into tables; the report draws them.
"""

import hashlib
import os
import shutil
import time
from contextlib import suppress
from pathlib import Path

__version__ = "0.1.0"

#: Compiled kernels that no process has asked for in so many days are removed.
_KEPT_DAYS = 14


def _kernel_cache() -> str:
    """Return the folder for compiled kernels of exactly these sources.

    numba's disk cache notices an edit of the file that defines a kernel, but not of a file
    that defines a function which the kernel calls. A folder per state of the sources does.
    """
    package = Path(__file__).parent
    sha = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        status = path.stat()
        sha.update(f"{path.relative_to(package)} {status.st_size} {status.st_mtime_ns}".encode())
    home = package / "__pycache__"
    if not os.access(package, os.W_OK):
        with suppress(RuntimeError):  # a user without a home folder: kernels stay in memory
            home = Path.home() / ".cache" / "streameval"
    cache = home / f"kernels-{sha.hexdigest()[:12]}"
    _note_use(cache)
    return str(cache)


def _note_use(cache: Path) -> None:
    """Date a folder of kernels; if it is new, remove those beside it that are out of use.

    Each edit of the sources leaves a folder behind. A process dates the one that it needs when
    it starts, so one that is dated long ago is in no use.
    """
    oldest = time.time() - _KEPT_DAYS * 86_400
    with suppress(OSError):  # somebody else's folder, or gone: `kernel_cache` says where it matters
        is_new = not cache.is_dir()
        cache.mkdir(parents=True, exist_ok=True)
        os.utime(cache)
        for other in cache.parent.glob("kernels-*") if is_new else ():
            if other.stat().st_mtime < oldest:
                shutil.rmtree(other, ignore_errors=True)


if not os.environ.get("NUMBA_CACHE_DIR"):
    os.environ["NUMBA_CACHE_DIR"] = _kernel_cache()
