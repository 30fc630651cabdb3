"""Measure the answers of all learners on all streams, over the whole of each."""

from pathlib import Path

import pandas as pd

from streameval.jobs import job, write_csv
from streameval.studies.answers import read_answers
from streameval.studies.evaluation import overall_measures

with job(snakemake.log[0]):
    parts = []
    for path in snakemake.input.predictions:
        name = Path(path).stem
        part = overall_measures(read_answers(path))
        part.insert(0, "stream", name)
        part.insert(1, "simulated", name in snakemake.params.simulated)
        parts.append(part)
    write_csv(pd.concat(parts, ignore_index=True), snakemake.output[0])
