"""The command ``streameval``: also ``python -m streameval``."""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType


def main() -> int:
    """Run the command with the command line's arguments; an interrupt prints one line."""
    before = signal.signal(signal.SIGINT, _stop)
    from streameval.cli import main as run  # takes a second, since it loads libraries

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
