"""The command in a folder with files that are named as the modules that it, or a job, imports."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from helpers.projects import ROOT

#: Modules that the command, Snakemake or the scripts of jobs import.
SHADOWS = ("numpy", "pandas", "yaml", "pyarrow", "snakemake", "scipy", "streameval")
_START = "from streameval.__main__ import main; sys.exit(main())"


def command(*words: str, module: bool = False) -> subprocess.CompletedProcess[str]:
    """Run the command as a process: as it is installed, or as a module."""
    start = ["-m", "streameval"] if module else ["-c", "import sys; del sys.path[0]\n" + _START]
    variables = {"PYTHONPATH": str(ROOT / "src")}
    return subprocess.run(
        [sys.executable, *start, *words],
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=False,
    )


def shadow(folder: Path, names: Iterable[str] = SHADOWS) -> None:
    """Write modules that say that they have run, and fail."""
    for name in names:
        (folder / f"{name}.py").write_text(f"open('RAN_{name}', 'w')\n1 / 0\n", encoding="utf-8")
