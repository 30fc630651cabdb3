"""Compare the accuracies of learners pair by pair on all streams, with intervals."""

from pathlib import Path

from streameval.csv_tables import write_csv
from streameval.pipeline.jobs import job
from streameval.report.results import DIFFERENCE_COLUMNS
from streameval.studies.differences import paired_differences
from streameval.studies.measuring import by_stream
from streameval.studies.prediction_files import read_predictions

with job(snakemake.log[0]):
    parts = {
        Path(path).stem: paired_differences(read_predictions(path), snakemake.params.pairs)
        for path in snakemake.input.predictions
    }
    write_csv(by_stream(parts, snakemake.params.simulated, DIFFERENCE_COLUMNS), snakemake.output[0])
