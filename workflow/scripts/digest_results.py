"""Write the SHA-256 digests of all tables, frames and pictures."""

import json
from pathlib import Path

from streameval.base.file_digests import check_unchanged, file_digest
from streameval.base.files import write_text
from streameval.pipeline.runs import job, root_of

with job(snakemake.log[0]):
    paths = [Path(path) for path in snakemake.input.results]
    pictures = [file for path in paths if path.is_dir() for file in path.glob("*.svg")]
    files = sorted(str(path) for path in [*paths, *pictures] if path.is_file())
    for file in files:  # tables that no other job reads are checked only here
        check_unchanged(file)
    root = root_of(snakemake.output[0], Path(snakemake.params.planned[0]))
    digests = {Path(file).relative_to(root).as_posix(): file_digest(file) for file in files}
    write_text(snakemake.output[0], json.dumps(digests, indent=2) + "\n")
