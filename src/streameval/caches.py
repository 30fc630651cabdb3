"""The folder of what is kept between runs: compiled kernels, and streams read from text files."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from streameval.sources import PACKAGE


def cache_folder() -> Path:
    """Return the folder: that of ``NUMBA_CACHE_DIR``, the package's own, or the user's."""
    if named := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(named).absolute() / "streameval"
    if not os.access(PACKAGE, os.W_OK):
        with suppress(RuntimeError):  # a user without a home folder: nothing is kept
            return Path.home() / ".cache" / "streameval"
    return PACKAGE / "__pycache__"
