"""Fail if a learner has failed on a stream, and list the failures in the log."""

from pathlib import Path

from streameval.base.files import write_text
from streameval.base.terminal import IncompleteError
from streameval.pipeline.failure_list import failure_lines, failures_in, headline
from streameval.pipeline.runs import job, root_of

with job(snakemake.log[0]) as log:
    root = root_of(snakemake.output[0], Path(snakemake.params.planned[0]))
    failures = failures_in(snakemake.params.records, root)
    if failures:
        for line in failure_lines(failures):
            log.error("%s", line.strip())
        raise IncompleteError(
            f"{headline(failures)} Everything else is made: open {root / snakemake.params.page}. "
            "After a correction of code, data or settings the same command goes on."
        )
    write_text(snakemake.output[0], "No learner failed.\n")
