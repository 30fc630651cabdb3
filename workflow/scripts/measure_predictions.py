"""Measure the predictions of all learners over each whole stream."""

from streameval.base.table_files import concatenate_streams, write_csv
from streameval.evaluation.measurements import overall_measures
from streameval.evaluation.predictions import read_scored
from streameval.pipeline.runs import job
from streameval.report.results import MEASURE_COLUMNS

with job(snakemake.log[0]):
    parts = {
        name: overall_measures(read_scored(path))
        for name, path in zip(snakemake.params.streams, snakemake.input.predictions, strict=True)
    }
    write_csv(
        concatenate_streams(parts, snakemake.params.simulated, MEASURE_COLUMNS), snakemake.output[0]
    )
