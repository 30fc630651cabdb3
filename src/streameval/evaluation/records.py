"""Recorded results of long runs, which are part of the project (``resources/recorded``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from streameval.base.errors import DataError
from streameval.base.file_digests import file_digest
from streameval.base.settings import load_yaml
from streameval.base.table_files import read_csv_table, read_parquet_table

#: Folder of the records, below the project or the folder of a run.
RECORDED = "resources/recorded"
#: Name of the file that describes a record.
DESCRIPTION_FILE = "run.yaml"
#: Ending of the name of the file with the counts of a stream.
COUNTS = "counts.parquet"
#: Required keys of the description of a record.
_KEYS = {"item", "kind", "settings", "learners", "streams", "left_out", "tables"}
#: Required keys of each stream in the description.
_STREAM_KEYS = {"title", "simulated", "spec", "instances", "runs", "core_hours", "parts", "files"}
_STREAM_KEYS |= {"version", "commit", "date", "machine"}


@dataclass(frozen=True)
class Record:
    """A recorded run, with the content of its ``run.yaml``."""

    folder: Path
    description: Mapping[str, Any]

    @property
    def name(self) -> str:
        """Name of the record, STUDY/NAME."""
        return "/".join(self.folder.parts[-2:])

    @property
    def study(self) -> str:
        """The study of the recorded item."""
        return str(self.description["item"]).partition("/")[0]

    @property
    def streams(self) -> Mapping[str, Mapping[str, Any]]:
        """The entries of the streams, by name."""
        entries: Mapping[str, Mapping[str, Any]] = self.description["streams"]
        return entries

    def frames(self, name: str) -> dict[str, pd.DataFrame]:
        """A frame of the recorded item, by its name in the item's kind; one for each stream."""
        return {
            stream: read_csv_table(self._checked_file(stream, f"{name}.csv"))
            for stream in self.streams
        }

    def counts(self, stream: str) -> pd.DataFrame:
        """Counts of each run on a stream."""
        return read_parquet_table(self._checked_file(stream, COUNTS))

    def _checked_file(self, stream: str, ending: str) -> Path:
        """Path of a file of a stream, after a check of its digest."""
        name = f"{stream}.{ending}"
        _check_digest(self.folder / name, self.streams[stream]["files"].get(name))
        return self.folder / name


def read_description(path: Path) -> Mapping[str, Any]:
    """Description of a record.

    Raises ConfigError or DataError if the file is missing or incomplete.
    """
    description = load_yaml(path)
    if not isinstance(description, Mapping) or not description.keys() >= _KEYS:
        missing = _KEYS - description.keys() if isinstance(description, Mapping) else _KEYS
        raise DataError(
            f"{path}: expected the description of a recorded run, found none of "
            f"{', '.join(sorted(missing))}. Record the run again."
        )
    for stream, entry in description["streams"].items():
        if not entry.keys() >= _STREAM_KEYS:
            raise DataError(
                f"{path}: expected {', '.join(sorted(_STREAM_KEYS - entry.keys()))} of {stream}, "
                "found none. Record the run again."
            )
    return description


def record_dates(description: Mapping[str, Any]) -> str:
    """Dates and versions of the runs of a record, in words."""
    dates, versions = (
        sorted({entry[key] for entry in description["streams"].values()})
        for key in ("date", "version")
    )
    days = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
    return f"{days}, version{'s' * (len(versions) > 1)} {' and '.join(versions)}"


def read_record(folder: str | Path) -> Record:
    """A record after checking that its files are complete and unchanged.

    Raises ConfigError or DataError if it is not complete, or a file is damaged or edited.
    """
    folder = Path(folder)
    record = Record(folder, read_description(folder / DESCRIPTION_FILE))
    # The description contains the digests of all other files, and has none of its own.
    expected = {DESCRIPTION_FILE: file_digest(folder / DESCRIPTION_FILE)}
    for entry in record.streams.values():
        expected |= entry["files"]
    expected |= {f"tables/{name}": value for name, value in record.description["tables"].items()}
    present = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    if others := sorted(present - expected.keys()):
        raise DataError(
            f"{folder}: expected the files that {DESCRIPTION_FILE} names, found also "
            f"{', '.join(others)}. Remove them, or record the run again."
        )
    for name, digest in expected.items():
        _check_digest(folder / name, digest)
    return record


def _check_digest(path: Path, expected: str | None) -> None:
    if not path.is_file():
        raise DataError(
            f"{path}: expected a file of a recorded run, found none. Fetch the record again."
        )
    if file_digest(path) != expected:
        raise DataError(
            f"{path}: expected the file as it was recorded, found other content: it was damaged or "
            "edited. Fetch the record again."
        )


def record_files(description: Mapping[str, Any], frames: Sequence[str]) -> list[str]:
    """Names of the description and of the files with the named frames of all streams."""
    return [
        DESCRIPTION_FILE,
        *(f"{stream}.{name}.csv" for stream in description["streams"] for name in frames),
    ]
