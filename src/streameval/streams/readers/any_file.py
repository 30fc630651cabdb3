"""Reading a user's own file in any supported format.

The reader of a format is imported for a file of it: that of Parquet takes a tenth of a short run.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from streameval.base.errors import ConfigError, DataError
from streameval.base.values import names_of
from streameval.streams.readers.content import (
    READER_OF,
    check_readable,
    content_name,
    parquet_files,
)
from streameval.streams.readers.pipes import PipeCopies
from streameval.streams.readers.suspicion import warn_about
from streameval.streams.stream import Stream

_CSV = [ending for ending, reader in READER_OF.items() if reader == "csv"]

#: Options that are names of columns, or texts.
_LISTS = ("drop", "nominal", "numeric", "missing")
#: Options about how a text is written.
_WRITTEN = ("separator", "decimal", "encoding", "thousands")


def read_any(path: str | Path, target: str | None = None, **options: Any) -> Stream:
    """Read a user's file by its ending: ARFF, CSV, Parquet or a converted stream.

    Arguments are those of `streameval.read`; some do not apply to ARFF and converted streams, which
    declare their columns. One warning lists all that makes an evaluation pointless or costly. What
    a pipe delivers is copied first, see `streameval.streams.readers.pipes`.
    """
    given = given_options(options)
    with PipeCopies() as copies:
        return _read_file(copies.file(path), target, given)


def _read_file(path: Path, target: str | None, given: dict[str, Any]) -> Stream:
    nominal = given.get("nominal", ())
    ending = Path(content_name(path, given.get("member"))).suffix.lower()
    stream = _read(path, ending, target, given)
    names = {attribute.name for attribute in stream.schema.attributes}
    is_text = ending in _CSV
    declared = READER_OF[ending] == "arff" or _is_converted(path, ending)
    warn_about(
        stream,
        () if declared else names - {*nominal},
        header=is_text and given.get("header", True),
        takes_missing=not declared,
    )
    return stream


def given_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that say anything; names are lists, and times are not dropped."""
    lists = {name: names_of(options.get(name, ()), name) for name in _LISTS}
    times = options.get("time"), options.get("label_time")
    lists["drop"] = tuple(name for name in lists["drop"] if name not in times)
    return {
        name: value
        for name, value in {**options, **lists}.items()
        if (name == "header") is not bool(value) or (name in _WRITTEN and value is not None)
    }


def _read(path: Path, ending: str, target: str | None, options: dict[str, Any]) -> Stream:
    if ending not in READER_OF:
        raise DataError(
            f"{path}: expected a file ending in one of {', '.join(READER_OF)}, possibly followed "
            f"by .gz, .bz2, .xz or .zip, found {ending[:60] or 'no ending'}."
        )
    if ending != ".parquet":  # which may be a folder of parts
        check_readable(path)
    if READER_OF[ending] == "arff":
        return _read_arff(path, target, options)
    if ending == ".parquet":
        parquet_files(path)  # is there any?
    if _is_converted(path, ending):
        return _read_converted(path, target, options)
    if target is None:
        raise DataError(
            f"{path}: expected the name of the column to predict, found none. Name the target "
            "(--target COLUMN)."
        )
    if ending == ".parquet":
        from streameval.streams.readers.parquet_file import read_parquet

        _refuse(path, options, ("header", "skip_rows", "member", *_WRITTEN), "it is no text")
        return read_parquet(path, target, **options)
    from streameval.streams.readers.csv_file import read_csv

    return read_csv(path, target, **options)


def _is_converted(path: Path, ending: str) -> bool:
    if ending != ".parquet":
        return False
    from streameval.streams.columnar import has_stream

    return has_stream(path)


def _read_arff(path: Path, target: str | None, options: dict[str, Any]) -> Stream:
    from streameval.streams.readers.arff import read_arff

    declared = ("missing", "header", "skip_rows", *_WRITTEN)
    _refuse(path, options, declared, "an ARFF file declares the kinds of its columns")
    asked = options.pop("numeric_target", False)
    stream = read_arff(path, target, **options)
    if asked:
        _check_numeric(path, stream, "Declare it numeric")
    return stream


def _check_numeric(path: Path, stream: Stream, advice: str) -> None:
    if stream.schema.classes is not None:
        raise DataError(
            f"{path}: expected numbers in the target {stream.schema.target!r}, which is declared "
            f"nominal. {advice}, or choose classifiers."
        )


def _read_converted(path: Path, target: str | None, options: dict[str, Any]) -> Stream:
    from streameval.streams.columnar import read_stream

    asked = options.pop("numeric_target", False)
    _refuse(path, options, tuple(options), "the columns of a converted stream are fixed")
    stream = read_stream(path)
    if target not in (None, stream.schema.target):
        raise DataError(
            f"{path}: the target of this converted stream is {stream.schema.target!r}, not "
            f"{target!r}. Read the file that it was converted from."
        )
    if asked:
        _check_numeric(path, stream, "Convert the file with a numeric target")
    return stream


def _refuse(path: Path, options: dict[str, Any], unknown: tuple[str, ...], why: str) -> None:
    for name in unknown:
        if name in options:
            flag = "no-header" if name == "header" else name.replace("_", "-")
            option = f"--{flag} ({name!r})"
            raise ConfigError(f"{path}: {option} does not apply to this file: {why}. Leave it out.")
