"""Origin of results: versions of packages, commit and processor."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from streameval import __version__

#: Packages on which results and figures depend.
PACKAGES = (
    "numpy",
    "scipy",
    "pandas",
    "pyarrow",
    "numba",
    "llvmlite",
    "matplotlib",
    "seaborn",
    "river",
    "scikit-learn",
)


@cache
def versions() -> dict[str, str]:
    """Versions of streameval, Python and the installed packages of `PACKAGES`, by name."""
    versions_by_name = {"streameval": __version__, "Python": platform.python_version()}
    for name in PACKAGES:
        try:
            versions_by_name[name] = version(name)
        except PackageNotFoundError:
            continue
    return versions_by_name


def versions_text(versions_by_name: dict[str, str]) -> str:
    """Names and versions as a text, followed by the operating system."""
    return ", ".join(
        [*(f"{name} {number}" for name, number in versions_by_name.items()), sys.platform]
    )


def commit_of(folder: Path) -> str:
    """Commit of a clone, followed by ``-dirty`` if files were edited; "" outside a clone."""
    git = shutil.which("git")
    if git is None or not (folder / ".git").exists():
        return ""
    # All 40 digits of the commit.
    command = [git, "-C", str(folder), "describe", "--always", "--dirty", "--abbrev=40"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    return result.stdout.strip()


def processor() -> str:
    """Model of the processor, as the system calls it."""
    information = Path("/proc/cpuinfo")
    if information.is_file():
        for line in information.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def machine() -> dict[str, str | int | None]:
    """Processor, number of cores, and system."""
    system = f"{platform.system()} {platform.machine()}"
    return {"cpu": processor(), "cores": os.cpu_count(), "system": system}
