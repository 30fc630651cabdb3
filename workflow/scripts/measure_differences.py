"""Compare the accuracies of learners pair by pair on all streams, with intervals."""

from streameval.base.table_files import concatenate_streams, write_csv
from streameval.evaluation.differences import paired_differences
from streameval.evaluation.predictions import read_scored
from streameval.pipeline.runs import job
from streameval.report.results import DIFFERENCE_COLUMNS

with job(snakemake.log[0]):
    parts = {
        name: paired_differences(read_scored(path), snakemake.params.pairs)
        for name, path in zip(snakemake.params.streams, snakemake.input.predictions, strict=True)
    }
    write_csv(
        concatenate_streams(parts, snakemake.params.simulated, DIFFERENCE_COLUMNS),
        snakemake.output[0],
    )
