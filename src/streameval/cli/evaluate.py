"""The subcommand ``evaluate``."""

from __future__ import annotations

import argparse
import json
import math
from typing import TYPE_CHECKING

from tqdm import tqdm

from streameval.cli.opening import (
    add_protocol,
    add_stream,
    learner_spec,
    open_stream,
    protocol_of,
    smoothing_of,
)
from streameval.learners.wrappers.registry import forms, wrapped
from streameval.measures.registry import MEASURES

if TYPE_CHECKING:
    from streameval.cli.opening import Subparsers

#: What ``evaluate`` prints, in this order.
REPORTED = ("accuracy", "kappa", "kappa_temporal", "kappa_m", "kappa_combined")


def add_to(commands: Subparsers) -> None:
    """Add the subcommand to the command's parser."""
    parser = commands.add_parser(
        "evaluate",
        help="run a learner over a stream and measure its predictions",
        usage="%(prog)s STREAM --learner L [OPTION ...]",
        description="Run a learner over a stream, by default predict each instance before learning "
        "from it, and compare the predictions with two baselines: the previous label, and the most "
        "frequent label so far.",
    )
    add_stream(parser)
    parser.add_argument(
        "--learner", required=True, metavar="L", help="an id of `streameval learners`"
    )
    parser.add_argument(
        "--wrapper",
        metavar="W",
        help=f"let the learner use the previous labels: {' or '.join(forms())}",
    )
    add_protocol(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> None:
    from streameval.studies.running import run_learners  # loads pandas

    protocol = protocol_of(options)
    spec = learner_spec(options.learner)
    learner = wrapped(spec.make(smoothing_of(options.stream)), options.wrapper)
    stream = open_stream(options)
    events = sum(map(len, protocol.tapes(stream)))
    with tqdm(total=3 * events, unit=" events", unit_scale=True, disable=None, leave=False) as bar:
        table, costs = run_learners(stream, protocol, {"learner": learner}, progress=bar.update)
    instances, seconds = int(costs["instances"][0]), float(costs["seconds"][0])
    model_bytes, counts = int(costs["model_bytes"][0]), table.tally("learner")
    values = {name: float(MEASURES[name].value(counts)) for name in REPORTED}
    if options.json:
        fractions = {name: None if math.isnan(v) else v for name, v in values.items()}
        cost = {
            "seconds": None if math.isnan(seconds) else seconds,
            "model_bytes": model_bytes or None,
        }
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
    rate = instances / seconds if seconds != 0 else math.inf
    shown = "not known" if math.isnan(rate) else f"{rate:,.0f}"
    print(f"{'instances per second':<32}{shown:>14}")
    shown = f"{model_bytes:,}" if model_bytes else "not known"
    print(f"{'model, bytes':<32}{shown:>14}")
