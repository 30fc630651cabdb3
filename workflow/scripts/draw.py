"""Draw the figures of a study."""

import gc
from pathlib import Path

from streameval.base.file_digests import write_digest
from streameval.drawing.looks import distinct_looks
from streameval.drawing.style import save
from streameval.pipeline.figures import read_figure_data
from streameval.pipeline.runs import job, prefixed_path

# The search for reference cycles among the objects of fonts and pictures takes a fifth of the time.
# Without it they stay until the job ends: 5 MB a picture.
gc.disable()

with job(snakemake.log[0]) as log:
    titles = snakemake.params.titles
    for task in snakemake.params.tasks:
        folder = Path(prefixed_path(task["folder"], snakemake.output))
        for stream in task["frames"]:
            data = read_figure_data(task, stream, titles, snakemake.input)
            for picture in data.kind.pictures or [stream]:
                with distinct_looks(titles):
                    figure = data.draw(picture)
                save(figure, folder / picture)
                for form in ("svg", "pdf"):
                    write_digest(folder / f"{picture}.{form}")
                log.info("%s: %s", task["item"], picture)
