"""Table 2 of bifet2013: proportions of the classes, and the accuracies of the two baselines."""

from pathlib import Path

from streameval.pipeline.jobs import job
from streameval.report.layouts import TABLE2, table2_layout
from streameval.report.tables import write_table
from streameval.studies.measuring import by_stream
from streameval.studies.pitfalls import class_characteristics
from streameval.studies.prediction_files import read_predictions

with job(snakemake.log[0]):
    parts = {}
    for path in snakemake.input.predictions:
        predictions, name = read_predictions(path), Path(path).stem
        correct = predictions.predicted["no_change"] == predictions.true
        parts[name] = class_characteristics(predictions.true, float(correct.mean()))
    table = by_stream(parts, snakemake.params.simulated, TABLE2)
    write_table(
        table,
        Path(snakemake.output[0]).with_suffix(""),
        caption="Characteristics of the streams (Bifet et al. 2013, Table 2).",
        label="tab:bifet2013-table2",
        layout=table2_layout(table, snakemake.params.titles),
    )
