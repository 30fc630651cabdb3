"""Compute the frames of items for a stream."""

from streameval.pipeline.runs import job
from streameval.pipeline.tasks import run_study

with job(snakemake.log[0]) as log:

    def report(name, error):
        """Log the error of a learner, or of the study, that the job records."""
        log.error("%s failed.", name or "The study", exc_info=error)

    for task in snakemake.params.tasks:
        run_study(task, snakemake.input, snakemake.output, log.info, report)
