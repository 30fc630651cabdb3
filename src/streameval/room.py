"""Free memory, checked before a large table is allocated."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from streameval.errors import DataError

#: The advice for a model that is too large.
MANY = (
    "Merge classes, leave out nominal columns of many values (temporally_augmented adds one with "
    "all classes), or free memory."
)
# Tables of fewer bytes are not checked: the check would take longer than the allocation.
_SMALL = 2**26
_GIB = 2**30


def free_bytes() -> int:
    """Return the bytes of memory that are free or can be freed; if unknown, a huge number."""
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return 1024 * int(line.split()[1])
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return sys.maxsize


def check_room(size: int, what: str, remedy: str) -> None:
    """Refuse a table that takes more than half of the free memory, before any work.

    Parameters
    ----------
    size : int
        Size of the table in bytes.
    what : str
        The table and the cause of its size, as the subject of the message.
    remedy : str
        What to do, in one sentence.

    Raises
    ------
    DataError
        If the table takes more than half of the free memory.
    """
    if size > _SMALL and size > (free := free_bytes()) / 2:
        raise DataError(
            f"{what} would need {size / _GIB:,.1f} GiB of memory, more than half of the "
            f"{free / _GIB:,.1f} GiB that are free. {remedy}"
        )
