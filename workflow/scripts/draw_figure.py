"""Draw a figure of a stream."""

from pathlib import Path

from streameval.jobs import job, read_csv
from streameval.report.drawings import Subject, draw
from streameval.report.style import save

with job(snakemake.log[0]):
    frames = {
        Path(path).suffixes[-2].removeprefix("."): read_csv(path) for path in snakemake.input.data
    }
    if snakemake.input.get("costs"):
        frames["costs"] = read_csv(snakemake.input.costs)
    params = snakemake.params
    subject = Subject(params.item, params.learners, params.title, params.simulated)
    save(draw(params.kind, frames, subject), snakemake.output.svg.removesuffix(".svg"))
