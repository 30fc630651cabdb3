"""Accuracies that the literature reports for the electricity stream, and No-Change."""

from pathlib import Path

from streameval.csv_tables import read_csv
from streameval.pipeline.jobs import job
from streameval.report.layouts import literature_layout
from streameval.report.tables import write_table
from streameval.studies.pitfalls import literature
from streameval.studies.prediction_files import read_predictions

SOURCES = {
    "bifet2013": "Bifet et al. 2013, Table 1",
    "zliobaite2015": "Žliobaitė et al. 2015, Table 5",
}

with job(snakemake.log[0]):
    paper, item = snakemake.wildcards.paper, snakemake.wildcards.item
    measured = None
    for path in snakemake.input.predictions:
        predictions = read_predictions(path)
        measured = float((predictions.predicted["no_change"] == predictions.true).mean())
    table = literature(read_csv(snakemake.input.published), f"in_{paper}_{item}", measured)
    write_table(
        table,
        Path(snakemake.output[0]).with_suffix(""),
        caption=f"Accuracies reported on the electricity stream ({SOURCES[paper]}).",
        label=f"tab:{paper}-{item}",
        layout=literature_layout(table),
    )
