"""Compile the learners of a module once, so that parallel jobs load them from the disk cache."""

from streameval.base.files import write_text
from streameval.learners.registry import default_rows
from streameval.pipeline.runs import job
from streameval.pipeline.warm_up import learner_parts, warm_up, warm_up_dependents

with job(snakemake.log[0]) as log:
    learners = default_rows(snakemake.params.module)
    for name, seconds in warm_up(learner_parts(learners)):
        log.info("%s: %.1f s", name, seconds)
    warm_up_dependents(snakemake.wildcards.part)
    write_text(snakemake.output[0], "".join(f"{name}\n" for name in learners))
