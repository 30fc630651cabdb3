"""Table 2 of bifet2013: shares of the classes, and the accuracies of the two baselines."""

from pathlib import Path

import pandas as pd

from streameval.jobs import job
from streameval.report.layouts import TABLE2, table2_layout
from streameval.report.tables import write_table
from streameval.studies.answers import read_answers
from streameval.studies.pitfalls import class_characteristics

with job(snakemake.log[0]):
    parts = [pd.DataFrame(columns=list(TABLE2))]
    for path in snakemake.input.predictions:
        answers, name = read_answers(path), Path(path).stem
        correct = answers.predicted["no_change"] == answers.true
        part = class_characteristics(answers.true, float(correct.mean()))
        parts.append(
            part.assign(stream=name, simulated=name in snakemake.params.simulated)[list(TABLE2)]
        )
    table = pd.concat(parts[1:] or parts, ignore_index=True)
    write_table(
        table,
        Path(snakemake.output[0]).with_suffix(""),
        caption="Characteristics of the streams (Bifet et al. 2013, Table 2).",
        label="tab:bifet2013-table2",
        layout=table2_layout(table, snakemake.params.titles),
    )
