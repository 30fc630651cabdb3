"""Studies of single streams without a run around them: forecasts, and repetitions of records."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from streameval.items.inputs import StreamInput
from streameval.learners.registry import LearnerSpec
from streameval.pipeline.work import stream_file
from streameval.settings import RAW
from streameval.streams.columnar import write_stream
from streameval.streams.making import convert
from streameval.streams.raw.fetch import fetch, mirror_folder
from streameval.streams.registry import FileSpec, GeneratorSpec, StreamSpec


def given_alone(
    spec: StreamSpec, settings: Any, rows: Mapping[str, LearnerSpec], folder: Path, mirror: str = ""
) -> StreamInput[Any]:
    """Return what a study is given for a stream.

    Parameters
    ----------
    spec : StreamSpec
        The stream's entry in the registry.
    settings : Settings
        Those of the item.
    rows : mapping of str to LearnerSpec
        The learners that it names.
    folder : Path
        Where a stream from a file is converted to, unless a run here has done so.
    mirror : str
        The folder with copies of raw files that the configuration names.

    Raises
    ------
    DownloadError
        If the file is not here: no host is asked.
    """
    is_file = isinstance(spec, FileSpec)
    file = Path(stream_file(spec.id))
    if isinstance(spec, FileSpec) and not file.is_file():
        raw = fetch(spec, RAW, mirror_folder(mirror), offline=True)
        file = folder / file.name
        write_stream(convert(spec, raw), file)
    return StreamInput(
        settings=settings,
        rows=rows,
        name=spec.id,
        simulated=isinstance(spec, GeneratorSpec) and spec.stands_for is not None,
        smoothing=spec.smoothing,
        file=str(file) if is_file else "",
        spec=spec if isinstance(spec, GeneratorSpec) else None,
    )
