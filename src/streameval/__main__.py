"""The command ``streameval``: also ``python -m streameval``."""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType


def main() -> int:
    """Run the command with the words of the command line; an interrupt is one line at any time."""
    before = signal.signal(signal.SIGINT, _stop)
    from streameval.cli import main as run  # which takes a second: libraries are loaded

    signal.signal(signal.SIGINT, before)
    return run()


def _stop(_number: int, _frame: FrameType | None) -> None:
    """End the process while nothing is open: libraries that are half loaded swallow exceptions."""
    os.write(2, b"streameval: Interrupted.\n")
    os._exit(130)


if __name__ == "__main__":
    sys.exit(main())
