"""Measures of several learners over a sliding window."""

from streameval.csv_tables import write_csv
from streameval.pipeline.jobs import job
from streameval.studies.measuring import windowed_measures
from streameval.studies.prediction_files import read_predictions

with job(snakemake.log[0]):
    predictions, item = read_predictions(snakemake.input.predictions), snakemake.params.item
    curves = windowed_measures(
        predictions, item["learners"], item["measures"], item["window"], item["points"]
    )
    write_csv(curves, snakemake.output[0])
