"""The built package: wheel and source distribution."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest


def build(tree: Path, folder: Path, *targets: str) -> dict[str, Path]:
    """Build distributions of a source tree; return them by their endings."""
    words = [word for target in targets for word in ("--target", target)]
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--directory", str(folder), *words],
        cwd=tree,
        check=True,
        capture_output=True,
    )
    return {path.suffix: path for path in folder.iterdir()}


def content(distribution: Path) -> dict[str, bytes]:
    """The files of a wheel or of a source distribution, without the folder of the latter."""
    if distribution.suffix == ".whl":
        with zipfile.ZipFile(distribution) as archive:
            return {name: archive.read(name) for name in archive.namelist()}
    with tarfile.open(distribution) as archive:
        members = {member.name.partition("/")[2]: member for member in archive if member.isfile()}
        files = {name: archive.extractfile(member) for name, member in members.items()}
        return {name: file.read() for name, file in files.items() if file}


def unpack(distribution: Path, folder: Path) -> Path:
    """Unpack a source distribution; return the folder of its files."""
    with tarfile.open(distribution) as archive:
        safe = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # since 3.11.4
        archive.extractall(folder, **safe)
    (tree,) = folder.iterdir()
    return tree


class Environment:
    """An environment with nothing but what is installed into it, used from an empty folder.

    The pip of the tests installs: one of its own takes five seconds to set up. Modules are compiled
    when they are imported: to compile all that comes with numpy and numba takes fifteen.
    """

    def __init__(self, folder: Path) -> None:
        self.bin = folder / "environment" / "bin"
        self.home = folder / "elsewhere"
        self.home.mkdir()
        hidden = ("NUMBA_CACHE_DIR", "PYTHONPATH", "STREAMEVAL_DATA", "VIRTUAL_ENV")
        self.variables = {key: value for key, value in os.environ.items() if key not in hidden}
        self.variables |= {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "NO_COLOR": "1"}
        words = [sys.executable, "-m", "venv", "--without-pip", str(self.bin.parent)]
        subprocess.run(words, check=True)

    def install(self, *words: str, probe: str) -> None:
        """Install what pip is told to; skip the test if no index has a package."""
        asked = self.pip("install", "--dry-run", "--no-deps", "--retries", "1", probe)
        if asked.returncode != 0:
            pytest.skip(f"no package index can be reached: {asked.stderr.strip().splitlines()[-1]}")
        finished = self.pip("install", "--quiet", "--no-compile", *words)
        assert finished.returncode == 0, finished.stderr

    def pip(self, *words: str) -> subprocess.CompletedProcess[str]:
        return self._finished(sys.executable, "-m", "pip", "--python", str(self.python), *words)

    def run(self, program: str, *words: str) -> subprocess.CompletedProcess[str]:
        return self._finished(str(self.bin / program), *words)

    @property
    def python(self) -> Path:
        return self.bin / "python"

    def _finished(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words,
            cwd=self.home,
            env=self.variables,
            capture_output=True,
            text=True,
            check=False,
        )
