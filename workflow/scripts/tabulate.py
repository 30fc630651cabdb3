"""Write the tables of a study."""

from dataclasses import replace
from pathlib import Path

from streameval.drawing.subject import Subject
from streameval.items import kind_at
from streameval.items.kind import function_of
from streameval.pipeline.failed_notes import errors_on_stream
from streameval.pipeline.runs import job, prefixed_path
from streameval.pipeline.study_errors import WHOLE_STUDY
from streameval.pipeline.tasks import notes_on_failures, tabulate
from streameval.view.files import write_table
from streameval.view.parts import Column, Table

with job(snakemake.log[0]):
    titles = snakemake.params.titles
    for task in snakemake.params.tasks:
        kind = kind_at(**task["kind"])
        frame = tabulate(task, snakemake.input, titles)
        settings = kind.settings_from(task["settings"])
        subject = Subject(settings=settings, titles=titles, streams=task["streams"])
        if frame.empty and WHOLE_STUDY in errors_on_stream("", task, snakemake.input):
            table = Table([Column(name, [name]) for name in kind.columns], [])
        else:
            table = function_of(kind, "layout")(frame, subject)
        write_table(
            frame,
            Path(prefixed_path(task["csv"], snakemake.output)).with_suffix(""),
            caption=snakemake.params.captions[task["item"]],
            label=task["label"],
            table=replace(
                table, notes=[*table.notes, *notes_on_failures(task, snakemake.input, titles)]
            ),
        )
