"""The first page of the report: what was run, what came out, what was left out and why."""

from pathlib import Path

from streameval import papers
from streameval.evaluation.differences import accuracy_over_baselines, skill_over_baselines
from streameval.evaluation.predictions import read_scored
from streameval.evaluation.recorded import read_record
from streameval.files import write_text
from streameval.pipeline.runs import job
from streameval.report.overview import Found, overview
from streameval.report.recorded_scorecard import agreements
from streameval.report.what_ran import Ran
from streameval.streams.columnar import stream_size
from streameval.table_files import read_csv

with job(snakemake.log[0]):
    given, params = snakemake.input, snakemake.params
    streams = dict(params.streams)
    for name, path in zip(params.own, given.own, strict=True):
        streams[name] = {**streams[name], **stream_size(path)}
    found = []
    for one, path in zip(params.evidence, given.evidence, strict=True):
        is_table = Path(path).suffix == ".csv"
        rows = (
            skill_over_baselines(read_csv(path))
            if is_table
            else accuracy_over_baselines(read_scored(path))
        )
        found.append(Found(one["stream"], one["protocol"], rows))
    records = [read_record(folder) for folder in params.records]
    shown = papers.among([record.study for record in records])
    text = overview(
        read_csv(given.measures),
        read_csv(given.scorecard[0]) if given.scorecard else None,
        differences=read_csv(given.differences),
        ran=[Ran(**row) for row in params.ran],
        found=found,
        recorded=read_csv(given.recorded[0]) if given.recorded else None,
        agreements=list(agreements(shown, params.published, records)) if records else [],
        scale=params.scale,
        own=params.own,
        streams=streams,
        learners=params.learners,
        left_out=params.left_out,
        papers=papers.listed().values(),
    )
    write_text(snakemake.output[0], text)
