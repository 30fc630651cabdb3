"""The subcommand ``check``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from streameval.cli.opening import add_delay, add_stream, add_values, open_stream, show

if TYPE_CHECKING:
    from streameval.cli.opening import Subparsers


def add_to(commands: Subparsers) -> None:
    """Add the subcommand to the command's parser."""
    parser = commands.add_parser(
        "check",
        usage="%(prog)s STREAM [OPTION ...]",
        examples=(
            "streameval check elec2",
            "streameval check my.csv --target label --sample 1000",
        ),
        description="Compare two baselines on the labels of a stream: repeating the previous "
        "label, and predicting the most frequent label. Recommend measures and wrappers.",
    )
    add_stream(parser)
    add_delay(parser, "The previous label is then the latest one that has arrived.")
    sample = "number of labels to use from the start of the stream, at least 2; by default all"
    add_values(parser, int, sample=("N", sample))
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> None:
    from streameval.api.check import check

    stream = open_stream(options)
    found = check(
        stream,
        options.sample,
        delay=options.delay,
        label_first=options.label_first,
        ignore_label_times=options.ignore_label_times,
    )
    show(found, stream, options)
