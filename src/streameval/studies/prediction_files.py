"""Predictions on disk, with a digest of what was written."""

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
from streameval.files import written_aside
from streameval.streams.columnar import DAMAGE
from streameval.studies.prediction_table import PredictionTable

_CLASSES, _DIGEST = b"streameval.n_classes", b"streameval.digest"
_TRUE = "true"
_AGAIN = "Delete it and run again."


def write_predictions(predictions: PredictionTable, path: str | Path) -> None:
    """Write predictions as Parquet: a column ``true``, and one of labels per learner."""
    columns = {_TRUE: predictions.true, **predictions.predicted}
    arrays = {name: np.asarray(labels) for name, labels in columns.items()}
    table = pa.table({name: pa.array(labels) for name, labels in arrays.items()})
    about = {_CLASSES: str(predictions.n_classes), _DIGEST: _digest(arrays, predictions.n_classes)}
    with written_aside(Path(path)) as part:
        pq.write_table(table.replace_schema_metadata(about), part, compression="zstd")


def read_predictions(path: str | Path) -> PredictionTable:
    """Read what `write_predictions` wrote.

    Raises
    ------
    DataError
        If the file is missing, damaged, or not what was written.
    """
    path = Path(path)
    if not path.is_file():
        raise DataError(f"{path}: expected a file of predictions, found none. Run again.")
    try:
        table = pq.read_table(path)
        about = table.schema.metadata or {}
        arrays = {name: table[name].to_numpy() for name in table.column_names}
        n_classes, expected = int(about[_CLASSES]), about[_DIGEST].decode()
        found = _digest(arrays, n_classes)
    except DAMAGE as error:
        raise DataError(
            f"{path}: expected the predictions of a run, found a damaged or other file "
            f"({type(error).__name__}: {excerpt(error)}). {_AGAIN}"
        ) from error
    if found != expected:
        raise DataError(
            f"{path}: expected predictions with digest {excerpt(expected)}, found {found}: the "
            f"file is damaged. {_AGAIN}"
        )
    return PredictionTable(arrays.pop(_TRUE), arrays, n_classes)


def _digest(columns: Mapping[str, NDArray[Any]], n_classes: int) -> str:
    """Return the SHA-256 of names, types and labels, in the order of the columns."""
    about = [(name, labels.dtype.str, len(labels)) for name, labels in columns.items()]
    sha = hashlib.sha256(json.dumps([n_classes, about]).encode())
    for labels in columns.values():
        sha.update(np.ascontiguousarray(labels).data)
    return sha.hexdigest()
