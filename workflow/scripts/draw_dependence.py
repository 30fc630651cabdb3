"""Draw what one more label before says about the next."""

from streameval.jobs import job, read_csv
from streameval.report.figures.dependence import dependence
from streameval.report.style import save

with job(snakemake.log[0]):
    figure = dependence(
        read_csv(snakemake.input.orders),
        title=snakemake.params.title,
        simulated=snakemake.params.simulated,
    )
    save(figure, snakemake.output.svg.removesuffix(".svg"))
