"""Reading a user's own file in any supported format.

The reader of a format is imported when needed: the import for Parquet takes a tenth of a short run.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from streameval.base.errors import ConfigError, DataError
from streameval.base.values import names_of
from streameval.streams.readers.content import READER_OF, Source, content_name
from streameval.streams.readers.pipes import PipeCopies
from streameval.streams.readers.suspicion import warn_about
from streameval.streams.stream import Stream

#: Options that are lists of column names or of texts.
_LISTS = ("drop", "nominal", "numeric", "missing")
#: Options on the form of a text file.
_TEXT_OPTIONS = ("separator", "decimal", "encoding", "thousands")


def read_any(path: str | Path, target: str | None = None, **options: Any) -> Stream:
    """Read a user's file by its ending: ARFF, CSV, Parquet or a converted stream.

    Arguments are as in `streameval.read`; some do not apply to ARFF and converted streams, which
    declare their columns. One warning lists everything that makes an evaluation pointless or
    costly. The content of a pipe is copied first, see `streameval.streams.readers.pipes`.
    """
    options = effective_options(options)
    with PipeCopies() as copies:
        file = copies.file(path)
        file_format, source = _format_of(file, options.get("member"))
        stream = _read(file_format, source, target, options)
        names = {attribute.name for attribute in stream.schema.attributes}
        has_types = file_format in ("arff", "converted")
        warn_about(
            stream,
            () if has_types else names - {*options.get("nominal", ())},
            has_header=file_format == "csv" and options.get("header", True),
            has_missing_option=not has_types,
        )
        return stream


def effective_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options that differ from their defaults; `drop` without columns of times, which are read."""
    lists = {name: names_of(options.get(name, ()), name) for name in _LISTS}
    times = options.get("time"), options.get("label_time")
    lists["drop"] = tuple(name for name in lists["drop"] if name not in times)
    return {
        name: value
        for name, value in {**options, **lists}.items()
        if _differs_from_default(name, value)
    }


def _differs_from_default(name: str, value: Any) -> bool:
    if name == "header":  # true by default
        return not value
    return value is not None if name in _TEXT_OPTIONS else bool(value)


def _format_of(path: Path, member: str | None) -> tuple[str, Source]:
    """Format of a file, a value of `READER_OF` or "converted", and the checked file."""
    ending = Path(content_name(path, member)).suffix.lower()
    file_format = READER_OF.get(ending)
    if file_format is None:
        raise DataError(
            f"{path}: expected a file ending in one of {', '.join(READER_OF)}, possibly followed "
            f"by .gz, .bz2, .xz or .zip, found {ending[:60] or 'no ending'}."
        )
    if file_format != "parquet":
        return file_format, Source.of(path, member)
    from streameval.streams.columnar import has_stream

    source = Source.of_table(path)  # the path may be a folder of parts
    return "converted" if has_stream(path) else file_format, source


def _read(file_format: str, source: Source, target: str | None, options: dict[str, Any]) -> Stream:
    if file_format == "converted":
        return _read_converted(source.path, target, options)
    if file_format == "arff":
        return _read_arff(source, target, options)
    if target is None:
        raise DataError(
            f"{source.path}: expected the name of the column to predict, found none. Name the "
            "target (--target COLUMN)."
        )
    if file_format == "parquet":
        from streameval.streams.readers.parquet_file import read_parquet

        inapplicable = ("header", "skip_rows", "member", *_TEXT_OPTIONS)
        _refuse_options(source.path, options, inapplicable, "it is not a text file")
        return read_parquet(source, target, **options)
    from streameval.streams.readers.csv_file import read_csv

    return read_csv(source, target, **options)


def _read_arff(source: Source, target: str | None, options: dict[str, Any]) -> Stream:
    from streameval.streams.readers.arff import read_arff

    inapplicable = ("missing", "header", "skip_rows", *_TEXT_OPTIONS)
    _refuse_options(
        source.path, options, inapplicable, "an ARFF file declares the kinds of its columns"
    )
    must_be_numeric = options.pop("numeric_target", False)
    stream = read_arff(source, target, **options)
    if must_be_numeric:
        _check_numeric(source.path, stream, "Declare it numeric")
    return stream


def _check_numeric(path: Path, stream: Stream, advice: str) -> None:
    if stream.schema.classes is not None:
        raise DataError(
            f"{path}: expected numbers in the target {stream.schema.target!r}, which is declared "
            f"nominal. {advice}, or choose classifiers."
        )


def _read_converted(path: Path, target: str | None, options: dict[str, Any]) -> Stream:
    from streameval.streams.columnar import read_stream

    must_be_numeric = options.pop("numeric_target", False)
    _refuse_options(path, options, tuple(options), "the columns of a converted stream are fixed")
    stream = read_stream(path)
    if target not in (None, stream.schema.target):
        raise DataError(
            f"{path}: the target of this converted stream is {stream.schema.target!r}, not "
            f"{target!r}. Read the file that it was converted from."
        )
    if must_be_numeric:
        _check_numeric(path, stream, "Convert the file with a numeric target")
    return stream


def _refuse_options(
    path: Path, options: dict[str, Any], inapplicable: tuple[str, ...], reason: str
) -> None:
    for name in inapplicable:
        if name in options:
            flag = "no-header" if name == "header" else name.replace("_", "-")
            option = f"--{flag} ({name!r})"
            raise ConfigError(
                f"{path}: {option} does not apply to this file: {reason}. Leave it out."
            )
