"""Put every published number and claim beside ours, with a verdict."""

from pathlib import Path

from streameval.csv_tables import read_csv, write_csv
from streameval.files import write_text
from streameval.pipeline.jobs import job
from streameval.report.results import TRACES, columns_of
from streameval.report.scorecard import scorecard
from streameval.report.scorecard_page import scorecard_page

with job(snakemake.log[0]):
    ours = {
        "measures": read_csv(snakemake.input.measures),
        "differences": read_csv(snakemake.input.differences),
    }
    for path in map(Path, snakemake.input.tables):
        name = f"{path.parent.name}/{path.stem}"
        if columns_of(name):
            ours[name] = read_csv(path)
    for path in map(Path, snakemake.input.traces):
        stream, trace = path.stem.rsplit(".", 1)
        if trace in TRACES and stream not in snakemake.params.simulated:
            ours[f"{path.parts[-3]}/{path.parts[-2]}/{path.stem}"] = read_csv(path)
    published = Path(snakemake.input.published[0]).parent
    card = scorecard(published, ours, snakemake.params.left_out)
    write_csv(card, snakemake.output.csv)
    write_text(snakemake.output.page, scorecard_page(card))
