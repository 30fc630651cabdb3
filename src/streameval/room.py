"""Room in memory, looked for before a large table is made."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from streameval.errors import DataError

#: What to do about a model that is too large.
MANY = (
    "Merge classes, leave out nominal columns of many values (temporally_augmented adds one with "
    "all classes), or free memory."
)
# Tables of fewer bytes are not looked at: asking costs more than they do.
_SMALL = 2**26
_GIB = 2**30


def free_bytes() -> int:
    """Return the bytes of memory that are free or can be freed; if unknown, as good as all."""
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return 1024 * int(line.split()[1])
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return sys.maxsize


def check_room(size: int, what: str, remedy: str) -> None:
    """Refuse a table that takes more than half of the free memory, before any work is done.

    Parameters
    ----------
    size : int
        Bytes that it needs.
    what : str
        What it is and how it comes to that size, the subject of the message.
    remedy : str
        What to do, one sentence.

    Raises
    ------
    DataError
        If that much memory is not free twice.
    """
    if size > _SMALL and size > (free := free_bytes()) / 2:
        raise DataError(
            f"{what} would need {size / _GIB:,.1f} GiB of memory, more than half of the "
            f"{free / _GIB:,.1f} GiB that are free. {remedy}"
        )
