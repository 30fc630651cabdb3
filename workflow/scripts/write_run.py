"""Write the origin of a run's results: command, commits, versions, streams and items."""

import json
from pathlib import Path

from streameval.base.files import write_text
from streameval.pipeline.origins import announced_origin, origin_summary, read_origins
from streameval.pipeline.runs import job, root_of
from streameval.streams.columnar import stream_digest, stream_size

with job(snakemake.log[0]):
    files, params = snakemake.input, snakemake.params
    root = root_of(snakemake.output[0], Path(params.planned[0]))
    content = {
        "command": announced_origin()["command"],
        "origin": origin_summary(read_origins(root / "logs", params.logs)),
        "streams": {
            Path(path).stem: {**stream_size(path), "digest": stream_digest(path)}
            for path in files.streams
        },
        "left_out": params.left_out,
        "items": params.shown,
    }
    write_text(snakemake.output[0], json.dumps(content, indent=2, ensure_ascii=False) + "\n")
