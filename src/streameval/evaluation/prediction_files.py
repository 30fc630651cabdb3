"""Predictions on disk, with a digest of their content."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from streameval.errors import DataError, excerpt
from streameval.evaluation.prediction_table import PLACES, PredictionTable, check_ids
from streameval.files import written_aside
from streameval.protocols.protocol import Protocol
from streameval.protocols.registry import parse
from streameval.streams.columnar import DAMAGE
from streameval.streams.stream import NO_LABEL
from streameval.streams.variants import ORIGINAL, file_stem, name_of_stem

#: The folder of a run's predictions.
FOLDER = Path("results", "predictions")

_KEY = b"streameval"
_TRUE = "true"
# Columns of increasing numbers, of which the differences are written.
_STEADY = ("row", "ordinal", "time")
_AGAIN = "Delete it and run again."


def prediction_file(name: str, protocol: Protocol | str) -> Path:
    """Return the path of the predictions for a stream.

    Parameters
    ----------
    name : str
        Name of the stream, with its variant if it has one: ``elec2``, ``elec2:shuffled:1``.
    protocol : Protocol or str
        See `streameval.protocols.registry.parse`.
    """
    stream = name.removesuffix(f":{ORIGINAL}")
    return FOLDER / f"{file_stem(stream)}.{parse(protocol)}.parquet"


def name_and_protocol(path: str | Path) -> tuple[str, Protocol]:
    """Return the stream's name and the protocol of a path; the inverse of `prediction_file`.

    Raises
    ------
    ConfigError
        If the path does not name a protocol.
    """
    stem, _, protocol = Path(path).name.removesuffix(".parquet").rpartition(".")
    return name_of_stem(stem), parse(protocol)


def write_predictions(predictions: PredictionTable, path: str | Path) -> None:
    """Write predictions as Parquet.

    The columns are those of `PLACES` that are available, ``true`` (null where the label is
    missing) and the predicted labels of each learner. The metadata contain stream,
    protocol, number of classes, and a digest of all.

    Raises
    ------
    ConfigError
        If a learner's id is the name of another column.
    """
    check_ids(predictions.predicted)
    columns = {**predictions.places(), _TRUE: predictions.true, **predictions.predicted}
    arrays: dict[str, NDArray[Any]] = {name: np.asarray(part) for name, part in columns.items()}
    about = {key: getattr(predictions, key) for key in ("n_classes", "stream", "protocol")}
    header = json.dumps({**about, "digest": _digest(arrays, about)}).encode()
    known = {_TRUE: arrays[_TRUE] != NO_LABEL}
    table = pa.table(
        {
            name: pa.array(values, mask=~known[name] if name in known else None)
            for name, values in arrays.items()
        }
    )
    with written_aside(Path(path)) as part:
        pq.write_table(
            table.replace_schema_metadata({_KEY: header}),
            part,
            compression="zstd",
            use_dictionary=[name for name in arrays if name not in _STEADY],
            column_encoding={name: "DELTA_BINARY_PACKED" for name in arrays if name in _STEADY},
        )


def read_predictions(path: str | Path) -> PredictionTable:
    """Read a file of `write_predictions`.

    Raises
    ------
    DataError
        If the file is missing, damaged or changed.
    """
    path = Path(path)
    if not path.is_file():
        raise DataError(f"{path}: expected a file of predictions, found none. Run again.")
    try:
        table = pq.read_table(path)
        about = json.loads((table.schema.metadata or {})[_KEY])
        arrays = {
            name: (table[name].fill_null(NO_LABEL) if name == _TRUE else table[name]).to_numpy()
            for name in table.column_names
        }
        expected = str(about.pop("digest"))
        found = _digest(arrays, about)
        places = {name: arrays.pop(name) for name in PLACES if name in arrays}
        predictions = PredictionTable(arrays.pop(_TRUE), arrays, **places, **about)
    except DAMAGE as error:
        raise DataError(
            f"{path}: expected the predictions of a run, found a damaged file or another format "
            f"({type(error).__name__}: {excerpt(error)}). {_AGAIN}"
        ) from error
    if found != expected:
        raise DataError(
            f"{path}: expected predictions with digest {excerpt(expected)}, found {found}: the "
            f"file is damaged. {_AGAIN}"
        )
    return predictions


def read_scored(path: str | Path) -> PredictionTable:
    """Read the predictions of a file of `write_predictions` that have a true label."""
    return read_predictions(path).scored()


def _digest(columns: Mapping[str, NDArray[Any]], about: Mapping[str, Any]) -> str:
    """Return the SHA-256 of header, names, types and values, in the order of the columns."""
    kinds = [(name, values.dtype.str, len(values)) for name, values in columns.items()]
    sha = hashlib.sha256(json.dumps([about, kinds]).encode())
    for values in columns.values():
        sha.update(np.ascontiguousarray(values).data)
    return sha.hexdigest()
