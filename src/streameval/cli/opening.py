"""Shared parts of the subcommands: arguments for streams, opening them, finding learners."""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pooch

from streameval import settings
from streameval.errors import ConfigError, excerpt, near, some
from streameval.learners.registry import LearnerSpec, load_learners
from streameval.protocols.delayed import typical_delay
from streameval.protocols.protocol import Protocol
from streameval.protocols.registry import DEFAULT, forms, parse
from streameval.streams.raw.fetch import fetch, mirror_folder
from streameval.streams.readers.any_file import read_any
from streameval.streams.readers.table import StreamWarning
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
from streameval.streams.variants import split_name, variant

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]


def add_stream(command: argparse.ArgumentParser) -> None:
    """Add the arguments that name a stream."""
    command.add_argument(
        "stream",
        metavar="STREAM",
        help="an id from `streameval streams`, or an ARFF, CSV or Parquet file; an id may be "
        "followed by :shuffled:SEED, :temporal:SEED (keeps the order of labels) or "
        ":blocks:SEED:SIZE",
    )
    command.add_argument(
        "--target",
        metavar="COL",
        help="column to predict; for ARFF files by default the last one",
    )
    several = {
        "drop": ("COL", "columns to leave out"),
        "nominal": ("COL", "numeric columns to treat as nominal, such as postal codes"),
        "numeric": ("COL", "columns that must be numeric"),
        "missing": (
            "TEXT",
            "texts that mean a missing value, instead of the defaults; write --missing=-x for -x",
        ),
    }
    for option, (metavar, text) in several.items():
        command.add_argument(f"--{option}", metavar=metavar, nargs="+", action="extend", help=text)
    command.add_argument("--json", action="store_true", help="print one JSON object")


def add_protocol(command: argparse.ArgumentParser) -> None:
    """Add the option that names an evaluation protocol."""
    command.add_argument(
        "--protocol",
        metavar="P",
        default=DEFAULT,
        help=f"which instances are predicted and learnt, and when: {' or '.join(forms())}, values "
        f"in this order or as folds=5:tested=held_out; by default {DEFAULT}",
    )


def protocol_of(options: argparse.Namespace) -> Protocol:
    """Return the protocol that the option names."""
    return parse(getattr(options, "protocol", DEFAULT))


def learner_spec(name: str) -> LearnerSpec:
    """Return a learner of the registry."""
    learners = load_learners(settings.locate("config/learners.yaml"))
    if name not in learners:
        raise ConfigError(
            f"There is no learner {excerpt(name)!r}. Known: {some(learners)}. "
            f"{near(name, learners)}".rstrip()
        )
    return learners[name]


def open_stream(options: argparse.Namespace) -> Stream:
    """Return a stream of the registry or a variant of it, or that of a file."""
    name: str = options.stream
    reading: dict[str, Any] = {
        option: tuple(values)
        for option in ("drop", "nominal", "numeric", "missing")
        if (values := getattr(options, option)) is not None
    }
    if is_file(name):
        return read_any(name, options.target, **reading)
    spec = _stream_spec(name)
    given = ["--target"] * (options.target is not None) + [f"--{option}" for option in reading]
    if given:
        raise ConfigError(
            f"{' and '.join(given)} {'applies' if len(given) == 1 else 'apply'} to files only; "
            f"the options of {name!r} are in the registry, config/streams.yaml."
        )
    stream = variant(_original(spec), split_name(name)[1])
    protocol = protocol_of(options)
    if stream.label_time is not None and not (protocol.delays_labels or protocol.needs_times):
        delay = typical_delay(stream)
        hint = f" `streameval evaluate` can respect their delay: --protocol delayed:{delay}."
        warnings.warn(
            f"Labels of {name!r} are delayed, but here each label is known before the next "
            "instance. All accuracies, also that of the previous label, are higher than in "
            f"practice.{hint if delay else ''}",
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
    """Return whether a name is a file: ids have no ending, but may end in a number or variant."""
    ending = Path(split_name(name)[0]).suffix.removeprefix(".")
    looks_like_one = (ending != "" and not ending.isdecimal()) or os.sep in name
    return looks_like_one or os.path.isfile(name)  # noqa: PTH113, it takes names of any length


def _raw_folder() -> Path:
    """Return the folder of raw files: in the project or, elsewhere, in the user's cache."""
    in_project = Path("config", "streams.yaml").is_file()
    return settings.RAW if in_project else Path(pooch.os_cache("streameval")) / "raw"
