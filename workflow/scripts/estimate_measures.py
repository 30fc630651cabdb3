"""Measures of several learners at the end of a stream and its variants, by four estimators."""

from pathlib import Path

import pandas as pd

from streameval.csv_tables import write_csv
from streameval.pipeline.jobs import job
from streameval.streams.variants import name_of_stem, split_name
from streameval.studies.estimates import estimates
from streameval.studies.prediction_files import read_predictions

with job(snakemake.log[0]):
    item, alpha = snakemake.params.item, snakemake.params.smoothing
    parts = []
    for path in snakemake.input.predictions:
        kind = split_name(name_of_stem(Path(path).stem))[1]
        found = estimates(
            read_predictions(path),
            snakemake.params.learners,
            item["measures"],
            window=item["window"],
            alpha=alpha,
        )
        found.insert(0, "variant", kind)
        parts.append(found)
    write_csv(pd.concat(parts, ignore_index=True), snakemake.output[0])
