"""Play learners whose labels are late, and that are given something in their place."""

from streameval.csv_tables import write_csv
from streameval.learners.registry import make_learners
from streameval.pipeline.jobs import job
from streameval.streams.columnar import read_stream
from streameval.studies.delays import delay_study

with job(snakemake.log[0]) as log:
    item = snakemake.params.item
    learners = make_learners(snakemake.params.learners, snakemake.params.smoothing)

    def announce(delay, learner, option, predictions):
        """Report that a learner has finished."""
        log.info("delay %d, %s, %s: %.2f s", delay, learner, option, predictions.seconds)

    stream = read_stream(snakemake.input.stream)
    write_csv(delay_study(stream, learners, item["delays"], announce=announce), snakemake.output[0])
