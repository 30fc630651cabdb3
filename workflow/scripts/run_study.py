"""Compute the frames of items for a stream."""

from streameval.pipeline.runs import job
from streameval.pipeline.tasks import run_study

with job(snakemake.log[0]) as log:
    for task in snakemake.params.tasks:
        run_study(task, snakemake.input, snakemake.output, log.info)
