"""Generate a synthetic stream and write the columnar file."""

from dataclasses import replace

from streameval.jobs import job
from streameval.streams.columnar import write_stream
from streameval.streams.generators import generate

with job(snakemake.log[0]) as log:
    spec = snakemake.params.spec
    stream = generate(spec["generator"], spec["rows"], **spec["parameters"])
    stream = replace(stream, name=spec["id"], source=spec["title"])
    write_stream(stream, snakemake.output[0])
    log.info("%s: %d instances, digest %s", stream.name, len(stream), stream.digest)
