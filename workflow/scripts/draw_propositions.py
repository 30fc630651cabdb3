"""Draw what Propositions 5 to 9 of zliobaite2015 are about."""

from pathlib import Path

from streameval.csv_tables import read_csv
from streameval.pipeline.jobs import job
from streameval.report.figures.propositions import baselines_by_persistence, majority_memory
from streameval.report.style import save

with job(snakemake.log[0]):
    sweep, memory, errors = (
        read_csv(snakemake.input[key]) for key in ("sweep", "memory", "errors")
    )
    folder = Path(snakemake.output[0])
    figure = baselines_by_persistence(sweep, title="Baselines and kappas by persistence")
    save(figure, folder / "baselines")
    figure = majority_memory(memory, errors, title="Forgetting, and errors that hang together")
    save(figure, folder / "memory")
