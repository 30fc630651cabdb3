"""Figures of an item for a stream, drawn from the files of a drawing job."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from streameval.base.table_files import read_csv_table
from streameval.drawing.failed import drop_learners, figure_or_reason, keep_learners_with_rows
from streameval.drawing.subject import Subject
from streameval.items import kind_at
from streameval.items.frame_dates import with_dates
from streameval.items.kind import ItemKind, function_of
from streameval.pipeline.failed_notes import errors_on_stream
from streameval.pipeline.runs import Task, prefixed_path
from streameval.pipeline.study_errors import WHOLE_STUDY
from streameval.streams.drift_marks import drift_marks


@dataclass(frozen=True)
class FigureData:
    """The frames and the subject of figures; all pictures of an item share them."""

    kind: ItemKind
    frames: Mapping[str, pd.DataFrame]
    subject: Subject
    learners_failed: bool
    study_failed: bool

    def draw(self, picture: str) -> Figure:
        """Draw a picture by its name, which may be the id of a stream."""
        return figure_or_reason(
            function_of(self.kind, "draw"),
            self.frames,
            replace(self.subject, picture=picture),
            learners_failed=self.learners_failed,
            study_failed=self.study_failed,
        )


def read_figure_data(
    task: Task, stream: str, titles: Mapping[str, str], inputs: Iterable[str], **subject: Any
) -> FigureData:
    """Read the frames and the subject of the figures of an item for a stream.

    Parameters
    ----------
    task : mapping
        A task of a job of `pipeline.products.drawing_jobs`.
    stream : str
        A key of the task's ``frames``; "" for pictures of several streams.
    titles : mapping of str to str
        Titles of learners, by id.
    inputs : iterable of str
        Paths of the job's input files.
    **subject
        Fields of `Subject` that replace those from the task.
    """
    paths = [*inputs]
    kind = kind_at(**task["kind"])
    frames = {
        name: with_dates(read_csv_table(prefixed_path(path, paths)))
        for name, path in task["frames"][stream].items()
    }
    errors = errors_on_stream(stream, task, paths)
    settings = kind.settings_from(task["settings"])
    reads_predictions = kind.reads == "predictions"
    # Studies record errors of learners that they train. A learner without predictions has no rows.
    shown_settings = (
        keep_learners_with_rows(settings, frames)
        if reads_predictions
        else drop_learners(settings, errors)
    )
    subject_fields = dict(task["streams"].get(stream, {}))
    if stream in task["drifts"]:
        drifts = dict(task["drifts"][stream])
        if "file" in drifts:  # the length of the stream is not known before the run
            drifts["file"] = prefixed_path(drifts["file"], paths)
        subject_fields["drifts"] = drift_marks(**drifts)
    return FigureData(
        kind,
        frames,
        Subject(settings=shown_settings, titles=titles, **subject_fields | subject),
        learners_failed=shown_settings is not settings,  # the same object if none failed
        study_failed=WHOLE_STUDY in errors,
    )
