"""Play learners that are given more and more of what came before."""

from streameval.csv_tables import write_csv
from streameval.learners.registry import make_learners
from streameval.pipeline.jobs import job
from streameval.streams.columnar import read_stream
from streameval.studies.lags import lag_study

with job(snakemake.log[0]) as log:
    item = snakemake.params.item
    learners = make_learners(snakemake.params.learners, snakemake.params.smoothing)
    measured, costs = lag_study(
        read_stream(snakemake.input.stream),
        learners,
        item["lags"],
        item["measures"],
        smoothing=snakemake.params.smoothing,
        announce=log.info,
    )
    write_csv(measured, snakemake.output.lags)
    write_csv(costs, snakemake.output.costs)
