"""Predictions of several learners side by side, beside the true labels, and their files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Codes, Flags, Integers
from streameval.errors import ConfigError, DataError, excerpt, some
from streameval.evaluation.roles import MAJORITY
from streameval.evaluation.task import CLASSES
from streameval.files import written_aside
from streameval.protocols.partial import no_interval
from streameval.protocols.protocol import Protocol
from streameval.protocols.registry import parse
from streameval.streams.stream import NO_LABEL
from streameval.streams.variants import ORIGINAL, file_stem

if TYPE_CHECKING:
    import pandas as pd

#: What is kept of each prediction besides labels, where it is known.
PLACES = ("row", "ordinal", "time", "fold")
#: Names that no learner may have, since a file has them as columns.
RESERVED = (*PLACES, "true")
#: The folder of a run's predictions.
FOLDER = Path("results", "predictions")
_KEY = b"streameval"
_TRUE = "true"
# Columns of increasing numbers, of which the differences are written.
_STEADY = ("row", "ordinal", "time")
_AGAIN = "Delete it and run again."


def check_ids(learners: Iterable[str]) -> None:
    """Refuse ids of learners that are names of other columns.

    Raises ConfigError if there is one.
    """
    wrong = [name for name in learners if name in RESERVED]
    if wrong:
        raise ConfigError(
            f"No learner can be called {some(wrong)}: tables of predictions have columns of the "
            f"names {', '.join(RESERVED)}. Choose another id."
        )


@dataclass(frozen=True)
class PredictionTable:
    """The predictions of several learners over the tapes of one protocol.

    Folds stand one behind the other; within a fold, predictions are in the order of its tape.

    Parameters
    ----------
    true : ndarray of int32, shape (p,)
        True class codes, `NO_LABEL` where the label is missing: see `scored`.
    predicted : mapping of str to ndarray of int16, shape (p,)
        Predicted class codes by learner id, -1 where there is none; `COMPARATORS` are among them.
    n_classes : int
        Declared number of classes.
    row : ndarray of int32, shape (p,), optional
        Row of the stream that is predicted.
    ordinal : ndarray of int32, shape (p,), optional
        Place in the tape: the number of events of the fold, predicted or learnt, that come before
        the prediction.
    time : ndarray of int64, shape (p,), optional
        When the instance arrives, where the stream says so.
    fold : ndarray of int32, shape (p,), optional
        Which model predicts, where there are several: 0, 1, ...
    stream, protocol : str
        The stream's name, and the protocol as ``str()`` gives it; "" where they are not known.
    majority : str
        The learner that κ_m compares with.
    """

    true: Codes
    predicted: Mapping[str, NDArray[np.int16]]
    n_classes: int
    row: Codes | None = None
    ordinal: Codes | None = None
    time: Integers | None = None
    fold: Codes | None = None
    stream: str = ""
    protocol: str = ""
    majority: str = MAJORITY

    def __len__(self) -> int:
        return len(self.true)

    @property
    def no_interval(self) -> str:
        """Why nothing about these predictions has an interval; empty if some may have."""
        return no_interval(self.protocol)

    def places(self) -> dict[str, NDArray[Any]]:
        """Return the known columns of `PLACES`, by name."""
        known = {name: getattr(self, name) for name in PLACES}
        return {name: values for name, values in known.items() if values is not None}

    def as_frame(self, classes: Sequence[str]) -> pd.DataFrame:
        """Return the predictions by the names of classes, as `streameval.Result.predictions`."""
        import pandas as pd

        columns: dict[str, Any] = {**self.places()}
        columns.pop("ordinal", None)
        names = pd.Index(classes)
        labels: dict[str, Any] = {_TRUE: self.true, **self.predicted}
        for name, codes in labels.items():
            columns[name] = pd.Categorical.from_codes(codes, names)
        return pd.DataFrame(columns)

    def scored(self) -> PredictionTable:
        """Return the predictions of instances with labels, which alone can be measured."""
        has_all = self.true.min(initial=0) > NO_LABEL
        return self if has_all else self.part(CLASSES.known(self.true))

    def on_arrival(self) -> PredictionTable:
        """Return the first prediction of each instance, in their order."""
        if self.row is None or self.fold is not None:
            return self
        first = np.zeros(len(self), dtype=bool)
        first[np.unique(self.row, return_index=True)[1]] = True
        return self if first.all() else self.part(first)

    def part(self, which: Flags) -> PredictionTable:
        """Return some of the predictions, in their order."""
        places: dict[str, Any] = {name: values[which] for name, values in self.places().items()}
        predicted = {name: labels[which] for name, labels in self.predicted.items()}
        return replace(self, true=self.true[which], predicted=predicted, **places)

    def require_one_fold(self, what: str) -> None:
        """Refuse the predictions of several folds, which are not a single sequence.

        `what` needs a sequence, the subject of the message.

        Raises ConfigError if there are folds.
        """
        if self.fold is not None:
            raise ConfigError(
                f"{what}: expected predictions in one sequence, found those of several folds "
                f"(stream {self.stream!r}, protocol {self.protocol}). Choose a protocol without "
                "folds, such as prequential, or measures over all predictions."
            )


def prediction_file(name: str, protocol: Protocol | str) -> Path:
    """Return the path of the predictions for a stream.

    `name` is that of the stream, with its variant if it has one: ``elec2``, ``elec2:shuffled:1``.
    """
    stream = name.removesuffix(f":{ORIGINAL}")
    return FOLDER / f"{file_stem(stream)}.{parse(protocol)}.parquet"


def write_predictions(predictions: PredictionTable, path: str | Path) -> None:
    """Write predictions as Parquet.

    The columns are those of `PLACES` that are available, ``true`` (null where the label is
    missing) and the predicted labels of each learner. The metadata contain stream,
    protocol, number of classes, and a digest of all.

    Raises ConfigError if a learner's id is the name of another column.
    """
    import pyarrow as pa  # here, and below: most predictions are never in a file
    from pyarrow import parquet

    check_ids(predictions.predicted)
    columns = {**predictions.places(), _TRUE: predictions.true, **predictions.predicted}
    arrays: dict[str, NDArray[Any]] = {name: np.asarray(part) for name, part in columns.items()}
    about = {key: getattr(predictions, key) for key in ("n_classes", "stream", "protocol")}
    header = json.dumps({**about, "digest": _digest(arrays, about)}).encode()
    table = pa.table(
        {
            name: pa.array(values, mask=values == NO_LABEL if name == _TRUE else None)
            for name, values in arrays.items()
        }
    )
    with written_aside(Path(path)) as part:
        parquet.write_table(
            table.replace_schema_metadata({_KEY: header}),
            part,
            compression="zstd",
            use_dictionary=[name for name in arrays if name not in _STEADY],
            column_encoding={name: "DELTA_BINARY_PACKED" for name in arrays if name in _STEADY},
        )


def read_predictions(path: str | Path) -> PredictionTable:
    """Read a file of `write_predictions`.

    Raises DataError if the file is missing, damaged or changed.
    """
    from pyarrow import parquet

    from streameval.streams.columnar import DAMAGE

    path = Path(path)
    if not path.is_file():
        raise DataError(f"{path}: expected a file of predictions, found none. Run again.")
    try:
        table = parquet.read_table(path)
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
