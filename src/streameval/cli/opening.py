"""What several subcommands share: naming and opening a stream, finding a learner."""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import pooch

from streameval import settings
from streameval.errors import ConfigError
from streameval.learners.registry import LearnerSpec, load_learners
from streameval.streams.any_file import read_any
from streameval.streams.fetch import fetch, mirror_folder
from streameval.streams.registry import (
    SMOOTHING,
    FileSpec,
    GeneratorSpec,
    StreamSpec,
    convert,
    find_spec,
    load_registry,
    synthesise,
)
from streameval.streams.stream import Stream
from streameval.streams.table import StreamWarning
from streameval.streams.variants import split_name, variant

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]


def add_stream(command: argparse.ArgumentParser) -> None:
    """Add the arguments that name a stream."""
    command.add_argument(
        "stream",
        metavar="STREAM",
        help="an id of `streameval streams`, or an ARFF, CSV or Parquet file; behind an id "
        ":shuffled:SEED, :temporal:SEED (labels keep their order) or :blocks:SEED:SIZE",
    )
    command.add_argument(
        "--target",
        metavar="COL",
        help="the column to predict; of an ARFF file by default the last one",
    )
    command.add_argument("--json", action="store_true", help="print one JSON object")


def learner_spec(name: str) -> LearnerSpec:
    """Return a learner of the registry."""
    learners = load_learners(settings.locate("config/learners.yaml"))
    if name not in learners:
        raise ConfigError(f"There is no learner {name!r}; there are {', '.join(learners)}.")
    return learners[name]


def open_stream(name: str, target: str | None) -> Stream:
    """Return a stream of the registry or a variant of it, or that of a file."""
    if is_file(name):
        return read_any(name, target)
    spec = _stream_spec(name)
    if target is not None:
        raise ConfigError(f"--target is for files; the target of {name!r} is in the registry.")
    stream = variant(_original(spec), split_name(name)[1])
    if stream.label_time is not None:
        warnings.warn(
            f"Labels of {name!r} come later than their instances. Here each is known before the "
            "next instance all the same: what is said of the label before, and every accuracy, is "
            "better than it could be in practice.",
            StreamWarning,
            stacklevel=2,
        )
    return stream


def _original(spec: StreamSpec) -> Stream:
    if isinstance(spec, GeneratorSpec):
        return synthesise(spec)
    if not isinstance(spec, FileSpec):
        raise ConfigError(f"Stream {spec.id!r} is neither read nor generated.")
    raw = fetch(spec, _raw_folder(), mirror_folder(), progress=sys.stderr.isatty())
    return convert(spec, raw)


def _stream_spec(name: str) -> StreamSpec:
    registry = load_registry(settings.locate("config/streams.yaml"))
    return find_spec(registry, split_name(name)[0])


def smoothing_of(name: str) -> float:
    """Return the smoothing weight of a stream's registry row, or the usual one for files."""
    return SMOOTHING if is_file(name) else _stream_spec(name).smoothing


def is_file(name: str) -> bool:
    """Tell files from ids: these have no ending, but may end in a fraction or a variant."""
    ending = Path(split_name(name)[0]).suffix.removeprefix(".")
    return Path(name).is_file() or (ending != "" and not ending.isdecimal())


def _raw_folder() -> Path:
    """Return where raw files are kept: in the project, or elsewhere in the user's cache."""
    in_project = Path("config", "streams.yaml").is_file()
    return settings.RAW if in_project else Path(pooch.os_cache("streameval")) / "raw"
