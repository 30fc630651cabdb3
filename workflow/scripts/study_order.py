"""Play learners over a stream whose order is taken away bit by bit."""

from streameval.csv_tables import write_csv
from streameval.learners.registry import make_learners
from streameval.pipeline.jobs import job
from streameval.streams.columnar import read_stream
from streameval.studies.order import order_shares, order_study

with job(snakemake.log[0]) as log:
    item = snakemake.params.item
    learners = make_learners(snakemake.params.learners, snakemake.params.smoothing)
    stream = read_stream(snakemake.input.stream)
    found = order_study(stream, learners, item["sizes"], item["seeds"], log.info)
    write_csv(found, snakemake.output.order)
    write_csv(order_shares(found), snakemake.output.shares)
