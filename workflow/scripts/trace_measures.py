"""Measures of several learners over a sliding window."""

from streameval.csv_tables import write_csv
from streameval.pipeline.jobs import job
from streameval.studies.answers import read_answers
from streameval.studies.evaluation import windowed_measures

with job(snakemake.log[0]):
    answers, item = read_answers(snakemake.input.predictions), snakemake.params.item
    curves = windowed_measures(
        answers, item["learners"], item["measures"], item["window"], item["points"]
    )
    write_csv(curves, snakemake.output[0])
