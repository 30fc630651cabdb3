"""The built package: wheel and source distribution."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path


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
    """Return the files of a wheel or of a source distribution, without the folder of the latter."""
    if distribution.suffix == ".whl":
        with zipfile.ZipFile(distribution) as archive:
            return {name: archive.read(name) for name in archive.namelist()}
    with tarfile.open(distribution) as archive:
        members = {member.name.partition("/")[2]: member for member in archive if member.isfile()}
        found = {name: archive.extractfile(member) for name, member in members.items()}
        return {name: file.read() for name, file in found.items() if file}


def unpack(distribution: Path, folder: Path) -> Path:
    """Unpack a source distribution; return the folder of its files."""
    with tarfile.open(distribution) as archive:
        safe = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # since 3.11.4
        archive.extractall(folder, **safe)
    (tree,) = folder.iterdir()
    return tree
