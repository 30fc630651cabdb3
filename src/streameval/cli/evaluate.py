"""The subcommand ``evaluate``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from streameval.api.evaluate import evaluate
from streameval.api.result_view import DisplayOptions
from streameval.base.errors import ConfigError, listing
from streameval.base.files import replacing_file
from streameval.cli import tuning
from streameval.cli.options import (
    add_by_group,
    add_delay,
    add_figure,
    add_learners,
    add_stream,
    allow_working_folder_imports,
    check_figure,
    check_intervals,
    check_output,
    open_stream,
    parse_learners,
    print_result,
    typed_options,
)
from streameval.cli.signature import add_options, keyword_arguments
from streameval.protocols.protocol import Protocol
from streameval.protocols.registry import DEFAULT, parse, protocol_forms

if TYPE_CHECKING:
    from streameval.api.learners import Recipe
    from streameval.api.result import Result
    from streameval.cli.options import Subparsers

_DELAY_TEXT = (
    "Each instance is predicted on arrival, again after every K labels of other instances, and "
    "just before its own label is learnt. Measures are by bins of the time from an instance to its "
    "label."
)


def add_to(commands: Subparsers) -> None:
    """Add the subcommand to the command's parser."""
    parser = commands.add_parser(
        "evaluate",
        usage="%(prog)s STREAM --learner L [--learner L ...] [OPTION ...]",
        examples=(
            "streameval evaluate elec2 --learner hoeffding_tree",
            "streameval evaluate bills.csv --target paid --learner naive_bayes --delay 47",
        ),
        description="Run learners over a stream, and compare their predictions with two baselines, "
        "the previous label and the most frequent label so far. By default each instance is "
        "predicted before it is learnt. Labels that arrive later (--delay, or --time and "
        "--label-time) are learnt when they arrive. Learners that predict numbers, such as "
        "fimt_dd, are compared with the previous target, and with the mean of the targets so far. "
        "The output has accuracy, κ, κ_t and κ_m, and says whether each learner beats No-Change "
        "and Majority.",
    )
    add_stream(parser)
    add_learners(parser, "repeat the option for each learner")
    protocol = (
        f"which instances are predicted and learnt, and when: {' or '.join(protocol_forms())}, "
        "values in the order shown, or by name (folds=5:tested=held_out); by default "
        f"{DEFAULT}, or reevaluation if labels are delayed"
    )
    names = ("protocol", "seasonal", "scores", "intervals", "seed")
    add_options(parser, evaluate, names, protocol=protocol)
    add_options(parser, DisplayOptions, ("by_class",))
    add_by_group(parser)
    tuning.add_tuning_options(parser)
    add_figure(parser, "measures over a sliding window, with delayed labels by bin,")
    group = add_delay(parser, evaluate, _DELAY_TEXT)
    add_options(group, evaluate, ("every",))
    add_options(group, DisplayOptions, ("bins", "by", "rule"))
    all_help = (
        "also print Cohen's kappa, and MOA's kappas, which use labels that learners do not have yet"
    )
    # `more` is the parameter of DisplayOptions.
    group.add_argument("--all", dest="more", action="store_true", help=all_help)
    table = (
        "write all bins into this file, .csv; without delayed labels, write all predictions, "
        "with class scores (--scores) and interval ends if there are any"
    )
    group.add_argument("--table", metavar="FILE", type=Path, help=table)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> None:
    allow_working_folder_imports()
    learners, are_regressors = parse_learners(options)
    protocol = None if options.protocol is None else parse(options.protocol)
    _check_options(options, protocol, are_regressors)
    tuning.check_options(options)
    result = _evaluate(options, learners, protocol, are_regressors)
    print_result(
        result, result.stream, options, DisplayOptions(**keyword_arguments(options, DisplayOptions))
    )


def _evaluate(
    options: argparse.Namespace,
    learners: list[Recipe],
    protocol: Protocol | None,
    are_regressors: bool,
) -> Result:
    """Run learners over a stream, and write the file of ``--table``."""
    stream = open_stream(options, numeric_target=are_regressors)
    learners = tuning.tune_learners(options, stream, learners)
    result = evaluate(
        **keyword_arguments(options, evaluate, stream=stream, learners=learners, protocol=protocol)
    )
    bin_options = typed_options(options, "bins", "by", "rule", "more")
    if result.delays is None and bin_options:
        raise ConfigError(
            f"{listing(bin_options)}: expected delayed labels, found none. Give --delay N, or the "
            "columns --time and --label-time."
        )
    display = DisplayOptions(**keyword_arguments(options, DisplayOptions))
    if options.table is not None:
        frame = (
            result.predictions
            if result.delays is None
            # The file has MOA's kappas even without --all.
            else result.bins(display.bins, display.rule, moa=True, by=display.by)
        )
        with replacing_file(options.table) as temporary_file:
            frame.to_csv(temporary_file, index=False)
    return result


def _check_options(
    options: argparse.Namespace, protocol: Protocol | None, are_regressors: bool
) -> None:
    """Raise ConfigError for impossible options, before learners run."""
    if options.bins is not None and options.bins < 0:
        raise ConfigError(f"--bins: expected at least 0, found {options.bins}.")
    check_figure(options.figure)
    if options.table is not None:
        check_output("--table", options.table, (".csv",))
    if options.figure is not None and protocol is not None and protocol.has_folds:
        raise ConfigError(
            f"--figure: expected a protocol with one model, whose measures can be drawn over time, "
            f"found {protocol}. Leave the figure out, or evaluate with --protocol prequential."
        )
    check_intervals(options, are_regressors)
    classifier_options = typed_options(options, "scores", "by_class")
    if are_regressors and classifier_options:
        raise ConfigError(
            f"{classifier_options[0]}: expected classifiers, found regressors. Leave it out."
        )
