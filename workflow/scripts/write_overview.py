"""The first page of the report: what was run, what came out, what was left out and why."""

from streameval import papers
from streameval.csv_tables import read_csv
from streameval.files import write_text
from streameval.pipeline.jobs import job
from streameval.report.overview import overview

with job(snakemake.log[0]):
    text = overview(
        read_csv(snakemake.input.measures),
        read_csv(snakemake.input.scorecard[0]) if snakemake.input.scorecard else None,
        scale=snakemake.params.scale,
        streams=snakemake.params.streams,
        learners=snakemake.params.learners,
        left_out=snakemake.params.left_out,
        papers=papers.listed().values(),
    )
    write_text(snakemake.output[0], text)
