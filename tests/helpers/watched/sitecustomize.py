"""Makes each job of a run tell which files of the package it has loaded, and which it declares.

Python imports this module when it starts, if its folder is in PYTHONPATH.
"""

from __future__ import annotations

import atexit
import json
import os
import sys
from pathlib import Path


def tell() -> None:
    job = getattr(sys.modules["__main__"], "snakemake", None)
    if job is None:
        return  # Snakemake itself, or what it asks about the machine
    loaded = [
        str(Path(module.__file__).resolve())
        for name, module in sys.modules.items()
        if name.partition(".")[0] == "streameval" and module.__file__
    ]
    declared = [str(Path(path).resolve()) for path in job.input.get("sources", [])]
    # Snakemake runs a copy with a name of its own before that of the script.
    record = {"script": Path(sys.argv[0]).name.partition(".")[2], "rule": job.rule}
    record |= {"loaded": loaded, "declared": declared}
    path = Path(os.environ["WATCHED_JOBS"], f"{os.getpid()}.json")
    aside = path.with_suffix(".part")  # a run that is killed leaves no half of one
    aside.write_text(json.dumps(record), encoding="utf-8")
    aside.replace(path)


if "WATCHED_JOBS" in os.environ:
    atexit.register(tell)
