"""The files that jobs on machines without a shared disk need, beside those in storage.

Snakemake packs the sources of a run: the files of rules and scripts, and those that Git tracks.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

from streameval.pipeline.plan import Plan
from streameval.streams.registry import FileSpec

#: The folders of the project that jobs read.
_READ = ("config", "resources/published", "resources/recorded", "src", "workflow")


def sent(plan: Plan, home: Path) -> list[str]:
    """Return the files below the working folder that a job reads, no job makes, and Git ignores.

    A project that is installed is not there: the machines of the jobs have it installed, too.
    """
    here = Path.cwd().resolve()
    found = {(here / path).resolve() for path in _named(plan, home)}
    paths = {
        str(path.relative_to(here))
        for path in found
        if here in path.parents and path.is_file() and "__pycache__" not in path.parts
    }
    return sorted(paths - _tracked())


def _tracked() -> set[str]:
    """Return the files of the working folder that Git tracks; none where there is no repository."""
    words = ["git", "ls-files", "--recurse-submodules", "-z", "."]
    said = subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603
    return set(said.stdout.split("\0"))


def _named(plan: Plan, home: Path) -> Iterator[Path]:
    """Yield the paths that may be needed, some of them more than once."""
    for folder in (Path("config"), *(home / name for name in _READ)):
        yield from folder.rglob("*")
    yield from map(Path, plan.config["registries"].values())
    for stream in plan.streams:
        spec = plan.registry[stream]
        if isinstance(spec, FileSpec) and Path(spec.file).is_absolute():
            yield Path(spec.file)
    yield from map(Path, plan.own_code(plan.all_learners))
    for (name, _), learners in plan.predictions.items():
        yield from map(Path, plan.prediction_files(name, learners))
    for item in plan.items.values():
        yield from map(Path, item.settings.resources())
