"""Reading JSON lines: a file with a JSON object for each instance."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from streameval.base.errors import DataError
from streameval.streams.readers.content import check_readable
from streameval.streams.readers.frame import read_frame
from streameval.streams.stream import Stream


def read_json_lines(
    path: str | Path,
    target: str,
    name: str | None = None,
    *,
    drop: Iterable[str] = (),
    time: str | None = None,
    label_time: str | None = None,
) -> Stream:
    """Read a file of JSON lines; see `read_frame`."""
    check_readable(Path(path))
    try:
        frame = pd.read_json(path, lines=True)
    except ValueError as error:
        raise DataError(
            f"{path}: expected a JSON object in each line, found another text ({error}). Correct "
            "the file, or name another reader."
        ) from error
    title = Path(path).stem if name is None else name
    return read_frame(frame, target, drop=drop, name=title, time=time, label_time=label_time)
