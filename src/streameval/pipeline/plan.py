"""What a pipeline run is going to do: which items, on which streams, and what is left out.

Snakemake reads the plan while it builds its graph of jobs. Whether a stream can be had is
asked once, by the main process, and written down; jobs read what was decided.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from importlib.util import find_spec as find_module
from pathlib import Path
from typing import Any

from streameval import settings
from streameval.errors import ConfigError, DownloadError
from streameval.files import write_text
from streameval.learners.adapters.predictions_file import PredictionsFile
from streameval.learners.registry import LearnerSpec, compiles_in_seconds, load_learners
from streameval.pipeline.checks import check_generated, check_names, check_rows
from streameval.settings import RAW
from streameval.streams.raw.fetch import mirror_folder, survey
from streameval.streams.registry import (
    FileSpec,
    GeneratorSpec,
    StreamSpec,
    find_spec,
    load_registry,
)
from streameval.streams.variants import ORIGINAL, check_variant, split_name
from streameval.studies.roles import COMPARATORS, WRAPPER_SUFFIXES

#: How the figures of streams are drawn, ``paper/item``.
FIGURES = {
    "bifet2013/fig1": "class_distribution",
    **{f"bifet2013/fig{number}": "measures" for number in range(2, 9)},
    **{f"bifet2013/fig{number}": "lags" for number in range(9, 12)},
    "zliobaite2015/fig2": "estimates",
    "zliobaite2015/fig3": "wrapped",
    "zliobaite2015/fig4": "measures",
    "zliobaite2015/fig5": "dependence",
    "zliobaite2015/fig6": "lags",
    "zliobaite2015/fig7": "false_alarms",
    "beyond/order": "order",
    "beyond/delays": "delays",
}
#: The data that they are drawn from, by the names of the files.
DATA = {
    "class_distribution": ("prior", "autocorrelation"),
    "measures": ("curves",),
    "lags": ("lags",),
    "estimates": ("estimates",),
    "wrapped": ("estimates",),
    "dependence": ("dependence",),
    "false_alarms": ("false_alarms",),
    "order": ("order", "shares"),
    "delays": ("delays",),
}
#: Those that show times of this machine, which no two runs share.
TIMED = ("bifet2013/fig9", "bifet2013/fig10", "bifet2013/fig11")

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
    def not_needed(self) -> set[str]:
        """The stand-ins that are left out because the streams that they stand for are there."""
        if self.config["data"]["stand_ins"] == "always":
            return set()
        asked = requested_streams(self.config)
        there = set(asked) - set(self.left_out)
        return {name for name in asked if self._original(name) in there}

    @cached_property
    def streams(self) -> list[str]:
        """The streams that any item asks for and that are played, in the registry's order."""
        asked = set(requested_streams(self.config)) - self.not_needed - set(self.left_out)
        return [name for name in self.registry if name in asked]

    @cached_property
    def all_learners(self) -> list[str]:
        """The learners that are played or described anywhere, in the order of the registry."""
        drawn = [item for item in self.items.values() if item.get("streams", True)]
        named = {key for item in drawn for key in item.get("learners", ())}
        if self.item("zliobaite2015/fig7").get("streams"):
            named |= {"naive_bayes", "ddm_nb", "ddm_random"}
        return [key for key in self.learners if key in named | set(self.config["learners"])]

    def compiled(self, part: str) -> dict[str, dict[str, Any]]:
        """Return the rows of the learners that are compiled together: "simple", or "trees"."""
        rows = {name: self.learners[name] for name in self.all_learners}
        return {
            name: row.recipe()
            for name, row in rows.items()
            if compiles_in_seconds(row.learner) is (part == "simple")
        }

    def learners_shown(self, name: str) -> list[str]:
        """Return the learners whose answers an item shows, ``paper/item``."""
        named = self.item(name).get("learners", ())
        if self.kind(name) != "wrapped":
            return list(named)
        return [
            *COMPARATORS,
            *(f"{learner}{form}" for learner in named for form in WRAPPER_SUFFIXES),
        ]

    def learners_of(self, name: str) -> dict[str, dict[str, Any]]:
        """Return the rows of the learners that are played over a stream or variant.

        Over a variant only those that items name together with it are, and the comparators.
        """
        wanted = set(self.config["learners"])
        if split_name(name)[1] != ORIGINAL:
            wanted = set(COMPARATORS) | {
                learner
                for item in self.items.values()
                if name in _variants_of(item)
                for learner in item["learners"]
            }
        return {
            key: self.learners[key].recipe() for key in self.config["learners"] if key in wanted
        }

    @property
    def items(self) -> dict[str, dict[str, Any]]:
        """The settings of all items, by ``paper/item``."""
        return _items(self.config)

    def item(self, name: str) -> dict[str, Any]:
        """Return the settings of an item, ``paper/item``; nothing where the config has none."""
        return dict(self.items.get(name, {}))

    def kind(self, name: str) -> str | None:
        """Return how an item is drawn, ``paper/item``: a key of `DATA`, or None for a table."""
        return FIGURES.get(name)

    def streams_of(self, name: str) -> list[str]:
        """Return the streams of an item that are played."""
        return [key for key in self.item(name).get("streams", ()) if key in self.streams]

    def figures(self) -> list[tuple[str, str]]:
        """Return item and stream of every figure of a stream."""
        return [(name, stream) for name in FIGURES for stream in self.streams_of(name)]

    def is_generated(self, stream: str) -> bool:
        """Whether a stream comes from a generator, not from a file."""
        return isinstance(self.registry[stream], GeneratorSpec)

    def is_simulated(self, stream: str) -> bool:
        """Whether a stream stands for another one, which it only resembles."""
        return self._original(stream) is not None

    def _original(self, stream: str) -> str | None:
        spec = self.registry[stream]
        return spec.stands_for if isinstance(spec, GeneratorSpec) else None

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

    def own_code(self, recipes: Mapping[str, Mapping[str, Any]]) -> list[str]:
        """Return the files of classes that are not the package's, from rows of learners."""
        named = [row["learner"].partition(":") for row in recipes.values()]
        found = [find_module(module) for module in sorted({m for m, colon, _ in named if colon})]
        return [spec.origin for spec in found if spec is not None and spec.origin]

    def stream_of_file(self, file: str) -> str:
        """Return a stream whose raw file is `file`, a path below the raw folder."""
        for stream in self.streams:
            spec = self.registry[stream]
            if isinstance(spec, FileSpec) and spec.file == file:
                return stream
        raise ConfigError(f"No stream of this run is read from the raw file {file!r}.")


def requested_streams(config: Mapping[str, Any]) -> list[str]:
    """Return all streams that the items of a configuration name, each once."""
    asked = (name for item in _items(config).values() for name in item.get("streams", ()))
    return list(dict.fromkeys(asked))


def requested_variants(config: Mapping[str, Any]) -> list[str]:
    """Return all variants of streams that the items name, each once; not the originals."""
    return list(
        dict.fromkeys(name for item in _items(config).values() for name in _variants_of(item))
    )


def _items(config: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    return {
        f"{paper}/{name}": item
        for paper, items in config["items"].items()
        for name, item in items.items()
    }


def _variants_of(item: Mapping[str, Any]) -> list[str]:
    kinds = [kind for kind in item.get("variants", ()) if kind != ORIGINAL]
    return [f"{stream}:{kind}" for stream in item.get("streams", ()) for kind in kinds]


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
        If the configuration, a registry, a name in it, or a learner's row is wrong.
    DownloadError
        If ``data.missing`` is ``fail`` and streams are missing; lists all of them.
    """
    config = settings.check(config, "config", "the configuration")
    registry = load_registry(settings.locate(config["registries"]["streams"]))
    learners = load_learners(settings.locate(config["registries"]["learners"]))
    asked = [find_spec(registry, name) for name in requested_streams(config)]
    for name in requested_variants(config):
        check_variant(*split_name(name))
    wanted = Plan(config, registry, learners, {})
    check_names(wanted)
    if decide:  # and not again in every job, as other tools' packages take long to import
        check_generated(wanted)
        check_rows(wanted)
    if not decide and DECISION.is_file():
        left_out = json.loads(DECISION.read_text(encoding="utf-8"))
        return Plan(config, registry, learners, left_out)
    files = [spec for spec in asked if isinstance(spec, FileSpec)]
    # A job that does not find the decision asks no host: it may run where there is no network.
    left_out = _missing(config["data"], files, not decide)
    if left_out and config["data"]["missing"] == "fail":
        raise DownloadError(_all_missing(left_out, registry))
    if decide:
        _write_down(left_out)
    return Plan(config, registry, learners, left_out)


def _missing(data: Mapping[str, Any], specs: list[FileSpec], offline: bool) -> dict[str, str]:
    mirror = mirror_folder(data["mirror"])
    found = survey(specs, RAW, mirror, data["offline"] or offline)
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
