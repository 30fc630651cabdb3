"""Where settings are, and reading them: a wrong one is named with its file and keys."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from streameval.yaml_files import load_yaml as load_yaml


def _root() -> Path:
    package = Path(__file__).resolve().parent
    installed = package / "project"
    return installed if installed.is_dir() else package.parents[1]


#: The folder of ``config``, ``workflow``, ``resources/published`` and ``resources/recorded``: the
#: top folder of a clone, or a folder inside an installed package.
ROOT = _root()
#: The folder of raw files, relative to that of a run.
RAW = Path("resources", "raw")


def load(path: Path, wanted: Any) -> Any:
    """Read a YAML file and check it; see `streameval.plain_data.checked`.

    Raises
    ------
    ConfigError
        If the file is missing, is not YAML, or is of another type.
    """
    from streameval.plain_data import checked  # help texts do without msgspec

    return checked(load_yaml(path), wanted, str(path))


def locate(path: str) -> Path:
    """Return a path in the working folder or, if there is none, among the project's own files."""
    with suppress(OSError):  # a name too long for the file system
        for base in (Path.cwd(), ROOT):
            if (base / path).exists():
                return base / path
    return Path(path)
