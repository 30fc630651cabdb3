"""The command ``streameval``: also ``python -m streameval``."""

from __future__ import annotations

import gc
import os
import signal
import sys
from types import FrameType


def main() -> int:
    """Run the command with the command line's arguments; an interrupt prints no traceback."""
    previous_handler = signal.signal(signal.SIGINT, _stop)
    # Matrices are small here, and a second thread of BLAS would keep a core busy while it waits.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # With this setting Arrow does not reserve memory ahead.
    os.environ.setdefault("MIMALLOC_ARENA_EAGER_COMMIT", "0")
    # No collection while libraries are loaded: it takes time, and their objects are never freed.
    # `cli.main` enables it again.
    gc.disable()
    from streameval.cli import main as run

    signal.signal(signal.SIGINT, previous_handler)
    return run()


def _stop(_number: int, _frame: FrameType | None) -> None:
    """End the process at once: a library that is being loaded would swallow the exception."""
    os.write(2, b"streameval: Interrupted.\n")
    os._exit(130)


if __name__ == "__main__":
    # `python -m` puts the working folder first on the path, where a file would hide an installed
    # module. Learners named by module:Class add the folder at the end of the path.
    if not sys.flags.safe_path and sys.path[:1] == [os.getcwd()]:  # noqa: PTH109, a text as in sys.path
        del sys.path[0]
    sys.exit(main())
