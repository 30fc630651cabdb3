"""The subcommand ``check``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from streameval.api.check import check, check_sample
from streameval.cli.options import add_by_group, add_delay, add_stream, open_stream, print_result
from streameval.cli.signature import add_options, keyword_arguments

if TYPE_CHECKING:
    from streameval.cli.options import Subparsers


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
    add_delay(parser, check, "The previous label is then the latest label that has arrived.")
    add_options(parser, check, ("sample",))
    add_by_group(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> None:
    check_sample(options.sample)  # before a large file is read
    stream = open_stream(options)
    result = check(**keyword_arguments(options, check, stream=stream))
    print_result(result, stream, options, by_group=options.by_group)
