"""What one more label before says about the next."""

from streameval.csv_tables import write_csv
from streameval.pipeline.jobs import job
from streameval.streams.columnar import read_stream
from streameval.studies.temporal import dependence_by_order

with job(snakemake.log[0]):
    stream, item = read_stream(snakemake.input.stream), snakemake.params.item
    orders = dependence_by_order(stream.y, stream.schema.classes, item["orders"])
    write_csv(orders, snakemake.output[0])
