"""Fetch one raw file: from the mirror, or from the first host that has it."""

from pathlib import Path

from streameval.jobs import job
from streameval.plan import RAW
from streameval.streams.fetch import fetch
from streameval.streams.registry import FileSpec

with job(snakemake.log[0]):
    fetch(
        FileSpec.from_dict(snakemake.params.spec),
        Path(RAW),
        snakemake.params.mirror,
        snakemake.params.offline,
    )
