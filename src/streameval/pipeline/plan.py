"""The plan of a run: its items, streams and learners, and the streams that are left out.

The main process decides once which streams are available, and passes the decision to its jobs in a
variable of the environment. A file would not do: other runs and dry runs in the same folder would
read it, too.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from streameval.base import settings
from streameval.base.errors import ConfigError, DownloadError
from streameval.base.settings import RAW
from streameval.evaluation.roles import CLASSIFICATION_BASELINES
from streameval.evaluation.task import TASKS
from streameval.items.kind import ItemKind
from streameval.items.settings import ALL
from streameval.learners.adapters.predictions_file import PredictionsFile
from streameval.learners.registry import LearnerSpec, load_learners
from streameval.pipeline.checks import (
    check_generated,
    check_kinds,
    check_known_names,
    check_learner_rows,
    check_published,
)
from streameval.pipeline.configuration import (
    Configuration,
    complete,
    configured_learners,
    configured_streams,
    shipped_studies,
)
from streameval.pipeline.first_rows import with_first_rows
from streameval.pipeline.items import Item, items_of
from streameval.protocols.protocol import Protocol
from streameval.protocols.registry import DEFAULT, parse
from streameval.streams.raw.fetch import mirror_folder, survey
from streameval.streams.registry import (
    FileSpec,
    GeneratorSpec,
    StreamSpec,
    load_registry,
)
from streameval.streams.variants import ORIGINAL, split_name

#: The variable of the environment with the streams that a run leaves out, see `announced_decision`.
DECISION = "STREAMEVAL_LEFT_OUT"

#: The streams that all plans of this process leave out, with reasons.
_announced: dict[str, str] = {}


@dataclass(frozen=True)
class Plan:
    """The run that a configuration describes; `left_out` has the reasons for missing streams."""

    configuration: Configuration
    registry: Mapping[str, StreamSpec]
    learners: Mapping[str, LearnerSpec]
    items: Mapping[str, Item]
    left_out: Mapping[str, str]

    @property
    def config(self) -> Mapping[str, Any]:
        """All settings."""
        return self.configuration.content

    @property
    def studies(self) -> Sequence[str]:
        """The studies that run, in the order of the report."""
        return list(self.config["studies"])

    @cached_property
    def is_shipped(self) -> bool:
        """Whether all studies of the run come with the project."""
        return {*self.studies} <= {*shipped_studies()}

    @property
    def user_streams(self) -> Mapping[str, Any]:
        """The streams that the configuration describes itself."""
        streams: Mapping[str, Any] = self.config["streams"]
        return streams

    @property
    def unsized_streams(self) -> list[str]:
        """The streams whose entry may lack the size; the converted file has it."""
        return [
            name
            for name in self.streams
            if name in self.user_streams or None in self.registry[name].shape.values()
        ]

    @property
    def run_name(self) -> str:
        """The name that distinguishes the run from others in the same folder."""
        return "-".join(self.studies)

    @property
    def predictions_folder(self) -> str:
        """The folder for predictions.

        A run with studies of the user has a subfolder. Such a run may have fewer learners, and
        would overwrite the predictions of a run of the project for the same streams.
        """
        return f"results/predictions/{self._subfolder}"

    @property
    def timings_folder(self) -> str:
        """The folder for the costs of predictions."""
        return f"results/timings/{self._subfolder}"

    @property
    def _subfolder(self) -> str:
        """Subfolder of a run with studies of the user; "" if no other run has its streams."""
        reads_shipped = any(name not in self.user_streams for name in self.streams)
        return f"{self.run_name}/" if reads_shipped and not self.is_shipped else ""

    @property
    def evaluated_learners(self) -> list[str]:
        """The learners with test-then-train predictions for streams in their own order."""
        keys = [(name, parse(DEFAULT)) for name in self.measured_streams]
        learners = {learner for key in keys for learner in self.predictions[key]}
        return [name for name in self.learners if name in learners]

    @property
    def user_pairs(self) -> list[tuple[str, str]]:
        """Pairs of a learner and a baseline to compare, if the run has streams of the user."""
        if not self.user_streams:
            return []
        baselines = [name for task in TASKS.values() for name in task.baselines]
        return [*product(self.evaluated_learners, baselines)]

    @property
    def summary(self) -> str:
        """The folder for results about all studies of the run."""
        return "results" if self.is_shipped else f"results/summary/{self.run_name}"

    @cached_property
    def unneeded_stand_ins(self) -> set[str]:
        """The stand-ins that are left out because the real streams are available."""
        if self.config["data"]["stand_ins"] == "always":
            return set()
        requested = requested_streams(self.items.values())
        available = set(requested) - set(self.left_out)
        return {name for name in requested if self._real_stream(name) in available}

    @cached_property
    def streams(self) -> list[str]:
        """The available streams of all items, in the registry's order."""
        requested = set(requested_streams(self.items.values()))
        available = requested - self.unneeded_stand_ins - set(self.left_out)
        return [name for name in self.registry if name in available]

    def streams_of(self, item: Item) -> list[str]:
        """The available streams of an item; "all" stands for the streams that any item reads."""
        if item.streams == (ALL,):
            read = {
                name
                for other in self.items.values()
                for name in other.streams
                if other.kind.reads not in ("generator", "source")
            }
            return [name for name in self.streams if name in read]
        return [name for name in item.streams if name in self.streams]

    @cached_property
    def all_learners(self) -> list[str]:
        """The learners that items name, read or run, and the baselines of all runs.

        They are in the order of the registry.
        """
        ids = {key for item in self.items.values() if item.is_computed for key in item.learners}
        for item in self.items.values():
            if item.is_computed:
                ids |= {*item.settings.evaluated_learners(), *item.settings.extra_learners()}
                ids |= {*item.baselines}
        return [key for key in self.learners if key in ids | set(CLASSIFICATION_BASELINES)]

    @cached_property
    def predictions(self) -> dict[tuple[str, Protocol], list[str]]:
        """The learners that run over each stream or variant by each protocol.

        The baselines of each item's task are among them.
        """
        learners_by_run: dict[tuple[str, Protocol], set[str]] = {}
        for item in self.items.values():
            if item.kind.reads == "predictions":
                for stream in self.streams_of(item):
                    for name in variants_of(item, stream):
                        learners = learners_by_run.setdefault((name, item.protocol), set())
                        learners |= {*item.baselines, *item.settings.evaluated_learners()}
        return {
            key: [name for name in self.learners if name in learners_by_run[key]]
            for key in sorted(
                learners_by_run, key=lambda key: (self._sort_key(key[0]), str(key[1]))
            )
        }

    def seeds_of(self, item: Item) -> dict[str, int]:
        """The number of runs of each random learner that an item reads."""
        if not item.shows_seeds:
            return {}
        rows = {name: self.learners[name] for name in item.settings.evaluated_learners()}
        number: int = getattr(item.settings, "seeds", 1)
        return {name: row.seeds or number for name, row in rows.items() if row.is_random}

    @cached_property
    def seed_runs(self) -> dict[tuple[str, Protocol, int], list[str]]:
        """The learners that run with further seeds, by stream or variant, protocol and seed.

        Seeds start at 2; `predictions` has the runs with seed 1.
        """
        learners_by_run: dict[tuple[str, Protocol, int], set[str]] = {}
        for item in self.items.values():
            for learner, number in self.seeds_of(item).items():
                for stream in self.streams_of(item):
                    for name, seed in product(variants_of(item, stream), range(2, number + 1)):
                        learners_by_run.setdefault((name, item.protocol, seed), set()).add(learner)
        return {
            key: [name for name in self.learners if name in learners_by_run[key]]
            for key in sorted(
                learners_by_run, key=lambda key: (self._sort_key(key[0]), str(key[1]), key[2])
            )
        }

    def _sort_key(self, name: str) -> tuple[int, str]:
        """Sort key of a stream or variant: order of the registry, the original stream first."""
        stream, variant = split_name(name)
        return (list(self.registry).index(stream), "" if variant == ORIGINAL else variant)

    @property
    def measured_streams(self) -> list[str]:
        """The streams with test-then-train predictions in their own order."""
        default = parse(DEFAULT)
        return [name for name in self.streams if (name, default) in self.predictions]

    def learners_of(self, name: str, protocol: str, seed: int = 1) -> dict[str, dict[str, Any]]:
        """The rows of the learners that run over a stream or variant by a protocol."""
        run = (name, parse(protocol))
        ids = self.predictions.get(run, ()) if seed == 1 else self.seed_runs.get((*run, seed), ())
        return {key: self.learners[key].recipe() for key in ids}

    def is_generated(self, stream: str) -> bool:
        """Whether a stream comes from a generator, not from a file."""
        return isinstance(self.registry[stream], GeneratorSpec)

    def is_simulated(self, stream: str) -> bool:
        """Whether a stream is a stand-in for a real one."""
        return self._real_stream(stream) is not None

    def _real_stream(self, stream: str) -> str | None:
        """The real stream for which a stand-in stands; None for other streams."""
        spec = self.registry[stream]
        return spec.stands_for if isinstance(spec, GeneratorSpec) else None

    def drifts_in(self, stream: str, item: Item) -> list[list[Any]]:
        """First row (from 0) or date, and width, of each drift that a figure of a stream marks.

        Empty if figures of the item's kind do not mark drifts.
        """
        if not item.kind.marks_drifts:
            return []
        spec = self.registry[stream]
        if isinstance(spec, FileSpec):
            return [[start, 0] for start in spec.used_drifts()]
        if isinstance(spec, GeneratorSpec):
            # Drifts are placed by the number of instances that the item uses.
            spec = replace(spec, rows=item.settings.rows(spec.rows or 0))
        return [[*drift] for drift in spec.known_drifts() or ()]

    def title(self, stream: str) -> str:
        """The title of a stream."""
        return self.registry[stream].title

    @property
    def titles(self) -> dict[str, str]:
        """The titles of all learners of the run."""
        return {name: self.learners[name].title for name in self.all_learners}

    def spec_of(self, stream: str) -> dict[str, Any]:
        """A stream's entry as plain data for jobs that compute.

        The id replaces the title, and the citation is empty: their edits rerun no such job.
        """
        return _plain_entry(replace(self.registry[stream], title=stream, citation=""))

    def entry_of(self, stream: str) -> dict[str, Any]:
        """A stream's entry as plain data for jobs that show it."""
        spec = self.registry[stream]
        return _plain_entry(spec) | {"has_label_times": spec.has_label_times}

    def bundled_file(self, stream: str) -> Path | None:
        """The file of the package that contains a stream, or None."""
        spec = self.registry[stream]
        return spec.bundled.path if isinstance(spec, FileSpec) and spec.bundled else None

    def raw_file(self, stream: str) -> str | None:
        """The path of the raw file of a stream, or None if the package has the stream."""
        spec = self.registry[stream]
        if not isinstance(spec, FileSpec):
            raise ConfigError(f"Stream {stream!r} is generated: it has no raw file.")
        return None if spec.bundled else str(RAW / spec.file)

    def unchecked_file(self, stream: str) -> list[str]:
        """The path of a stream's file, if its entry has no digest to check the content; else empty.

        If only a mirror has the file, the path is in the mirror: the copy has the same content.
        """
        spec = self.registry[stream]
        if not isinstance(spec, FileSpec) or spec.sha256 or spec.git_blob or spec.bundled:
            return []
        mirror = mirror_folder(self.config["data"]["mirror"])
        place = survey([spec], RAW, mirror, offline=True)[stream]
        return [] if place.where == "missing" else [place.detail]

    def prediction_files(self, stream: str, names: Iterable[str]) -> list[str]:
        """The files from which learners take their predictions for a stream."""
        specs = [self.learners[name] for name in names]
        return [
            str(PredictionsFile(**spec.parameters).path(stream))
            for spec in specs
            if spec.learner == PredictionsFile.name
        ]

    def learner_code(self, names: Collection[str]) -> list[str]:
        """The files of users' modules that learners name, and of the modules that these import."""
        for name in names:
            if name not in self._code:
                self._code[name] = list(map(str, self.learners[name].code()))
        return sorted({path for name in names for path in self._code[name]})

    @cached_property
    def _code(self) -> dict[str, list[str]]:
        return {}

    def kind_code(self, kind: ItemKind, module: str) -> list[str]:
        """The files of a user's module of a kind, and of the modules that it imports."""
        key = kind.module, module, kind.folder
        if key not in self._kind_code:
            self._kind_code[key] = list(map(str, kind.code(module)))
        return self._kind_code[key]

    @cached_property
    def _kind_code(self) -> dict[tuple[str, str, str], list[str]]:
        return {}

    def stream_of_file(self, file: str) -> str:
        """The first stream whose raw file is `file`, a path below the raw folder."""
        for stream in self.streams:
            spec = self.registry[stream]
            if isinstance(spec, FileSpec) and spec.file == file:
                return stream
        raise ConfigError(f"No stream of this run is read from the raw file {file!r}.")


def _plain_entry(spec: StreamSpec) -> dict[str, Any]:
    """An entry as plain data, which stays the same if the working folder is moved.

    The path of a file below the working folder is relative and starts with ``./``. Other relative
    paths start at the raw folder.
    """
    entry = asdict(spec)
    if isinstance(spec, FileSpec) and not spec.first:
        del entry["first"]  # the default 0, to keep parameters of jobs short
    if isinstance(spec, FileSpec) and Path(spec.file).is_relative_to(here := Path.cwd()):
        entry["file"] = f"./{Path(spec.file).relative_to(here)}"
    return entry


def requested_streams(items: Iterable[Item]) -> list[str]:
    """All streams that items name, without duplicates."""
    names = (name for item in items for name in item.streams if name != ALL)
    return list(dict.fromkeys(names))


def variants_of(item: Item, stream: str) -> list[str]:
    """The names of a stream's variants that an item reads."""
    return [stream if variant == ORIGINAL else f"{stream}:{variant}" for variant in item.variants]


def make_plan(
    config: Mapping[str, Any],
    *,
    decide: bool,
    files: Sequence[Path] = (),
    decision: Mapping[str, str] | None = None,
) -> Plan:
    """Check a configuration, as Snakemake has merged it, and return its plan.

    With `decide`, the function finds out which streams are available. Otherwise `decision` has the
    streams that the run leaves out, with reasons; without a decision, the plan leaves out the
    streams that are not on this machine. `files` have been merged into the configuration. Raises
    DownloadError if ``data.missing`` is ``fail`` and streams are missing; lists all of them.
    """
    configuration = complete(config, files)
    registries, data = configuration.content["registries"], configuration.content["data"]
    registry = load_registry(settings.locate(registries["streams"]))
    registry |= configured_streams(configuration, registry)
    configuration, registry = with_first_rows(configuration, registry)
    learners = load_learners(settings.locate(registries["learners"]))
    learners |= configured_learners(configuration)
    items = items_of(configuration, registry, learners)
    plan = Plan(configuration, registry, learners, items, left_out={})
    check_known_names(plan)
    if decide:  # not again in every job: other tools' packages take long to import
        check_generated(plan)
        check_published(plan)
        check_learner_rows(plan)
        check_kinds(plan)
    requested = requested_streams(items.values())
    if decision is not None and not decide:
        left_out = {name: reason for name, reason in decision.items() if name in requested}
        return replace(plan, left_out=left_out)
    specs = [spec for name in requested if isinstance(spec := registry[name], FileSpec)]
    # Only the deciding process asks hosts: a job may run on a machine without network.
    left_out = _missing(data, specs, offline=not decide)
    # A job may not reach hosts that have the missing streams; offline, no process asks hosts.
    if left_out and data["missing"] == "fail" and (decide or data["offline"]):
        raise DownloadError(_all_missing(left_out, registry))
    return replace(plan, left_out=left_out)


def announce_decision(left_out: Mapping[str, str]) -> None:
    """Put the streams that a plan leaves out into the environment of the jobs of this process.

    A workflow may have several plans, each as a module.
    """
    _announced.update(left_out)
    # Quoted: any shell passes these characters on unchanged.
    os.environ[DECISION] = quote(json.dumps(_announced), safe="")


def announced_decision() -> dict[str, str] | None:
    """The streams that the run of this job leaves out, with reasons; None if not announced."""
    if not os.environ.get(DECISION):
        return None
    left_out: dict[str, str] = json.loads(unquote(os.environ[DECISION]))
    return left_out


def _missing(data: Mapping[str, Any], specs: list[FileSpec], offline: bool) -> dict[str, str]:
    mirror = mirror_folder(data["mirror"])
    places = survey(specs, RAW, mirror, offline=data["offline"] or offline)
    return {name: place.detail for name, place in places.items() if place.where == "missing"}


def _all_missing(left_out: Mapping[str, str], registry: Mapping[str, StreamSpec]) -> str:
    lines = [f"{len(left_out)} streams are not available, and data.missing is 'fail':"]
    for name, reason in left_out.items():
        spec = registry[name]
        place = RAW / spec.file if isinstance(spec, FileSpec) else RAW
        lines.append(f"  - {name} ({spec.title}): {reason}. Put a copy at {place}.")
    lines.append(
        "Or name a folder that has them in STREAMEVAL_DATA, or run without them "
        "(data: missing: skip)."
    )
    return "\n".join(lines)
