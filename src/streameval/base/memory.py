"""Free memory, checked before a large table is allocated."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

from streameval.base.errors import DataError

#: Advice for a model that is too large.
MODEL_SIZE_ADVICE = (
    "Merge classes, leave out nominal columns of many values (temporally_augmented adds one with "
    "all classes), or free memory."
)
# Tables of fewer bytes are not checked: the check takes longer than the allocation.
_MIN_CHECKED_BYTES = 2**26
_GIB = 2**30  # bytes


def free_bytes() -> int:
    """Bytes of memory that are free or can be freed; if unknown, a huge number."""
    return min(_free_on_machine(), _free_in_cgroups(), _free_under_ulimit())


def _free_under_ulimit(status: Path = Path("/proc/self/status")) -> int:
    """Bytes left under the process's limit on data (`ulimit -d`)."""
    try:
        import resource  # Unix only
    except ImportError:
        return sys.maxsize
    limit = resource.getrlimit(resource.RLIMIT_DATA)[0]
    with suppress(OSError, ValueError):
        if limit != resource.RLIM_INFINITY:
            for line in status.read_text(encoding="ascii").splitlines():
                if line.startswith("VmData:"):
                    return max(0, limit - 1024 * int(line.split()[1]))
    return sys.maxsize


def _free_in_cgroups(
    groups: Path = Path("/proc/self/cgroup"), mount: Path = Path("/sys/fs/cgroup")
) -> int:
    """Bytes left under the limits of control groups, as of cluster jobs and containers."""
    free = sys.maxsize
    try:
        lines = [line.split(":", 2) for line in groups.read_text(encoding="ascii").splitlines()]
    except (OSError, ValueError):
        return free
    for _, controllers, path in lines:
        if controllers == "":  # version 2 of control groups
            root, limit, usage, cache = mount, "memory.max", "memory.current", "inactive_file"
        elif "memory" in controllers.split(","):
            root, limit = mount / "memory", "memory.limit_in_bytes"
            usage, cache = "memory.usage_in_bytes", "total_inactive_file"
        else:
            continue
        group = root / path.lstrip("/")
        for folder in (group, *group.parents):  # the limits of all groups above hold, too
            if root in (folder, *folder.parents):  # not the folders above the mount point
                free = min(free, _free_in_cgroup(folder, limit, usage, cache))
    return free


def _free_in_cgroup(folder: Path, limit: str, usage: str, cache: str) -> int:
    """Bytes left in a control group; the largest integer if it has no limit.

    `limit` and `usage` are names of files, `cache` is the entry of freeable bytes in memory.stat.
    """
    with suppress(OSError, ValueError, KeyError):  # no such group, or no limit: "max"
        statistics = (folder / "memory.stat").read_text(encoding="ascii").split()
        freeable = dict(zip(statistics[::2], statistics[1::2], strict=True))[cache]
        used = int((folder / usage).read_text(encoding="ascii")) - int(freeable)
        return max(0, int((folder / limit).read_text(encoding="ascii")) - used)
    return sys.maxsize


def _free_on_machine() -> int:
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return 1024 * int(line.split()[1])
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return sys.maxsize


def check_room(size: int, subject: str, remedy: str) -> None:
    """Refuse a table that would take more than half of the free memory, before it is allocated.

    The message begins with `subject` and ends with `remedy`, a sentence on what to do.
    """
    if is_large(size):
        raise DataError(
            f"{subject} would need {size / _GIB:,.1f} GiB of memory, more than half of the "
            f"{free_bytes() / _GIB:,.1f} GiB that are free. {remedy}"
        )


def is_large(size: int, held_bytes: int = 0) -> bool:
    """Whether a table of `size` bytes takes more than half of the free memory.

    `held_bytes` of the table are in memory already.
    """
    return size > _MIN_CHECKED_BYTES and size > (free_bytes() + held_bytes) / 2
