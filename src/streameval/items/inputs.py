"""Inputs of studies: the settings of an item, with a stream, predictions, or frames of an item."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from streameval.base.errors import ConfigError, DataError, error_prefix
from streameval.base.table_files import concatenate_streams, read_csv_table, read_parquet_table
from streameval.evaluation.predictions import PredictionTable, read_learner_errors, read_scored
from streameval.evaluation.records import DESCRIPTION_FILE, Record, read_description
from streameval.items.frame_dates import DATE_COLUMNS, INSTANCE_COLUMN, date_columns
from streameval.items.recorded import RecordSettings
from streameval.learners.registry import LearnerSpec
from streameval.streams.registry import SMOOTHING, GeneratorSpec
from streameval.streams.timeline import Timeline
from streameval.streams.variants import ORIGINAL

if TYPE_CHECKING:
    from streameval.learners.learner import AnyLearner
    from streameval.streams.stream import Stream

#: Column with the error of the learner of each row, "" if it did not fail. Tables have the column
#: only if any learner failed.
FAILED = "failed"

#: Type of the settings of the item.
S = TypeVar("S")


def silent(text: str) -> None:
    """Announce nothing."""


@dataclass(frozen=True, kw_only=True)
class ItemInput(Generic[S]):
    """Inputs of the study of an item over any number of streams.

    Parameters
    ----------
    settings : Settings
        The item's settings.
    learner_specs : mapping of str to LearnerSpec
        Registry rows of the item's learners, by id.
    titles : mapping of str to str
        Names of learners, by id.
    columns : tuple of str
        Columns of the table that the kind declares.
    files : mapping of str to str
        Paths of files of the project, by the names that settings use.
    frames : mapping of str to str
        Paths of the frames of the item that the setting ``of`` names. The keys are names of frames,
        or ``STREAM.NAME`` if that item is about streams.
    n_runs_by_learner : mapping of str to int
        Number of runs, with the seeds 1, 2, ..., of each learner that draws at random; other
        learners run once. Empty for items that do not show several runs.
    announce : callable
        Takes a message about the progress of the study.
    """

    settings: S
    learner_specs: Mapping[str, LearnerSpec] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    frames: Mapping[str, str] = field(default_factory=dict)
    n_runs_by_learner: Mapping[str, int] = field(default_factory=dict)
    announce: Callable[[str], object] = silent

    def has_run(self, learner: str, seed: int) -> bool:
        """Whether a learner runs with a seed; see `n_runs_by_learner`."""
        return seed <= self.n_runs_by_learner.get(learner, 1)

    def resource(self, name: str) -> Path:
        """Path of a file of the project."""
        return Path(self.files[name])

    def frame(self, name: str) -> pd.DataFrame:
        """A frame of the item that the setting ``of`` names."""
        return read_csv_table(self.frames[name])

    def frames_of_streams(self, name: str) -> dict[str, pd.DataFrame]:
        """A frame for each stream, of the item that ``of`` names or of a record."""
        if isinstance(self.settings, RecordSettings):
            description = self.resource(f"{self.settings.folder}/{DESCRIPTION_FILE}")
            return Record(description.parent, read_description(description)).frames(name)
        ending = f".{name}"
        return {
            key.removesuffix(ending): read_csv_table(path)
            for key, path in self.frames.items()
            if key.endswith(ending)
        }

    def table_from_frames(
        self, rows_of_stream: Callable[..., pd.DataFrame], *names: str
    ) -> pd.DataFrame:
        """A table over all streams of the item that the setting ``of`` names.

        `rows_of_stream` makes the rows of a stream from its frames with the given names. The values
        of the stream's frame ``size`` are added as columns.
        """
        frames_by_name, parts = [self.frames_of_streams(name) for name in names], []
        for stream, size in self.frames_of_streams("size").items():
            with error_prefix(f"Stream {stream!r}"):
                part = rows_of_stream(*(frames[stream] for frames in frames_by_name))
                part = part.assign(stream=stream)
            stream_values = {str(name): size[name].iloc[0] for name in size if name not in part}
            parts.append(part.assign(**stream_values))
        return pd.concat(parts, ignore_index=True)[[*self.columns]]


@dataclass(frozen=True, kw_only=True)
class StreamInput(ItemInput[S]):
    """Inputs of the study of an item for one stream; see `ItemInput` for the other parameters.

    Parameters
    ----------
    name : str
        Id of the stream.
    simulated : bool
        Whether the stream is generated to resemble a real one.
    smoothing : float
        Weight of the newest instance in moving averages.
    file : str
        The stream's file.
    spec : GeneratorSpec, optional
        The stream's registry entry, for a study that reads its generator.
    part_files : mapping of str to sequence of str
        Files of the parts of each frame, for a study in parts.
    prediction_files : mapping of str to str
        Files of predictions, by variant of the stream.
    seed_files : mapping of str to str
        Files of predictions of the runs with the seeds 2, 3, ..., by seed.
    cost_files : mapping of str to str
        Files of the costs of all runs, by seed.
    """

    name: str
    simulated: bool = False
    smoothing: float = SMOOTHING
    file: str = ""
    spec: GeneratorSpec | None = None
    part_files: Mapping[str, Sequence[str]] = field(default_factory=dict)
    prediction_files: Mapping[str, str] = field(default_factory=dict)
    seed_files: Mapping[str, str] = field(default_factory=dict)
    cost_files: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def stream(self) -> Stream:
        """The stream."""
        from streameval.streams.columnar import read_stream  # here, as it loads pyarrow

        return read_stream(self.file)

    @cached_property
    def labelled_stream(self) -> Stream:
        """The instances of the stream that have labels."""
        return self.stream.with_labels()

    @cached_property
    def timeline(self) -> Timeline | None:
        """Arrival of the instances with labels, or of the predictions; None without dates."""
        if self.prediction_files:
            return self.predictions().timeline
        if self.spec is not None:
            return None
        instances = Timeline.of(self.stream)
        labelled = np.flatnonzero(self.stream.labelled)
        return None if instances.time is None else instances.take(labelled)

    def dates(self, instances: NDArray[Any]) -> dict[str, Any]:
        """The columns of a frame with the dates of its rows; empty if the stream has no dates.

        `instances` are positions, from 0, among the instances with labels or the predictions.
        """
        return {} if self.timeline is None else date_columns(self.timeline.take(instances))

    def with_date_columns(self, frame: pd.DataFrame) -> pd.DataFrame:
        """A frame with `dates` added, if its rows are about instances and have no dates yet."""
        if INSTANCE_COLUMN not in frame or DATE_COLUMNS[0] in frame:
            return frame
        return frame.assign(**self.dates(frame[INSTANCE_COLUMN].to_numpy() - 1))

    def joined_parts(self, name: str) -> pd.DataFrame:
        """A frame that was computed in parts."""
        return pd.concat(
            [read_parquet_table(path) for path in self.part_files[name]], ignore_index=True
        )

    @property
    def generator(self) -> GeneratorSpec:
        """The registry entry of the stream's generator.

        Raises ConfigError if the stream comes from a file.
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
        """The predictions for the instances with labels, in a variant of the stream.

        If the protocol predicts an instance several times, only its first prediction, on arrival,
        is included.
        """
        return read_scored(self.prediction_files[variant]).on_arrival()

    def predictions_by_seed(self) -> dict[int, PredictionTable]:
        """The predictions of all runs, by seed; see `predictions`.

        Learners that do not draw at random are in the first run only.
        """
        later = {
            int(seed): read_scored(path).on_arrival() for seed, path in self.seed_files.items()
        }
        return {1: self.predictions(), **later}

    @cached_property
    def failed(self) -> dict[str, str]:
        """Errors of the learners that failed on the stream, in any variant or run, by id.

        `predictions` leaves them out. `overall_measures` says that their measures are undefined;
        `windowed_measures` and comparisons leave them out, too. Kinds need not name them: notes of
        tables and captions do.
        """
        errors: dict[str, str] = {}
        for path in (*self.prediction_files.values(), *self.seed_files.values()):
            errors = read_learner_errors(path) | errors
        return errors

    def learners(self) -> dict[str, AnyLearner[Any]]:
        """The learners that the item names."""
        return {name: spec.make(self.smoothing) for name, spec in self.learner_specs.items()}


#: Inputs of the study of a table for each of its streams, by their ids.
StreamInputs = Mapping[str, StreamInput[Any]]


def table_over_streams(
    stream_inputs: StreamInputs,
    rows_of_stream: Callable[[StreamInput[Any]], pd.DataFrame],
    columns: Sequence[str],
) -> pd.DataFrame:
    """One table of all streams, whose rows `rows_of_stream` makes; see `concatenate_streams`."""
    parts = {name: rows_of_stream(stream_input) for name, stream_input in stream_inputs.items()}
    return concatenate_streams(
        parts,
        [name for name, stream_input in stream_inputs.items() if stream_input.simulated],
        columns,
    )


def with_failed_column(table: pd.DataFrame, stream_inputs: StreamInputs) -> pd.DataFrame:
    """Add the column `FAILED` to a table with the columns ``stream`` and ``learner``.

    The table is unchanged if no learner failed.
    """
    errors = {
        (name, learner): error
        for name, stream_input in stream_inputs.items()
        for learner, error in stream_input.failed.items()
    }
    if not errors:
        return table
    keys = zip(table["stream"], table["learner"], strict=True)
    return table.assign(**{FAILED: [errors.get(key, "") for key in keys]})
