"""Draw a figure for each of its streams."""

from collections import defaultdict
from pathlib import Path

from streameval.csv_tables import read_csv
from streameval.errors import ConfigError
from streameval.pipeline.jobs import job
from streameval.report.drawings import Subject, draw
from streameval.report.style import save

with job(snakemake.log[0]):
    params, frames = snakemake.params, defaultdict(dict)
    for path in snakemake.input.data:
        stream, part, _ = Path(path).name.rsplit(".", 2)
        frames[stream][part] = read_csv(path)
    for path in snakemake.input.costs:
        frames[Path(path).stem]["costs"] = read_csv(path)
    if not frames:
        raise ConfigError(
            f"There is no stream to draw {snakemake.wildcards.figure} for: under `items` the "
            "configuration names none for it, or none that can be had. Name one that is there."
        )
    for stream, about in params.streams.items():
        drawn = draw(params.kind, frames[stream], Subject(params.item, params.learners, **about))
        save(drawn, Path(snakemake.output[0]) / stream)
