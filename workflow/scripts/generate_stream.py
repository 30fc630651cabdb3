"""Generate a synthetic stream and write the columnar file."""

from streameval.pipeline.runs import job
from streameval.streams.columnar import write_stream
from streameval.streams.making import synthesise
from streameval.streams.registry import GeneratorSpec

with job(snakemake.log[0]) as log:
    stream = synthesise(GeneratorSpec(**snakemake.params.spec))
    write_stream(stream, snakemake.output[0])
    log.info("%s: %d instances, digest %s", stream.name, len(stream), stream.digest)
