"""Inputs of studies: a stream, or predictions for it, and the settings of an item."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from streameval.base.errors import ConfigError, DataError, named_in_errors
from streameval.base.table_files import by_stream, read_csv_table, read_parquet_table
from streameval.evaluation.predictions import PredictionTable, read_failed, read_scored
from streameval.evaluation.records import ABOUT, Record, read_about
from streameval.items.frame_dates import DATED, POSITION, date_columns
from streameval.items.recorded import RecordSettings
from streameval.learners.registry import LearnerSpec
from streameval.streams.registry import SMOOTHING, GeneratorSpec
from streameval.streams.timeline import Timeline
from streameval.streams.variants import ORIGINAL

if TYPE_CHECKING:
    from streameval.learners.learner import AnyLearner
    from streameval.streams.stream import Stream

#: Column of a table with the error of the learner of each row, if any learner failed.
FAILED = "failed"

#: The settings of the item, of its kind's type.
S = TypeVar("S")


def silent(text: str) -> None:
    """Announce nothing."""


@dataclass(frozen=True, kw_only=True)
class ItemInput(Generic[S]):
    """Inputs of the study of an item that is not about a single stream.

    `columns` are those that the kind declares, `files` are by the names that settings use, `frames`
    those of the item that ``of`` names: by name, or by ``stream.name`` if it is about streams;
    `seeds` has the number of runs of each learner that draws, in items that show several.
    """

    settings: S
    rows: Mapping[str, LearnerSpec] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    frames: Mapping[str, str] = field(default_factory=dict)
    seeds: Mapping[str, int] = field(default_factory=dict)
    announce: Callable[[str], object] = silent

    def resource(self, name: str) -> Path:
        """Path of a file of the project."""
        return Path(self.files[name])

    def frame(self, name: str) -> pd.DataFrame:
        """A frame of the item that this one is about."""
        return read_csv_table(self.frames[name])

    def frames_of_streams(self, name: str) -> dict[str, pd.DataFrame]:
        """A frame of the item, or of the record, that this one is about, by stream."""
        if isinstance(self.settings, RecordSettings):
            about = self.resource(f"{self.settings.folder}/{ABOUT}")
            return Record(about.parent, read_about(about)).frames(name)
        ending = f".{name}"
        return {
            key.removesuffix(ending): read_csv_table(path)
            for key, path in self.frames.items()
            if key.endswith(ending)
        }

    def over_frames(self, rows: Callable[..., pd.DataFrame], *names: str) -> pd.DataFrame:
        """The rows of a table for each stream of the item that it is about.

        Each has those that `rows` makes of some frames, and what the frame ``size`` says.
        """
        frames_by_name, parts = [self.frames_of_streams(name) for name in names], []
        for stream, size in self.frames_of_streams("size").items():
            with named_in_errors(f"Stream {stream!r}"):
                part = rows(*(frames[stream] for frames in frames_by_name)).assign(stream=stream)
            about = {str(name): size[name].iloc[0] for name in size if name not in part}
            parts.append(part.assign(**about))
        return pd.concat(parts, ignore_index=True)[[*self.columns]]


@dataclass(frozen=True, kw_only=True)
class StreamInput(ItemInput[S]):
    """Inputs of the study of an item for one stream.

    `smoothing` is the weight of the newest instance in moving averages, `spec` the stream's entry
    in the registry, for a study that reads its generator; `parted` are the files of the parts of a
    frame, `predicted` those of predictions, by variant, `seeded` those of runs with the seeds from
    2 on, and `spent` those of the costs of all runs, by seed.
    """

    name: str
    simulated: bool = False
    smoothing: float = SMOOTHING
    file: str = ""
    spec: GeneratorSpec | None = None
    parted: Mapping[str, Sequence[str]] = field(default_factory=dict)
    predicted: Mapping[str, str] = field(default_factory=dict)
    seeded: Mapping[str, str] = field(default_factory=dict)
    spent: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def stream(self) -> Stream:
        """The stream."""
        from streameval.streams.columnar import read_stream  # loads the reader of Parquet

        return read_stream(self.file)

    @cached_property
    def labelled_stream(self) -> Stream:
        """The instances of the stream that have labels."""
        return self.stream.with_labels()

    @cached_property
    def timeline(self) -> Timeline | None:
        """Arrival of the instances with labels, or of the predictions; None without dates."""
        if self.predicted:
            return self.predictions().timeline
        if self.spec is not None:
            return None
        instances = Timeline.of(self.stream)
        labelled = np.flatnonzero(self.stream.labelled)
        return None if instances.time is None else instances.take(labelled)

    def dates(self, instances: NDArray[Any]) -> dict[str, Any]:
        """The columns of a frame with the dates of its rows; none without dates.

        `instances` are places among the instances with labels, or the predictions, from 0.
        """
        return {} if self.timeline is None else date_columns(self.timeline.take(instances))

    def dated(self, frame: pd.DataFrame) -> pd.DataFrame:
        """A frame with the dates of its rows, where these stand at instances with dates."""
        if POSITION not in frame or DATED[0] in frame:
            return frame
        return frame.assign(**self.dates(frame[POSITION].to_numpy() - 1))

    def whole(self, name: str) -> pd.DataFrame:
        """A frame that was computed in parts."""
        return pd.concat(
            [read_parquet_table(path) for path in self.parted[name]], ignore_index=True
        )

    @property
    def generator(self) -> GeneratorSpec:
        """The entry of the registry that the stream is generated from.

        Raises ConfigError if it comes from a file.
        """
        if self.spec is None:
            raise ConfigError(
                f"Stream {self.name!r}: expected a generated stream, found one from a file, which "
                "has no more instances. Name one with a generator, or leave the stream out."
            )
        return self.spec

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the stream's classes.

        Raises DataError if its target is numeric.
        """
        schema = self.stream.schema
        if schema.classes is None:
            raise DataError(
                f"Stream {self.name!r}: expected a nominal target, found {schema.target!r}, "
                "which is numeric. Name a nominal column as target, or leave the stream out."
            )
        return schema.classes

    def predictions(self, variant: str = ORIGINAL) -> PredictionTable:
        """The predictions for a variant of the stream, of instances with labels.

        Of an instance that is predicted several times it is the first prediction, on arrival.
        """
        return read_scored(self.predicted[variant]).on_arrival()

    def predictions_by_seed(self) -> dict[int, PredictionTable]:
        """The predictions of all runs, by seed; learners that do not draw have the first.

        Of an instance that is predicted several times it is the first prediction, on arrival.
        """
        again = {int(seed): read_scored(path).on_arrival() for seed, path in self.seeded.items()}
        return {1: self.predictions(), **again}

    @cached_property
    def failed(self) -> dict[str, str]:
        """Errors of the learners that failed on the stream, a variant or with a seed, by ids.

        The `predictions` are without them. Measures of `overall_measures` are undefined for that
        reason; `windowed` and comparisons leave such a learner out. Sentences below the table and
        in captions name them without further work of the kind.
        """
        errors: dict[str, str] = {}
        for path in (*self.predicted.values(), *self.seeded.values()):
            errors = read_failed(path) | errors
        return errors

    def learners(self) -> dict[str, AnyLearner[Any]]:
        """The learners that the item names."""
        return {name: row.make(self.smoothing) for name, row in self.rows.items()}


#: Inputs of the study of a table for each of its streams, by their ids.
StreamInputs = Mapping[str, StreamInput[Any]]


def table_over_streams(
    stream_inputs: StreamInputs,
    part: Callable[[StreamInput[Any]], pd.DataFrame],
    columns: Sequence[str],
) -> pd.DataFrame:
    """The parts of a table for several streams, one below the other; see `by_stream`."""
    parts = {name: part(stream_input) for name, stream_input in stream_inputs.items()}
    return by_stream(
        parts,
        [name for name, stream_input in stream_inputs.items() if stream_input.simulated],
        columns,
    )


def with_failed_column(table: pd.DataFrame, stream_inputs: StreamInputs) -> pd.DataFrame:
    """Add a column `FAILED` to a table with rows by stream and learner id: errors, or "".

    The table is unchanged if no learner failed.
    """
    errors = {
        (name, learner): why
        for name, stream_input in stream_inputs.items()
        for learner, why in stream_input.failed.items()
    }
    if not errors:
        return table
    keys = zip(table["stream"], table["learner"], strict=True)
    return table.assign(**{FAILED: [errors.get(key, "") for key in keys]})
