"""JobOrigin of results: command, commit, date, processor and versions, as the logs of jobs have it.

The run announces what its jobs share in a variable of the environment. Each job writes its origin
into its log, which is no output: a new commit, day or machine reruns nothing.
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

#: The variable with the command and the commits of a run, and that with the command as users type
#: it, which `streameval run` sets.
ORIGIN, COMMAND = "STREAMEVAL_ORIGIN", "STREAMEVAL_COMMAND"
#: Start of the line of a log with the origin of the job, as JSON.
_START = "origin: "
_LINE = re.compile(rf"^INFO streameval: {_START}(\{{.*\}})$", re.MULTILINE)


class JobOrigin(NamedTuple):
    """JobOrigin of the result of a job.

    `commit` is that of the project, `study_commit` that of the folder of the run; both are empty
    without a clone. `begun` is a moment in ISO format, of UTC.
    """

    begun: str
    command: str
    commit: str
    study_commit: str
    processor: str
    versions: dict[str, str]


def announce_origin(project: Path, arguments: Sequence[str]) -> None:
    """Put the command of this run and its commits into the environment of its jobs.

    `project` is the folder of the project, `arguments` are those of Snakemake.
    """
    folder = Path.cwd()
    shared = {
        "command": os.environ.get(COMMAND) or shlex.join(["snakemake", *arguments]),
        "commit": commit_of(project),
        "study_commit": "" if folder.samefile(project) else commit_of(folder),
    }
    # In characters that any shell passes on as they are.
    os.environ[ORIGIN] = quote(json.dumps(shared), safe="")


def announced_origin() -> dict[str, str]:
    """Command and commits that the run of this job has announced; empty texts without a run."""
    shared = {"command": "", "commit": "", "study_commit": ""}
    if os.environ.get(ORIGIN):
        shared |= json.loads(unquote(os.environ[ORIGIN]))
    return shared


def log_origin(log: logging.Logger) -> None:
    """Write the origin of this job into its log."""
    begun = datetime.now(UTC).isoformat(timespec="seconds")
    about = {"begun": begun, **announced_origin(), "processor": processor(), "versions": versions()}
    log.info("%s%s", _START, json.dumps(about))


def origin_of(log: Path) -> JobOrigin | None:
    """JobOrigin of the job of a log; None if the log is gone or has none."""
    with suppress(OSError, ValueError, TypeError):
        line = _LINE.search(log.read_text(encoding="utf-8", errors="replace"))
        return JobOrigin(**json.loads(line[1])) if line else None
    return None


def origins(logs: Path, places: Iterable[Sequence[str]]) -> list[JobOrigin]:
    """Origins of the jobs of a run; `places` are parts and patterns of logs below `logs`.

    A job whose log is gone is left out.
    """
    patterns = dict.fromkeys(pattern for _, pattern in places)
    files = {log for pattern in patterns for log in logs.glob(f"{pattern}.log")}
    return [origin for log in sorted(files) if (origin := origin_of(log))]


def summary_of(origins: Iterable[JobOrigin]) -> dict[str, Any]:
    """Origins of all jobs of a run: first and last day, and numbers of jobs by each other value.

    Jobs that an earlier run did keep their origin: a page then names several commits.
    """
    origins = sorted(origins)
    numbers: dict[str, Counter[str]] = {
        name: Counter(str(getattr(origin, name)) for origin in origins)
        for name in ("commit", "study_commit", "processor")
    }
    packages: dict[str, Counter[str]] = {}
    for origin in origins:
        for name, number in origin.versions.items():
            packages.setdefault(name, Counter())[number] += 1
    return {
        "jobs": len(origins),
        "begun": [origins[0].begun, origins[-1].begun] if origins else [],
        **{name: dict(counts) for name, counts in numbers.items()},
        "versions": {name: dict(counts) for name, counts in packages.items()},
    }
