"""Fetch one raw file: from the mirror, or from the first host that has it."""

from streameval.pipeline.runs import job
from streameval.settings import RAW
from streameval.streams.raw.fetch import fetch, mirror_folder
from streameval.streams.registry import FileSpec

with job(snakemake.log[0]):
    spec, data = FileSpec.from_dict(snakemake.params.spec), snakemake.config["data"]
    fetch(spec, RAW, mirror_folder(data["mirror"]), data["offline"])
