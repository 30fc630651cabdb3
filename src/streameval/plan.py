"""What a pipeline run is going to do: which items, on which streams, and what is left out.

Snakemake reads the plan while it builds its graph of jobs. Whether a stream can be had is
asked once, by the main process, and written down; jobs read what was decided.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from streameval import settings
from streameval.errors import ConfigError, DownloadError
from streameval.files import write_text
from streameval.learners.adapters.predictions_file import PredictionsFile
from streameval.learners.registry import LearnerSpec, load_learners
from streameval.streams.fetch import mirror_folder, survey
from streameval.streams.registry import (
    FileSpec,
    GeneratorSpec,
    StreamSpec,
    find_spec,
    load_registry,
)

RAW = Path("resources", "raw")
DECISION = Path("resources", "streams", "left_out.json")


@dataclass(frozen=True)
class Plan:
    """The run that a configuration asks for.

    Parameters
    ----------
    config : mapping
        The checked configuration.
    registry : mapping of str to StreamSpec
        All streams there are.
    learners : mapping of str to LearnerSpec
        All learners there are.
    left_out : mapping of str to str
        Why, for each stream that is asked for and cannot be had.
    """

    config: Mapping[str, Any]
    registry: Mapping[str, StreamSpec]
    learners: Mapping[str, LearnerSpec]
    left_out: Mapping[str, str]

    @cached_property
    def streams(self) -> list[str]:
        """The streams that any item asks for and that can be had, in the registry's order."""
        asked = set(requested_streams(self.config))
        return [name for name in self.registry if name in asked and name not in self.left_out]

    def item(self, paper: str, item: str) -> dict[str, Any]:
        """Return the settings of an item; no streams where the config leaves it out."""
        return dict(self.config["items"].get(paper, {}).get(item, {"streams": []}))

    def streams_of(self, paper: str, item: str) -> list[str]:
        """Return the streams of an item that can be had."""
        return [name for name in self.item(paper, item)["streams"] if name not in self.left_out]

    def figures(self) -> list[tuple[str, str, str]]:
        """Return paper, item and stream of every figure."""
        return [
            (paper, item, stream)
            for paper, items in self.config["items"].items()
            for item in items
            if item.startswith("fig")
            for stream in self.streams_of(paper, item)
        ]

    def is_generated(self, stream: str) -> bool:
        """Whether a stream comes from a generator, not from a file."""
        return isinstance(self.registry[stream], GeneratorSpec)

    def is_simulated(self, stream: str) -> bool:
        """Whether a stream stands for another one, which it only resembles."""
        spec = self.registry[stream]
        return isinstance(spec, GeneratorSpec) and spec.stands_for is not None

    def title(self, stream: str) -> str:
        """Return how a stream is called, for people."""
        return self.registry[stream].title

    def spec_of(self, stream: str) -> dict[str, Any]:
        """Return a stream's entry as plain data, for a job's parameters."""
        return asdict(self.registry[stream])

    def raw_file(self, stream: str) -> str:
        """Return where the raw file of a stream lies."""
        spec = self.registry[stream]
        if not isinstance(spec, FileSpec):
            raise ConfigError(f"Stream {stream!r} is generated: it has no raw file.")
        return str(RAW / spec.file)

    def prediction_files(self, stream: str) -> list[str]:
        """Return the files from which learners of the run take their answers for a stream."""
        specs = [self.learners[name] for name in self.config["learners"]]
        return [
            str(PredictionsFile(**spec.parameters).path(stream))
            for spec in specs
            if spec.learner == PredictionsFile.name
        ]

    def stream_of_file(self, file: str) -> str:
        """Return a stream whose raw file is `file`, a path below the raw folder."""
        for stream in self.streams:
            spec = self.registry[stream]
            if isinstance(spec, FileSpec) and spec.file == file:
                return stream
        raise ConfigError(f"No stream of this run is read from the raw file {file!r}.")


def requested_streams(config: Mapping[str, Any]) -> list[str]:
    """Return all streams that the items of a configuration name, each once."""
    items = (item for paper in config["items"].values() for item in paper.values())
    return list(dict.fromkeys(name for item in items for name in item["streams"]))


def make_plan(config: Mapping[str, Any], decide: bool) -> Plan:
    """Check a configuration and return what it asks for.

    Parameters
    ----------
    config : mapping
        The configuration, as Snakemake has merged it.
    decide : bool
        Find out which streams can be had, and write that down; otherwise read it.

    Raises
    ------
    ConfigError
        If the configuration, a registry, or a name in it is wrong.
    DownloadError
        If ``data.missing`` is ``fail`` and streams are missing; lists all of them.
    """
    settings.check(config, "config", "the configuration")
    registry = load_registry(settings.locate(config["registries"]["streams"]))
    learners = load_learners(settings.locate(config["registries"]["learners"]))
    asked = [find_spec(registry, name) for name in requested_streams(config)]
    unknown = [name for name in config["learners"] if name not in learners]
    if unknown:
        raise ConfigError(
            f"The configuration names the learner {unknown[0]!r}, which is not in the registry. "
            f"There are {', '.join(learners)}."
        )
    if not decide and DECISION.is_file():
        left_out = json.loads(DECISION.read_text(encoding="utf-8"))
        return Plan(config, registry, learners, left_out)
    left_out = _missing(config, [spec for spec in asked if isinstance(spec, FileSpec)])
    if left_out and config["data"]["missing"] == "fail":
        raise DownloadError(_all_missing(left_out, registry))
    if decide:
        _write_down(left_out)
    return Plan(config, registry, learners, left_out)


def _missing(config: Mapping[str, Any], specs: list[FileSpec]) -> dict[str, str]:
    data = config["data"]
    found = survey(specs, RAW, mirror_folder(data["mirror"]), data["offline"])
    return {name: where.detail for name, where in found.items() if where.where == "missing"}


def _all_missing(left_out: Mapping[str, str], registry: Mapping[str, StreamSpec]) -> str:
    lines = [f"{len(left_out)} streams cannot be had, and data.missing is 'fail':"]
    for name, reason in left_out.items():
        spec = registry[name]
        place = RAW / spec.file if isinstance(spec, FileSpec) else RAW
        lines.append(f"  - {name} ({spec.title}): {reason}. Put a copy at {place}.")
    lines.append(
        "Or name a folder that has them in STREAMEVAL_DATA, or run without them "
        "(data: missing: skip)."
    )
    return "\n".join(lines)


def _write_down(left_out: Mapping[str, str]) -> None:
    text = json.dumps(left_out, indent=2, ensure_ascii=False) + "\n"
    if not DECISION.is_file() or DECISION.read_text(encoding="utf-8") != text:
        write_text(DECISION, text)


def sources(*parts: str) -> list[str]:
    """Return the package's source files of the given modules and sub-packages."""
    package = Path(__file__).parent
    files: list[Path] = []
    for part in parts:
        folder = package / part
        files += folder.rglob("*.py") if folder.is_dir() else [package / f"{part}.py"]
    return sorted(str(file) for file in files)
