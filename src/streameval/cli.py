"""The command ``streameval``: evaluate a learner on a stream of your own, or on a known one."""

from __future__ import annotations

import argparse
import json
import logging
import math
import sys
import warnings
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import pooch
from tqdm import tqdm

from streameval import __version__, settings
from streameval.errors import ConfigError, DataError, StreamevalError
from streameval.learners.baselines import Majority, NoChange
from streameval.learners.registry import LearnerSpec, load_learners
from streameval.learners.wrappers.registry import forms, wrapped
from streameval.measures.registry import MEASURES
from streameval.plan import RAW
from streameval.protocols.prequential import prequential
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
from streameval.studies.evaluation import Answers
from streameval.studies.persistence import CONFIDENCE, check_persistence
from streameval.warm_up import learner_parts, other_parts, warm_up

_FORMATTED = warnings.formatwarning
#: What ``evaluate`` prints, in this order.
REPORTED = ("accuracy", "kappa", "kappa_temporal", "kappa_m", "kappa_combined")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    arguments : sequence of str, optional
        The words after ``streameval``, by default those of the command line.

    Returns
    -------
    int
        0, or 2 after an error, which has been printed in one message.
    """
    options = _parser().parse_args(arguments)
    logging.captureWarnings(True)
    logging.basicConfig(format="%(message)s", level=logging.WARNING)
    warnings.formatwarning = _plainly
    warnings.simplefilter("default")
    try:
        options.run(options)
    except StreamevalError as error:
        print(f"streameval: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader of a pipe has seen enough
        sys.stderr.close()
        return 0
    return 0


def _plainly(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    line: str | None = None,
) -> str:
    """Return a warning as users see it: ours are about their data, not about a line of ours."""
    if issubclass(category, StreamWarning):
        return f"streameval: {message}"
    return _FORMATTED(message, category, filename, lineno, line)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="streameval", description="Sound evaluation of data-stream classifiers."
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    evaluate = commands.add_parser(
        "evaluate",
        help="play a learner over a stream and measure its answers",
        description="Play a learner over a stream, each instance first predicted and then "
        "learnt, and compare it with 'the same label as before' and 'the most frequent label'.",
    )
    _add_stream(evaluate)
    evaluate.add_argument(
        "--learner", required=True, metavar="L", help="an id of `streameval learners`"
    )
    evaluate.add_argument(
        "--wrapper",
        metavar="W",
        help=f"let the learner use the labels before: {' or '.join(forms())}",
    )
    evaluate.set_defaults(run=_evaluate)

    check = commands.add_parser(
        "check",
        help="look whether labels depend on the label before",
        description="Compare 'the same label as before' with 'the most frequent label' on the "
        "first labels of a stream, and say what follows for evaluation.",
    )
    _add_stream(check)
    check.add_argument(
        "--sample", metavar="N", type=int, default=100, help="labels to look at; by default 100"
    )
    check.set_defaults(run=_check)

    streams = commands.add_parser("streams", help="list the streams of the registry")
    streams.set_defaults(run=_list_streams)
    learners = commands.add_parser("learners", help="list the learners of the registry")
    learners.set_defaults(run=_list_learners)

    warm = commands.add_parser(
        "warm-up",
        help="compile the learners, so that nothing later has to wait for it",
        description="Compile learners into the disk cache, where all later runs find them, and "
        "print the seconds that each took. What is compiled already takes next to none.",
    )
    warm.add_argument(
        "learners",
        metavar="L",
        nargs="*",
        help="ids of `streameval learners`; by default all, and all else that is compiled",
    )
    warm.set_defaults(run=_warm_up)
    return parser


def _add_stream(command: argparse.ArgumentParser) -> None:
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


def _evaluate(options: argparse.Namespace) -> None:
    spec = _learner_spec(options.learner)
    learner = wrapped(spec.make(_smoothing(options.stream)), options.wrapper)
    stream = _stream(options.stream, options.target)
    tape = prequential(len(stream))
    with tqdm(
        total=len(tape), unit=" instances", unit_scale=True, disable=None, leave=False
    ) as bar:
        predictions = learner.play(stream, tape, progress=bar.update)
    answers = Answers(
        stream.y,
        {
            "learner": predictions.label,
            NoChange.name: NoChange().play(stream, tape).label,
            Majority.name: Majority().play(stream, tape).label,
        },
        stream.n_classes,
    )
    counts = answers.tally("learner")
    values = {name: float(MEASURES[name].value(counts)) for name in REPORTED}
    if options.json:
        fractions = {name: None if math.isnan(v) else v for name, v in values.items()}
        seconds = None if math.isnan(predictions.seconds) else predictions.seconds
        cost = {"seconds": seconds, "model_bytes": predictions.model_bytes or None}
        print(json.dumps({"n": len(stream), **fractions, **cost}))
        return
    print(f"{'instances':<32}{len(stream):>14,}")
    for name, value in values.items():
        measure = MEASURES[name]
        title = f"{measure.title} ({measure.symbol})" if name != "accuracy" else measure.title
        shown = (
            f"undefined: {measure.reason(counts).item()}" if math.isnan(value) else f"{value:.4f}"
        )
        print(f"{title:<32}{shown:>14}")
    rate = len(stream) / predictions.seconds if predictions.seconds != 0 else math.inf
    shown = "not known" if math.isnan(rate) else f"{rate:,.0f}"
    print(f"{'instances per second':<32}{shown:>14}")
    shown = f"{predictions.model_bytes:,}" if predictions.model_bytes else "not known"
    print(f"{'model, bytes':<32}{shown:>14}")


def _check(options: argparse.Namespace) -> None:
    stream = _stream(options.stream, options.target)
    if stream.schema.classes is None:
        raise DataError(
            f"Stream {stream.name!r} has a numeric target, {stream.schema.target!r}: there are no "
            "labels to repeat. "
            + (
                "Name a nominal column with --target."
                if _is_file(options.stream)
                else "Give its file with a nominal column as --target, or another stream."
            )
        )
    found = check_persistence(stream.y, options.sample)
    if options.json:
        print(json.dumps(asdict(found) | {"advice": found.advice}))
        return
    print(f"{'labels looked at':<32}{found.n:>14,}")
    print(f"{'P(M), most frequent label':<32}{found.majority:>14.4f}")
    print(f"{'P(T), same label as before':<32}{found.persistent:>14.4f}")
    between = f"{found.low:.4f} to {found.high:.4f}"
    print(f"{f'   {CONFIDENCE:.0%} interval of P(T)':<28}{between:>18}")
    print(f"{'P(T) if order meant nothing':<32}{found.independent:>14.4f}")
    print(f"\n{found.advice}")


def _learner_spec(name: str) -> LearnerSpec:
    learners = load_learners(settings.locate("config/learners.yaml"))
    if name not in learners:
        raise ConfigError(f"There is no learner {name!r}; there are {', '.join(learners)}.")
    return learners[name]


def _stream(name: str, target: str | None) -> Stream:
    """Return a stream of the registry or a variant of it, or that of a file."""
    if _is_file(name):
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


def _smoothing(name: str) -> float:
    return SMOOTHING if _is_file(name) else _stream_spec(name).smoothing


def _is_file(name: str) -> bool:
    """Tell files from ids: these have no ending, but may end in a fraction or a variant."""
    ending = Path(split_name(name)[0]).suffix.removeprefix(".")
    return Path(name).is_file() or (ending != "" and not ending.isdecimal())


def _raw_folder() -> Path:
    """Return where raw files are kept: in the project, or elsewhere in the user's cache."""
    in_project = Path("config", "streams.yaml").is_file()
    return RAW if in_project else Path(pooch.os_cache("streameval")) / "raw"


def _list_streams(options: argparse.Namespace) -> None:
    registry = load_registry(settings.locate("config/streams.yaml"))
    head = ("ID", "INSTANCES", "INPUTS", "CLASSES", "WHAT")
    _print_table([head, *map(_stream_row, registry.values())], right=(1, 2, 3))


def _stream_row(spec: StreamSpec) -> tuple[str, ...]:
    numbers = [f"{n:,}" if n is not None else "?" for n in (spec.rows, spec.columns, spec.classes)]
    return (spec.id, *numbers, spec.title)


def _list_learners(options: argparse.Namespace) -> None:
    learners = load_learners(settings.locate("config/learners.yaml"))
    rows = [("ID", "WHAT", "PARAMETERS")]
    for spec in learners.values():
        parameters = ", ".join(f"{key}={value}" for key, value in spec.parameters.items())
        wrapper = f", in {spec.wrapper}" if spec.wrapper else ""
        rows.append((spec.id, spec.title, (parameters or "defaults") + wrapper))
    _print_table(rows)


def _warm_up(options: argparse.Namespace) -> None:
    chosen = {name: _learner_spec(name) for name in options.learners}
    everything = load_learners(settings.locate("config/learners.yaml"))
    parts = learner_parts(chosen or everything) | ({} if chosen else other_parts())
    total = 0.0
    with tqdm(total=len(parts), unit=" parts", disable=None, leave=False) as bar:
        for name, seconds in warm_up(parts):
            bar.update()
            tqdm.write(f"{name:<32}{seconds:>12.2f} s")
            total += seconds
    print(f"{'all':<32}{total:>12.2f} s")


def _print_table(rows: Sequence[tuple[str, ...]], right: Sequence[int] = ()) -> None:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        print("  ".join(cells).rstrip())
