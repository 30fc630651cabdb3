"""κ of the learners with its standard error and significance test (zliobaite2015, Section 4.3)."""

from pathlib import Path

from streameval.csv_tables import read_csv
from streameval.pipeline.jobs import job
from streameval.report.tables import write_table
from streameval.report.temporal_layouts import significance_layout
from streameval.studies.temporal import kappa_significance

with job(snakemake.log[0]):
    params, measures = snakemake.params, read_csv(snakemake.input.measures)
    measures = measures[measures["stream"].isin(params.streams)]
    table = kappa_significance(measures, params.item["learners"])
    write_table(
        table,
        Path(snakemake.output[0]).with_suffix(""),
        caption="Kappa and its significance (Žliobaitė et al. 2015, Section 4.3).",
        label="tab:zliobaite2015-significance",
        layout=significance_layout(table, params.titles, params.learners),
    )
