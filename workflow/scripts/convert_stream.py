"""Read a raw file or a file of the package, check the stream, and write the columnar file."""

from dataclasses import replace
from pathlib import Path

from streameval.base.settings import RAW
from streameval.pipeline.runs import job, root_of
from streameval.streams.columnar import write_stream
from streameval.streams.making import convert
from streameval.streams.raw.fetch import fetch
from streameval.streams.registry import FileSpec

with job(snakemake.log[0]) as log:
    spec = FileSpec.from_dict(snakemake.params.spec)
    if spec.file.startswith("./"):  # a user's file below the working folder
        spec = replace(spec, file=str(Path(spec.file).absolute()))
    if spec.bundled is not None:
        path = spec.bundled.path
    else:
        # The file is there already, fetched or put there by hand: this only checks its content.
        folder = root_of(snakemake.input.raw, RAW / spec.file) / RAW
        path = fetch(spec, folder, offline=True)
    stream = convert(spec, path)
    write_stream(stream, snakemake.output[0])
    log.info("%s: %d instances, digest %s", stream.name, len(stream), stream.digest)
