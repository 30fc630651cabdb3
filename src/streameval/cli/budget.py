"""The subcommand ``budget``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from streameval.api.budget import MAX_PANELS, budget
from streameval.api.streams import read
from streameval.base.errors import ConfigError
from streameval.cli.options import (
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

if TYPE_CHECKING:
    from streameval.cli.options import Subparsers


def add_to(commands: Subparsers) -> None:
    """Add the subcommand to the command's parser."""
    parser = commands.add_parser(
        "budget",
        usage="%(prog)s STREAM --learner L [--learner L ...] [--budget B ...] [OPTION ...]",
        examples=(
            "streameval budget elec2 --learner naive_bayes --budget 0.01 --budget 0.1",
            "streameval budget my.csv --target y --learner knn --strategy random --figure b.svg",
        ),
        description="Measure the accuracy of learners that learn a part of the labels. All "
        "instances are predicted and scored; a learner learns at most the budget of labels, chosen "
        "by a strategy. No-Change and Majority learn the same number of labels, chosen at random.",
    )
    add_stream(parser)
    add_learners(parser, "repeat the option for each learner")
    parameters = ("budgets", "strategies", "delay", "runs", "ignore_label_times", "seed", "cores")
    add_options(parser, budget, parameters)
    add_options(parser, read, ("time", "label_time"))
    add_figure(parser, "accuracy by labels learnt")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> None:
    check_figure(options.figure)
    if options.figure is not None and len(options.learner) > MAX_PANELS:
        raise ConfigError(
            f"--figure: expected at most {MAX_PANELS} learners, a panel for each, found "
            f"{len(options.learner)}."
        )
    allow_working_folder_imports()
    learners, are_regressors = parse_learners(options)
    if are_regressors:
        raise ConfigError("--learner: expected classifiers, found regressors.")
    stream = open_stream(options)
    result = budget(**keyword_arguments(options, budget, stream=stream, learners=learners))
    print_result(result, stream, options)
