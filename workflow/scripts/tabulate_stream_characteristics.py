"""Table 3 of zliobaite2015: size of the streams, proportion of the majority, persistence."""

from pathlib import Path

from streameval.pipeline.jobs import job
from streameval.report.layouts import TABLE3, table3_layout
from streameval.report.tables import write_table
from streameval.streams.columnar import read_stream
from streameval.studies.measuring import by_stream
from streameval.studies.temporal import stream_characteristics

with job(snakemake.log[0]):
    parts = {
        Path(path).stem: stream_characteristics(read_stream(path))
        for path in snakemake.input.streams
    }
    table = by_stream(parts, snakemake.params.simulated, TABLE3)
    write_table(
        table,
        Path(snakemake.output[0]).with_suffix(""),
        caption="Characteristics of the streams (Žliobaitė et al. 2015, Table 3).",
        label="tab:zliobaite2015-table3",
        layout=table3_layout(table, snakemake.params.titles),
    )
