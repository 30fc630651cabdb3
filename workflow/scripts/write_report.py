"""Write the report of a run: Snakemake reads once more what the jobs of this run have left."""

import subprocess
import sys
from pathlib import Path

from streameval.pipeline.runs import job

with job(snakemake.log[0]):
    page = Path(snakemake.output[0])
    aside = page.with_name(f".{page.name}")
    words = [*snakemake.params.words, "--nolock", "--quiet", "all", "--report", str(aside)]
    subprocess.run([sys.executable, "-m", "snakemake", *words], check=True)  # noqa: S603
    aside.replace(page)
