"""Write down the SHA-256 of every table, trace and picture."""

import json

from streameval.files import write_text
from streameval.jobs import digest, job

with job(snakemake.log[0]):
    digests = {path: digest(path) for path in sorted(snakemake.input)}
    write_text(snakemake.output[0], json.dumps(digests, indent=2) + "\n")
