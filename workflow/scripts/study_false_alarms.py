"""Play Naive Bayes that starts afresh at random."""

from streameval.csv_tables import write_csv
from streameval.pipeline.jobs import job
from streameval.streams.columnar import read_stream
from streameval.studies.false_alarms import false_alarm_study

with job(snakemake.log[0]) as log:
    item, stream = snakemake.params.item, read_stream(snakemake.input.stream)
    found = false_alarm_study(stream, item["probabilities"], item["seeds"], log.info)
    write_csv(found, snakemake.output[0])
