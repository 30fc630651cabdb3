"""Simulate Propositions 5 to 9 of zliobaite2015: Table 2, all cases, and the data of figures."""

from pathlib import Path

from streameval.csv_tables import write_csv
from streameval.pipeline.jobs import job
from streameval.report.tables import write_table
from streameval.report.temporal_layouts import baselines_layout, propositions_layout
from streameval.studies import propositions
from streameval.studies.baseline_accuracies import memory
from streameval.studies.error_dependence import errors

with job(snakemake.log[0]):
    runs = propositions.simulate(snakemake.params.instances, snakemake.params.seeds)
    table = propositions.baselines_table(runs)
    write_table(
        table,
        Path(snakemake.output.table).with_suffix(""),
        caption="Which baseline is better (Žliobaitė et al. 2015, Table 2).",
        label="tab:zliobaite2015-table2",
        layout=baselines_layout(table),
    )
    cases = propositions.propositions(runs)
    write_table(
        cases,
        Path(snakemake.output.cases).with_suffix(""),
        caption="Propositions 5 to 9 (Žliobaitė et al. 2015) by simulation.",
        label="tab:zliobaite2015-propositions",
        layout=propositions_layout(cases),
    )
    write_csv(propositions.sweep(runs), snakemake.output.sweep)
    write_csv(memory(runs.memory), snakemake.output.memory)
    write_csv(errors(runs.errors), snakemake.output.errors)
