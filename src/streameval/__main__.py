"""The command ``streameval``: also ``python -m streameval``."""

from __future__ import annotations

import gc
import os
import signal
import sys
from types import FrameType


def main() -> int:
    """Run the command with the command line's arguments; an interrupt prints one line."""
    before = signal.signal(signal.SIGINT, _stop)
    # Matrices are small here, and a second thread of BLAS that waits for work keeps a core busy.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("MIMALLOC_ARENA_EAGER_COMMIT", "0")  # Arrow takes what it uses
    gc.disable()  # until the libraries are loaded: what they define stays, see `cli.main`
    from streameval.cli import main as run

    signal.signal(signal.SIGINT, before)
    return run()


def _stop(_number: int, _frame: FrameType | None) -> None:
    """End the process before any file is open: half-loaded libraries swallow exceptions."""
    os.write(2, b"streameval: Interrupted.\n")
    os._exit(130)


if __name__ == "__main__":
    # `python -m` puts the working folder first, and a file there would take the place of an
    # installed module: what a learner names by module:Class is added behind, where it is needed.
    if not sys.flags.safe_path and sys.path[:1] == [os.getcwd()]:  # noqa: PTH109, as Python has it
        del sys.path[0]
    sys.exit(main())
