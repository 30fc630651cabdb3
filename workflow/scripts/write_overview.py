"""The first page of the report: what was run, what came out, what was left out and why."""

from streameval import papers
from streameval.csv_tables import read_csv
from streameval.files import write_text
from streameval.pipeline.jobs import job
from streameval.report.overview import overview
from streameval.streams.columnar import stream_size

with job(snakemake.log[0]):
    streams, own = dict(snakemake.params.streams), list(snakemake.params.own)
    for name, path in zip(own, snakemake.input.own, strict=True):
        streams[name] = {**streams[name], **stream_size(path)}
    text = overview(
        read_csv(snakemake.input.measures),
        read_csv(snakemake.input.scorecard[0]) if snakemake.input.scorecard else None,
        recorded=(read_csv(snakemake.input.recorded[0]) if snakemake.input.recorded else None),
        scale=snakemake.params.scale,
        differences=read_csv(snakemake.input.differences),
        own=own,
        streams=streams,
        learners=snakemake.params.learners,
        left_out=snakemake.params.left_out,
        papers=papers.listed().values(),
    )
    write_text(snakemake.output[0], text)
