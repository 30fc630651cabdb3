"""The measures of all learners on all streams, a column a measure."""

from pathlib import Path

from streameval.csv_tables import read_csv
from streameval.measures.registry import MEASURES
from streameval.pipeline.jobs import job
from streameval.report.overview import WIDE_MEASURES, wide_measures
from streameval.report.tables import write_table

with job(snakemake.log[0]):
    table = wide_measures(read_csv(snakemake.input.measures), snakemake.params.titles)
    write_table(
        table,
        Path(snakemake.output[0]).with_suffix(""),
        caption="Measures over the whole of each stream, test-then-train.",
        label="tab:measures",
        headers={name: MEASURES[name].symbol for name in WIDE_MEASURES} | {"accuracy": "accuracy"},
    )
