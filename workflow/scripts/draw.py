"""Draw the figures of a study."""

import gc
from pathlib import Path

from streameval.base.file_digests import write_digest
from streameval.base.table_files import read_csv_table
from streameval.drawing.failed import figure_or_reason, without, without_failed
from streameval.drawing.looks import looks_apart
from streameval.drawing.style import save
from streameval.drawing.subject import Subject
from streameval.items import kind_at
from streameval.items.frame_dates import with_dates
from streameval.items.kind import function_of
from streameval.pipeline.failed_notes import errors_on
from streameval.pipeline.runs import job, located
from streameval.pipeline.study_errors import WHOLE_STUDY
from streameval.streams.drift_marks import drift_marks

# Looking for cycles in what fonts and pictures are made of is a fifth of drawing. They are kept
# until the job ends: 5 MB a picture.
gc.disable()

with job(snakemake.log[0]) as log:
    titles = snakemake.params.titles
    for task in snakemake.params.tasks:
        kind, folder = kind_at(**task["kind"]), Path(located(task["folder"], snakemake.output))
        settings = kind.settings_from(task["settings"])
        for stream, paths in task["frames"].items():
            frames = {
                name: with_dates(read_csv_table(located(path, snakemake.input)))
                for name, path in paths.items()
            }
            errors = errors_on(stream, task, snakemake.input)
            about = dict(task["streams"].get(stream, {}))
            if stream in task["drifts"]:
                known = dict(task["drifts"][stream])
                if "file" in known:
                    known["file"] = located(known["file"], snakemake.input)
                about["drifts"] = drift_marks(**known)
            if kind.reads == "predictions":
                ran = without_failed(settings, frames)
            else:
                ran = without(settings, errors)
            for picture in kind.pictures or [stream]:
                subject = Subject(settings=ran, titles=titles, picture=picture, **about)
                with looks_apart(titles):
                    figure = figure_or_reason(
                        function_of(kind, "draw"),
                        frames,
                        subject,
                        learners_failed=ran is not settings,
                        study_failed=WHOLE_STUDY in errors,
                    )
                save(figure, folder / picture)
                for form in ("svg", "pdf"):
                    write_digest(folder / f"{picture}.{form}")
                log.info("%s: %s", task["item"], picture)
