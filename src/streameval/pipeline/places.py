"""Where the files of a task are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from streameval.table_files import read_csv

#: What a script is told about one item, see `pipeline.work`.
Task = Mapping[str, Any]


def located(path: str, among: Iterable[str]) -> str:
    """Return where a file is: in a workflow that is a module of another, below its prefix."""
    return next(one for one in map(str, among) if one == path or one.endswith(f"/{path}"))


def read_frames(paths: Mapping[str, str], inputs: Iterable[str]) -> dict[str, pd.DataFrame]:
    """Return the frames of an item for a stream, by their names."""
    inputs = list(inputs)
    return {name: read_csv(located(path, inputs)) for name, path in paths.items()}


def folder_in(task: Task, outputs: Iterable[str]) -> Path:
    """Return the folder for the pictures of an item: an output, or that of pictures that are."""
    outputs = [str(one) for one in outputs]
    folders = [*outputs, *(Path(one).parent.as_posix() for one in outputs)]
    return Path(located(task["folder"], folders))
