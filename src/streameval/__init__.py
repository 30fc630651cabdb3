"""Evaluation of data-stream classifiers: streams, tapes, learners, measures, studies.

A `Stream` is read or generated; a protocol turns it into a `Tape` of predict and learn
events; a `Learner` plays the tape and leaves `Predictions`; measures read predictions;
studies put those together into tables; the report draws them.
"""

import hashlib
import os
import sys
from pathlib import Path

__version__ = "0.1.0"


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
    writable = os.access(package, os.W_OK)
    home = package / "__pycache__" if writable else Path.home() / ".cache" / "streameval"
    return str(home / f"kernels-{sha.hexdigest()[:12]}")


if "NUMBA_CACHE_DIR" not in os.environ and "numba" not in sys.modules:
    os.environ["NUMBA_CACHE_DIR"] = _kernel_cache()
