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
    sys.exit(main())
