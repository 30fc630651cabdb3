"""Predictions of several learners with the true labels, and their files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Codes, Flags, Floats, Integers
from streameval.base.errors import ConfigError, DamageError, DataError, excerpt, listing
from streameval.base.files import replacing_file
from streameval.evaluation.by_instance import InstanceValues, PairedErrors
from streameval.evaluation.roles import MAJORITY
from streameval.evaluation.task import Task, task_of
from streameval.learners.predictions import NO_PREDICTION
from streameval.protocols.protocol import Protocol
from streameval.protocols.registry import parse
from streameval.streams.groups import Groups, select_groups
from streameval.streams.stream import NO_LABEL
from streameval.streams.timeline import Clock, Timeline
from streameval.streams.variants import ORIGINAL, file_stem

if TYPE_CHECKING:
    import pandas as pd

#: Optional columns with the position of each prediction in file, stream, tape, time and folds; see
#: `PredictionTable`.
POSITION_COLUMNS = ("row", "instance", "ordinal", "time", "fold")
#: Column names of files, which no learner may have.
RESERVED = (*POSITION_COLUMNS, "group", "true")
#: The folder of a run's predictions.
FOLDER = Path("results", "predictions")
# Key of the metadata of a file.
_METADATA_KEY = b"streameval"
# Column of the true labels.
_TRUE = "true"
# Columns of increasing numbers, which files store as differences.
_INCREASING = ("row", "instance", "ordinal", "time")
#: Reason why several models have no interval.
_SEVERAL_MODELS = "it would need the predictions of one model, and there are several"
_RUN_AGAIN = "Delete it and run again."


def check_ids(learners: Iterable[str]) -> None:
    """Raise ConfigError if the id of a learner is a reserved column name."""
    reserved = [name for name in learners if name in RESERVED]
    if reserved:
        raise ConfigError(
            f"No learner can be called {listing(reserved)}: tables of predictions have columns "
            f"with the names {', '.join(RESERVED)}. Choose another id."
        )


class PredictionIntervals(NamedTuple):
    """The prediction intervals of a regressor.

    Parameters
    ----------
    low, high : ndarray of float64, shape (p,)
        Ends of the intervals, NaN where there is no interval.
    limited : ndarray of bool, shape (p,)
        Mask of the intervals whose width is limited by the available residuals; see
        `streameval.learners.wrappers.conformal`.
    """

    low: Floats
    high: Floats
    limited: Flags

    def select(self, which: slice | Flags) -> PredictionIntervals:
        """The intervals of a selection of predictions."""
        return PredictionIntervals(self.low[which], self.high[which], self.limited[which])


def run_intervals(run: Any) -> PredictionIntervals | None:
    """Prediction intervals of a run; None if it has no intervals."""
    low, high = getattr(run, "low", None), getattr(run, "high", None)
    if low is None or high is None:
        return None
    limited = getattr(run, "limited", None)
    return PredictionIntervals(
        low, high, np.zeros(len(low), np.bool_) if limited is None else limited
    )


@dataclass(frozen=True)
class PredictionTable(InstanceValues):
    """The predictions of several learners over the tapes of one protocol.

    Folds follow each other; within a fold, predictions are in the order of its tape.

    Parameters
    ----------
    true : ndarray of int32 or float64, shape (p,)
        True class codes, `NO_LABEL` where the label is missing; or true targets, NaN where missing.
        See `scored`.
    predicted : mapping of str to ndarray of int16 or float64, shape (p,)
        Predicted class codes by learner id, -1 where missing, or predicted numbers, NaN where
        missing; includes the baselines of the task.
    n_classes : int
        Declared number of classes; 0 in regression.
    row : ndarray of int, shape (p,), optional
        Row of the file or frame that is predicted; see `Stream.file_rows`.
    instance : ndarray of int32, shape (p,), optional
        Index in the stream of the instance that is predicted; None if it equals `row`.
    ordinal : ndarray of int32, shape (p,), optional
        Position in the tape: the number of events of the fold, predicted or learnt, before the
        prediction.
    time : ndarray of int64, shape (p,), optional
        Arrival time of the instance, if the stream has times.
    fold : ndarray of int32, shape (p,), optional
        Number of the model that predicts, if there are several: 0, 1, ...
    stream, protocol : str
        The stream's name, and the protocol as ``str()`` gives it; "" if unknown.
    majority : str
        Id of the reference learner of κ_m.
    intervals : mapping of str to PredictionIntervals
        Prediction intervals of regressors, by learner id.
    coverage : float, optional
        The nominal coverage of all intervals, if it is known.
    groups : Groups, optional
        Entity of each prediction, if the stream has several entities.
    clock : Clock, optional
        Ticks and zone of `time`, if the times are dates.
    failed : mapping of str to str
        Errors of the learners of a study that failed on this stream, each in one line. Failed
        learners have no predictions. Their measures are undefined, with the error as the reason,
        and comparisons leave them out; see `without_failed`.
    """

    true: NDArray[Any]
    predicted: Mapping[str, NDArray[Any]]
    n_classes: int
    row: NDArray[np.integer[Any]] | None = None
    instance: Codes | None = None
    ordinal: Codes | None = None
    time: Integers | None = None
    fold: Codes | None = None
    stream: str = ""
    protocol: str = ""
    majority: str = MAJORITY
    intervals: Mapping[str, PredictionIntervals] = field(default_factory=dict)
    coverage: float | None = None
    groups: Groups | None = None
    clock: Clock | None = None
    failed: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.true)

    def without_failed(self, learners: Iterable[str]) -> list[str]:
        """The learners that did not fail, in the given order."""
        return [name for name in learners if name not in self.failed]

    @property
    def task(self) -> Task:
        """The task: classification or regression."""
        return task_of(self)

    @property
    def no_interval_reason(self) -> str:
        """Reason why these predictions have no intervals; "" if intervals are possible."""
        # Predictions along a tape of one's own have no protocol.
        of_protocol = parse(self.protocol).no_interval_reason if self.protocol else ""
        return of_protocol or (_SEVERAL_MODELS if self.fold is not None else "")

    def compared_mask(self, *learners: str) -> Flags:
        """Mask of the predictions that count: in regression, with a loss of all `learners`."""
        if self.task.is_classification:
            return np.ones(len(self), np.bool_)
        has_losses: Flags = ~np.any([np.isnan(self.losses(name)) for name in learners], axis=0)
        return has_losses

    def values(self, learner: str) -> NDArray[Any]:
        """Whether each prediction is correct, or the errors of the predictions that are made."""
        return self.task.values(self.true, self.predicted[learner])

    def advantages(self, first: str, second: str) -> NDArray[Any]:
        """Loss of the second learner minus loss of the first; int8 in classification."""
        losses, other_losses = self.paired_errors(first, second).by_instance
        dtype = np.int8 if self.task.is_classification else np.float64
        series: NDArray[Any] = np.subtract(other_losses, losses, dtype=dtype)
        return series

    def paired_errors(self, first: str, second: str) -> PairedErrors:
        """Losses of two learners on the instances that both predict."""
        losses, other_losses = self.losses(first), self.losses(second)
        if not self.task.is_classification:
            has_both = ~np.isnan(losses) & ~np.isnan(other_losses)
            losses, other_losses = losses[has_both], other_losses[has_both]
        return PairedErrors((losses, other_losses), by_run=(np.empty(0), np.empty(0)))

    def losses(self, learner: str, which: slice | Flags = slice(None)) -> NDArray[Any]:
        """1 for a wrong prediction, or |true - predicted|; NaN where a value is missing."""
        return self.task.losses(self.true[which], self.predicted[learner][which])

    def n_missing(self, learner: str) -> int:
        """Number of known labels or targets without a prediction of a learner."""
        is_known = self.task.is_known
        is_missing = is_known(self.true) & ~is_known(self.predicted[learner])
        return int(np.count_nonzero(is_missing))

    @property
    def instances(self) -> NDArray[np.integer[Any]]:
        """Index in the stream of each predicted instance, shape (p,)."""
        if self.instance is not None:
            return self.instance
        return np.arange(len(self)) if self.row is None else self.row

    @property
    def timeline(self) -> Timeline | None:
        """Arrival of the predicted instances, in the order of the predictions; None without dates.

        Positions in the stream count from 1.
        """
        if self.clock is None or self.time is None:
            return None
        rows = self.instances if self.row is None else self.row
        positions = self.instances.astype(np.int64) + 1
        return Timeline(rows.astype(np.int64), positions, self.time, *self.clock)

    def position_columns(self) -> dict[str, NDArray[Any]]:
        """Columns of `POSITION_COLUMNS` that the table has, by name."""
        columns = {name: getattr(self, name) for name in POSITION_COLUMNS}
        return {name: values for name, values in columns.items() if values is not None}

    def as_frame(self, classes: Sequence[str] | None = None) -> pd.DataFrame:
        """Predictions with the names of classes, as in `streameval.Result.predictions`."""
        import pandas as pd

        columns: dict[str, Any] = {**self.position_columns()}
        for name in ("instance", "ordinal"):  # positions in stream and tape are internal
            columns.pop(name, None)
        columns |= {_TRUE: self.true, **self.predicted}
        if classes is not None:
            names = pd.Index(classes)
            for name in (_TRUE, *self.predicted):
                columns[name] = pd.Categorical.from_codes(columns[name], names)
        for name, ends in self.intervals.items():
            columns |= {f"{name}_low": ends.low, f"{name}_high": ends.high}
        return pd.DataFrame(columns)

    def with_labels(self) -> PredictionTable:
        """Table of the predictions of instances with labels, which measures need."""
        has_label = self.task.is_known(self.true)
        return self if has_label.all() else self.select(has_label)

    def complete_cases(self, learners: Iterable[str] | None = None) -> PredictionTable:
        """Table of the instances that all `learners` predict, by default all learners.

        In classification a missing prediction is wrong. In regression it has no error, so its
        instance is left out for all learners. Learners without any prediction are ignored.
        """
        names = list(self.predicted if learners is None else learners)
        if self.task.is_classification:
            return self
        masks = [self.task.is_known(self.predicted[name]) for name in names]
        is_complete = np.logical_and.reduce([mask for mask in masks if mask.any()], axis=0)
        return self if np.all(is_complete) else self.select(is_complete)

    def without_predictions(self, which: Flags, learners: Iterable[str]) -> PredictionTable:
        """Table without the predictions of some learners at the mask `which`."""
        no_prediction = NO_PREDICTION if self.task.is_classification else np.nan
        blanked = {}
        for name in learners:
            predicted = self.predicted[name]
            blanked[name] = np.where(which, predicted.dtype.type(no_prediction), predicted)
        return replace(self, predicted={**self.predicted, **blanked})

    def on_arrival(self) -> PredictionTable:
        """Table of the first prediction of each instance, in order; with folds all predictions."""
        if self.row is None or self.fold is not None:
            return self
        first = np.zeros(len(self), dtype=bool)
        first[np.unique(self.instances, return_index=True)[1]] = True
        return self if first.all() else self.select(first)

    def select(self, which: Flags) -> PredictionTable:
        """Table of a selection of the predictions, in order."""
        places: dict[str, Any] = {
            name: values[which] for name, values in self.position_columns().items()
        }
        predicted = {name: values[which] for name, values in self.predicted.items()}
        intervals = {name: ends.select(which) for name, ends in self.intervals.items()}
        places["groups"] = select_groups(self.groups, which)
        true = self.true[which]
        return replace(self, true=true, predicted=predicted, intervals=intervals, **places)

    def require_one_fold(self, what: str) -> None:
        """Raise ConfigError if there are several folds: `what` needs a single sequence."""
        if self.fold is not None:
            raise ConfigError(
                f"{what}: expected predictions in one sequence, found predictions of several folds "
                f"(stream {self.stream!r}, protocol {self.protocol}). Choose a protocol without "
                "folds, such as prequential, or measures over all predictions."
            )


def prediction_file(name: str, protocol: Protocol | str) -> Path:
    """Path of the predictions for a stream.

    `name` is the name of the stream, with its variant if any: ``elec2``, ``elec2:shuffled:1``.
    """
    stream = name.removesuffix(f":{ORIGINAL}")  # files of the original stream name no variant
    return FOLDER / f"{file_stem(stream)}.{parse(protocol).file_form}.parquet"


def write_predictions(predictions: PredictionTable, path: str | Path) -> None:
    """Write predictions as Parquet: `POSITION_COLUMNS`, ``true`` and a column for each learner.

    The metadata contain stream, protocol, number of classes, and a digest of columns and metadata.
    Prediction intervals are not written.
    """
    import pyarrow as pa  # imported here: most predictions are never written
    from pyarrow import parquet

    check_ids(predictions.predicted)
    places, groups = predictions.position_columns(), predictions.groups
    metadata = {key: getattr(predictions, key) for key in ("n_classes", "stream", "protocol")}
    if groups is not None:
        places["group"] = groups.code
        metadata["groups"] = [groups.column, *groups.names]
    if predictions.clock is not None:
        metadata["clock"] = [*predictions.clock]
    if predictions.failed:
        metadata["failed"] = dict(predictions.failed)
    columns = {**places, _TRUE: predictions.true, **predictions.predicted}
    arrays: dict[str, NDArray[Any]] = {name: np.asarray(values) for name, values in columns.items()}
    header = json.dumps({**metadata, "digest": _digest(arrays, metadata)}).encode()
    table = pa.table(
        {
            name: pa.array(values, mask=_missing_labels(values) if name == _TRUE else None)
            for name, values in arrays.items()
        }
    )
    with replacing_file(Path(path)) as partial_file:
        parquet.write_table(
            table.replace_schema_metadata({_METADATA_KEY: header}),
            partial_file,
            compression="zstd",
            use_dictionary=[name for name in arrays if name not in _INCREASING],
            column_encoding={name: "DELTA_BINARY_PACKED" for name in arrays if name in _INCREASING},
        )


def _missing_labels(true: NDArray[Any]) -> Flags | None:
    """Mask of the missing class labels; None in regression, where they are NaN."""
    return None if true.dtype.kind == "f" else true == NO_LABEL


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
        metadata = json.loads((table.schema.metadata or {})[_METADATA_KEY])
        arrays = {
            name: (
                table[name].fill_null(NO_LABEL)
                if name == _TRUE and table[name].null_count
                else table[name]
            ).to_numpy()
            for name in table.column_names
        }
        expected = str(metadata.pop("digest"))
        actual = _digest(arrays, metadata)
        places: dict[str, Any] = {
            name: arrays.pop(name) for name in POSITION_COLUMNS if name in arrays
        }
        if "groups" in metadata:
            column, *names = metadata.pop("groups")
            places["groups"] = Groups(column, arrays.pop("group"), tuple(names))
        if "clock" in metadata:
            places["clock"] = Clock(*metadata.pop("clock"))
        predictions = PredictionTable(arrays.pop(_TRUE), arrays, **places, **metadata)
    except DAMAGE as error:
        raise DamageError(
            f"{path}: expected the predictions of a run, found a damaged file or another format "
            f"({type(error).__name__}: {excerpt(error)}). {_RUN_AGAIN}",
            path,
        ) from error
    if actual != expected:
        raise DamageError(
            f"{path}: expected predictions with digest {excerpt(expected)}, found {actual}: the "
            f"file is damaged. {_RUN_AGAIN}",
            path,
        )
    return predictions


def read_learner_errors(path: str | Path) -> dict[str, str]:
    """Errors of the learners that failed, from the header of a file of `write_predictions`.

    The digest is not checked. The result is empty for a missing or damaged file.
    """
    from pyarrow import parquet

    from streameval.streams.columnar import DAMAGE

    try:
        header = json.loads((parquet.read_schema(path).metadata or {})[_METADATA_KEY])
        return {str(name): str(error) for name, error in header.get("failed", {}).items()}
    except (OSError, *DAMAGE):
        return {}


def read_scored(path: str | Path) -> PredictionTable:
    """Read the predictions of a file of `write_predictions` that have a true label."""
    return read_predictions(path).with_labels()


def _digest(columns: Mapping[str, NDArray[Any]], metadata: Mapping[str, Any]) -> str:
    """SHA-256 of metadata, names, types and values, in the order of the columns."""
    kinds = [(name, values.dtype.str, len(values)) for name, values in columns.items()]
    sha = hashlib.sha256(json.dumps([metadata, kinds]).encode())
    for values in columns.values():
        sha.update(np.ascontiguousarray(values).data)
    return sha.hexdigest()
