"""Fetch one raw file: from the mirror, or from the first host that has it."""

from streameval.base.settings import RAW
from streameval.pipeline.runs import job, root_of
from streameval.streams.raw.fetch import fetch, mirror_folder, survey
from streameval.streams.registry import FileSpec

with job(snakemake.log[0]):
    spec, data = FileSpec.from_dict(snakemake.params.spec), snakemake.config["data"]
    folder = root_of(snakemake.output[0], RAW / spec.file) / RAW
    # Below the prefix of a module, a copy of the file in the working folder is used if it exists.
    is_here = folder != RAW and survey([spec], RAW, offline=True)[spec.id].where == "local"
    mirror = RAW if is_here else mirror_folder(data["mirror"])
    fetch(spec, folder, mirror, data["offline"])
