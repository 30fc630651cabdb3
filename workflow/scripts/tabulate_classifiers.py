"""Table 4 of zliobaite2015: the learners of the experiments."""

from pathlib import Path

from streameval.learners.registry import LearnerSpec
from streameval.pipeline.jobs import job
from streameval.report.tables import write_table
from streameval.report.temporal_layouts import classifiers_layout
from streameval.studies.temporal import classifier_characteristics

with job(snakemake.log[0]):
    learners = {name: LearnerSpec(**row) for name, row in snakemake.params.learners.items()}
    table = classifier_characteristics(learners)
    write_table(
        table,
        Path(snakemake.output[0]).with_suffix(""),
        caption="The learners of the experiments (Žliobaitė et al. 2015, Table 4).",
        label="tab:zliobaite2015-table4",
        layout=classifiers_layout(table),
    )
