"""Class proportions over a sliding window, and the autocorrelation of the label."""

from streameval.csv_tables import write_csv
from streameval.pipeline.jobs import job
from streameval.streams.columnar import read_stream
from streameval.studies.pitfalls import label_autocorrelation, prior_over_time

with job(snakemake.log[0]):
    stream, item = read_stream(snakemake.input.stream), snakemake.params.item
    classes = stream.schema.classes
    prior = prior_over_time(stream.y, classes, item["window"], item["points"])
    write_csv(prior, snakemake.output.prior)
    correlation = label_autocorrelation(stream.y, item["lags"])
    write_csv(correlation, snakemake.output.autocorrelation)
