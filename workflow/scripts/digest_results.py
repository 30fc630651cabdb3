"""Write down the SHA-256 of every table, trace and picture."""

import json
from pathlib import Path

from streameval.files import write_text
from streameval.pipeline.runs import job
from streameval.table_files import digest

with job(snakemake.log[0]):
    paths = [Path(path) for path in snakemake.input.results]
    pictures = [file for path in paths if path.is_dir() for file in path.glob("*.svg")]
    files = sorted(str(path) for path in [*paths, *pictures] if path.is_file())
    write_text(snakemake.output[0], json.dumps({f: digest(f) for f in files}, indent=2) + "\n")
