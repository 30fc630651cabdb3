"""Draw measures of several learners over a sliding window."""

from streameval.jobs import job, read_csv
from streameval.report.figures.curves import measure_curves
from streameval.report.style import save

with job(snakemake.log[0]):
    item = snakemake.params.item
    figure = measure_curves(
        read_csv(snakemake.input.curves),
        measures=item["measures"],
        learners=item["learners"],
        titles=snakemake.params.learners,
        title=snakemake.params.title,
        simulated=snakemake.params.simulated,
    )
    save(figure, snakemake.output.svg.removesuffix(".svg"))
