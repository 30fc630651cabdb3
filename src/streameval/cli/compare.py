"""The subcommand ``compare``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from streameval.cli import tuning
from streameval.cli.opening import (
    add_delay,
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

if TYPE_CHECKING:
    from streameval.cli.opening import Subparsers


ABOUT = (
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
        "over the stream, randomised learners several times. One interval decides; it covers the "
        "randomness of instances and of seeds. With more learners, every pair has a verdict.",
    )
    add_stream(parser)
    add_learners(parser, "at least twice. The same learner twice differs by its seeds only")
    _add_folds(parser)
    tuning.add_options(parser)
    bins = (
        "also give a verdict in each of B bins of the time from an instance to its label, for all "
        "bins at once; --figure then draws them"
    )
    add_values(add_delay(parser, ABOUT), int, bins=("B", bins))
    rope = (
        "differences up to this, in accuracy or of numbers in mean absolute error, are practically "
        "none; by default 2 %% of the error of the better baseline, which is a point of accuracy "
        "(0.01) where that baseline is wrong in half of the instances"
    )
    add_values(parser, float, rope=("D", rope))
    add_values(parser, int, cores=("N", "models that run at the same time; by default all"))
    figure = "draw the difference over time into this file, .svg, .pdf or .png"
    add_values(parser, Path, figure=("FILE", figure))
    parser.add_argument("--all", action="store_true", help="also show the results of other tests")
    parser.set_defaults(run=_run)


def _add_folds(parser: argparse.ArgumentParser) -> None:
    """Add the options on the models and on the instances that test them."""
    parser.add_argument(
        "--validation",
        metavar="V",
        default="prequential",
        help="prequential (the default): predict each instance, then learn it. Or models side by "
        "side over folds: bootstrap_validation, cross_validation or split_validation, in which "
        "each model learns an instance with a weight from Poisson(1), all models but one do, or "
        "one does",
    )
    runs = "runs, each with seeds and folds of its own; by default 5 if a learner draws, else 1"
    add_values(
        parser,
        int,
        folds=("K", "with folds: models of each learner, at least 2; by default 10"),
        runs=("R", runs),
        seed=("N", "seed of the folds and of randomised learners; by default 1"),
    )
    parser.set_defaults(seed=1)
    assignment = (
        "with folds: at_random (the default), or moa: in turn and with one seed for all models of "
        "a learner, as MOA's EvaluatePrequentialCV"
    )
    reading = (
        "with folds: which instances test a model: prequential (those that it learns, before it "
        "does; the default), held_out (those that it does not learn) or all (the default of "
        "--assignment moa)"
    )
    add_values(parser, str, assignment=("A", assignment), reading=("READING", reading))


def _run(options: argparse.Namespace) -> None:
    from streameval.api.compare import compare

    check_figure(options.figure)
    with_working_folder()
    learners, of_regressors = learners_of(options)
    tuning.check_options(options)
    stream = open_stream(options, numeric_target=of_regressors)
    found = compare(
        stream,
        tuning.tuned(options, stream, learners),
        options.validation,
        folds=options.folds,
        runs=options.runs,
        rope=options.rope,
        delay=options.delay,
        label_first=options.label_first,
        ignore_label_times=options.ignore_label_times,
        seasonal=options.seasonal or (),
        bins=options.bins,
        assignment=options.assignment,
        reading=options.reading,
        seed=options.seed,
        cores=options.cores,
    )
    save_figure(options.figure, lambda: found.plot_bins() if found.by_bin else found.plot())
    show(found, stream, options, more=options.all)
