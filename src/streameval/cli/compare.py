"""The subcommand ``compare``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from streameval.api.compare import compare
from streameval.cli import tuning
from streameval.cli.options import (
    add_by_group,
    add_delay,
    add_figure,
    add_learners,
    add_stream,
    allow_working_folder_imports,
    check_figure,
    open_stream,
    parse_learners,
    print_result,
)
from streameval.cli.signature import add_options, keyword_arguments
from streameval.protocols.registry import parse

if TYPE_CHECKING:
    from streameval.cli.options import Subparsers


_DELAY_TEXT = (
    "Labels that arrive later are learnt when they arrive, and learners are compared by their "
    "predictions on arrival."
)


def add_to(commands: Subparsers) -> None:
    """Add the subcommand to the command's parser."""
    parser = commands.add_parser(
        "compare",
        usage="%(prog)s STREAM --learner A --learner B [--learner C ...] [OPTION ...]",
        examples=(
            "streameval compare elec2 --learner hoeffding_tree --learner no_change",
            "streameval compare bills.csv --target paid --learner knn --learner ddm_nb --delay 47",
        ),
        description="Compare the accuracy, or the errors, of two learners on streams like this "
        "one: A beats B, loses to it, is practically equal, or cannot be told from it. Both run "
        "over the stream, random learners several times. One interval decides; it covers the "
        "randomness of instances and of seeds. With more learners, every pair has a verdict.",
    )
    add_stream(parser)
    add_learners(
        parser,
        "repeat the option for each learner, at least twice. A learner that is named twice "
        "runs with different seeds",
    )
    add_options(parser, compare, ("protocol",))
    tuning.add_tuning_options(parser)
    add_options(add_delay(parser, compare, _DELAY_TEXT), compare, ("bins",))
    add_options(parser, compare, ("seasonal", "runs", "rope", "seed", "cores"))
    add_figure(parser, "the difference over time, or by bin,")
    parser.add_argument("--all", action="store_true", help="also print the results of other tests")
    add_by_group(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> None:
    check_figure(options.figure)
    allow_working_folder_imports()
    learners, are_regressors = parse_learners(options)
    protocol = None if options.protocol is None else parse(options.protocol)
    tuning.check_options(options)
    stream = open_stream(options, numeric_target=are_regressors)
    learners = tuning.tune_learners(options, stream, learners)
    result = compare(
        **keyword_arguments(options, compare, stream=stream, learners=learners, protocol=protocol)
    )
    print_result(result, stream, options, more=options.all, by_group=options.by_group)
