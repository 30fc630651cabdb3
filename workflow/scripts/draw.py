"""Draw the figures of a study."""

import gc
from pathlib import Path

from streameval.base.file_digests import write_digest
from streameval.base.table_files import read_csv_table
from streameval.drawing.failed import figure_or_reason, without_failed, without_learners
from streameval.drawing.looks import looks_apart
from streameval.drawing.style import save
from streameval.drawing.subject import Subject
from streameval.items import kind_at
from streameval.items.frame_dates import with_dates
from streameval.items.kind import function_of
from streameval.pipeline.failed_notes import errors_on_stream
from streameval.pipeline.runs import job, prefixed_path
from streameval.pipeline.study_errors import WHOLE_STUDY
from streameval.streams.drift_marks import drift_marks

# Searching objects of fonts and pictures for reference cycles takes a fifth of the time. Without
# it, these objects stay until the job ends: 5 MB a picture.
gc.disable()

with job(snakemake.log[0]) as log:
    titles = snakemake.params.titles
    for task in snakemake.params.tasks:
        kind, folder = (
            kind_at(**task["kind"]),
            Path(prefixed_path(task["folder"], snakemake.output)),
        )
        settings = kind.settings_from(task["settings"])
        for stream, paths in task["frames"].items():
            frames = {
                name: with_dates(read_csv_table(prefixed_path(path, snakemake.input)))
                for name, path in paths.items()
            }
            errors = errors_on_stream(stream, task, snakemake.input)
            stream_fields = dict(task["streams"].get(stream, {}))
            if stream in task["drifts"]:
                drifts = dict(task["drifts"][stream])
                if "file" in drifts:
                    drifts["file"] = prefixed_path(drifts["file"], snakemake.input)
                stream_fields["drifts"] = drift_marks(**drifts)
            if kind.reads == "predictions":
                shown_settings = without_failed(settings, frames)
            else:
                shown_settings = without_learners(settings, errors)
            for picture in kind.pictures or [stream]:
                subject = Subject(
                    settings=shown_settings, titles=titles, picture=picture, **stream_fields
                )
                with looks_apart(titles):
                    figure = figure_or_reason(
                        function_of(kind, "draw"),
                        frames,
                        subject,
                        learners_failed=shown_settings is not settings,
                        study_failed=WHOLE_STUDY in errors,
                    )
                save(figure, folder / picture)
                for form in ("svg", "pdf"):
                    write_digest(folder / f"{picture}.{form}")
                log.info("%s: %s", task["item"], picture)
