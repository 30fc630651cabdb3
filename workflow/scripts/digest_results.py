"""Write down the SHA-256 of every table, trace and picture."""

import json

from streameval.jobs import digest, job, write_text

with job(snakemake.log[0]):
    digests = {path: digest(path) for path in sorted(snakemake.input)}
    write_text(json.dumps(digests, indent=2) + "\n", snakemake.output[0])
