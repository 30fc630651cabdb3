"""The subcommand ``budget``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from streameval.cli.opening import (
    add_learners,
    add_stream,
    add_values,
    check_figure,
    learners_of,
    open_stream,
    save_figure,
    show,
    with_working_folder,
)
from streameval.errors import ConfigError

if TYPE_CHECKING:
    from streameval.cli.opening import Subparsers


def add_to(commands: Subparsers) -> None:
    """Add the subcommand to the command's parser."""
    parser = commands.add_parser(
        "budget",
        usage="%(prog)s STREAM --learner L [--learner L ...] [--budget B ...] [OPTION ...]",
        examples=(
            "streameval budget elec2 --learner naive_bayes --budget 0.01 --budget 0.1",
            "streameval budget my.csv --target y --learner knn --strategy random --figure b.svg",
        ),
        description="Show how accurate learners are with a part of the labels. All instances are "
        "predicted and scored; a learner learns no more labels than the budget, and a strategy "
        "says which. No-Change and Majority learn as many at random.",
    )
    add_stream(parser)
    add_learners(parser, "several")
    parser.add_argument(
        "--budget",
        metavar="B",
        action="append",
        type=float,
        help="proportion of the labels, above 0 and at most 1; again for each further one; by "
        "default 0.001, 0.003, 0.01, 0.03, 0.1 and 0.3",
    )
    parser.add_argument(
        "--strategy",
        metavar="S",
        action="append",
        help="random, every, uncertainty, variable_uncertainty, randomised_uncertainty or "
        "selective_sampling; again for each further one; by default random, every and the two with "
        "variable thresholds",
    )
    add_values(
        parser,
        int,
        delay=("N", "instances that arrive before a label is known; by default 0"),
        runs=("R", "runs with other seeds of what draws at random; by default 5"),
        seed=("N", "seed of all draws; by default 1"),
        cores=("N", "models that run at the same time; by default all"),
    )
    columns = {"time": "instance arrives", "label_time": "label arrives; empty if it has not yet"}
    add_values(
        parser,
        str,
        **{name: ("COL", f"column that says when each {of}") for name, of in columns.items()},
    )
    parser.add_argument(
        "--ignore-label-times",
        action="store_true",
        help="learn labels after the delay, though the stream says that they arrive later",
    )
    parser.set_defaults(seed=1, runs=5, delay=0)
    figure = "draw accuracy by labels learnt into this file, .svg, .pdf or .png"
    add_values(parser, Path, figure=("FILE", figure))
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> None:
    from streameval.api.budget import MOST_DRAWN, budget
    from streameval.evaluation.label_budget import BUDGETS, STRATEGIES

    check_figure(options.figure)
    if options.figure is not None and len(options.learner) > MOST_DRAWN:
        raise ConfigError(
            f"--figure: expected at most {MOST_DRAWN} learners, a panel for each, found "
            f"{len(options.learner)}."
        )
    with_working_folder()
    learners, of_regressors = learners_of(options)
    if of_regressors:
        raise ConfigError("--learner: expected classifiers, found regressors.")
    stream = open_stream(options)
    found = budget(
        stream,
        learners,
        options.budget or BUDGETS,
        options.strategy or STRATEGIES,
        delay=options.delay,
        runs=options.runs,
        ignore_label_times=options.ignore_label_times,
        seed=options.seed,
        cores=options.cores,
    )
    save_figure(options.figure, found.plot)
    show(found, stream, options)
