"""Compile the learners once, so that jobs side by side find them in the disk cache."""

from streameval.files import write_text
from streameval.jobs import job
from streameval.learners.registry import ADAPTERS, LearnerSpec
from streameval.protocols.prequential import prequential
from streameval.streams.generators.sea import sea

with job(snakemake.log[0]) as log:
    stream = sea(10)
    for row in snakemake.params.learners.values():
        learner = LearnerSpec(**row).make()  # a mistake in a row is found before any work
        if row["learner"] not in ADAPTERS:
            learner.play(stream, prequential(len(stream)))
            log.info("%s", row["id"])
    write_text(snakemake.output[0], "".join(f"{name}\n" for name in snakemake.params.learners))
