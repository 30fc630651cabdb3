"""Run all learners over a stream by a protocol."""

import pandas as pd

from streameval.csv_tables import write_csv
from streameval.learners.registry import make_learners
from streameval.pipeline.jobs import job
from streameval.protocols.registry import parse
from streameval.streams.columnar import read_stream
from streameval.studies.prediction_files import write_predictions
from streameval.studies.running import run_learners

with job(snakemake.log[0]) as log:
    stream = read_stream(snakemake.input.stream)
    learners = make_learners(snakemake.params.learners, snakemake.params.smoothing)

    def announce(name, predictions):
        """Report that a learner has finished."""
        rate = len(stream) / max(predictions.seconds, 1e-9)
        log.info("%s: %.3f s, %.0f instances/s", name, predictions.seconds, rate)

    protocol = parse(snakemake.wildcards.protocol)
    table, costs = run_learners(stream, protocol, learners, announce=announce)
    write_predictions(table, snakemake.output.predictions)
    write_csv(pd.DataFrame(costs), snakemake.output.costs)
