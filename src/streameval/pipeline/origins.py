"""Origin of results: command, commit, date, processor and versions, from the logs of jobs.

The run puts its command and commits, which all jobs share, into an environment variable. Each job
writes its origin into its log. A log is not an output, so a new commit, day or machine reruns
nothing.
"""

from __future__ import annotations

import json
import logging
import os
import re
import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

from streameval.base.provenance import commit_of, processor, versions

#: Environment variable with the command and the commits of a run.
ORIGIN = "STREAMEVAL_ORIGIN"
#: Environment variable with the command as the user typed it; `streameval run` sets it.
COMMAND = "STREAMEVAL_COMMAND"
#: Start of the line of a log with the origin of the job, as JSON.
_START = "origin: "
#: This line; the group is the JSON text.
_LINE = re.compile(rf"^INFO streameval: {_START}(\{{.*\}})$", re.MULTILINE)


class JobOrigin(NamedTuple):
    """Origin of the result of a job.

    `commit` is the commit of the project, `study_commit` the commit of the folder of the run; each
    is "" if its folder is not a clone. `begun` is the start of the job in ISO format, UTC.
    """

    begun: str
    command: str
    commit: str
    study_commit: str
    processor: str
    versions: dict[str, str]


def announce_origin(project: Path, arguments: Sequence[str]) -> None:
    """Put the command of this run and its commits into the environment of its jobs.

    `project` is the folder of the project; `arguments` are the arguments of Snakemake.
    """
    folder = Path.cwd()
    shared = {
        "command": os.environ.get(COMMAND) or shlex.join(["snakemake", *arguments]),
        "commit": commit_of(project),
        "study_commit": "" if folder.samefile(project) else commit_of(folder),
    }
    # Quoted: any shell passes these characters on unchanged.
    os.environ[ORIGIN] = quote(json.dumps(shared), safe="")


def announced_origin() -> dict[str, str]:
    """Command and commits that the run of this job has announced; "" for each without a run."""
    shared = {"command": "", "commit": "", "study_commit": ""}
    if os.environ.get(ORIGIN):
        shared |= json.loads(unquote(os.environ[ORIGIN]))
    return shared


def log_origin(log: logging.Logger) -> None:
    """Write the origin of this job into its log."""
    begun = datetime.now(UTC).isoformat(timespec="seconds")
    machine = {"processor": processor(), "versions": versions()}
    origin = {"begun": begun, **announced_origin(), **machine}
    log.info("%s%s", _START, json.dumps(origin))


def origin_of(log: Path) -> JobOrigin | None:
    """Origin of a job, read from its log; None if the log is missing or has no origin."""
    with suppress(OSError, ValueError, TypeError):
        line = _LINE.search(log.read_text(encoding="utf-8", errors="replace"))
        return JobOrigin(**json.loads(line[1])) if line else None
    return None


def read_origins(logs: Path, patterns_by_part: Iterable[Sequence[str]]) -> list[JobOrigin]:
    """Origins of the jobs of a run; jobs whose log is missing are left out.

    `patterns_by_part` are the pairs of `pipeline.products.log_patterns`. The second of each pair is
    a pattern of log files below the folder `logs`.
    """
    patterns = dict.fromkeys(pattern for _, pattern in patterns_by_part)
    files = {log for pattern in patterns for log in logs.glob(f"{pattern}.log")}
    return [origin for log in sorted(files) if (origin := origin_of(log))]


def origin_summary(origins: Iterable[JobOrigin]) -> dict[str, Any]:
    """Summary of the origins of all jobs: first and last day, and job counts by any other value.

    Results of an earlier run keep their origin, so the summary may have several commits.
    """
    origins = sorted(origins, key=lambda origin: origin.begun)
    counts_by_field: dict[str, Counter[str]] = {
        name: Counter(str(getattr(origin, name)) for origin in origins)
        for name in ("commit", "study_commit", "processor")
    }
    packages: dict[str, Counter[str]] = {}
    for origin in origins:
        for name, version in origin.versions.items():
            packages.setdefault(name, Counter())[version] += 1
    return {
        "jobs": len(origins),
        "begun": [origins[0].begun, origins[-1].begun] if origins else [],
        **{name: dict(counts) for name, counts in counts_by_field.items()},
        "versions": {name: dict(counts) for name, counts in packages.items()},
    }
