"""Write a stream in another order."""

from streameval.pipeline.runs import job
from streameval.streams.columnar import read_stream, write_stream
from streameval.streams.variants import variant

with job(snakemake.log[0]) as log:
    stream = variant(read_stream(snakemake.input.stream), snakemake.params.variant)
    write_stream(stream, snakemake.output[0])
    log.info("%s: %d instances, digest %s", stream.name, len(stream), stream.digest)
