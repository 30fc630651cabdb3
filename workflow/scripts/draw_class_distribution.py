"""Draw class shares over time beside the autocorrelation of the label."""

from streameval.jobs import job, read_csv
from streameval.report.figures.class_distribution import class_distribution
from streameval.report.style import save

with job(snakemake.log[0]):
    figure = class_distribution(
        read_csv(snakemake.input.prior),
        read_csv(snakemake.input.autocorrelation),
        title=snakemake.params.title,
        simulated=snakemake.params.simulated,
        period=snakemake.params.item.get("period"),
    )
    save(figure, snakemake.output.svg.removesuffix(".svg"))
