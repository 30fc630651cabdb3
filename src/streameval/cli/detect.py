"""The subcommand ``detect``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from streameval.api.compare import compare
from streameval.api.detect import detect
from streameval.base.errors import ConfigError
from streameval.cli.options import (
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

if TYPE_CHECKING:
    from streameval.cli.options import Subparsers

_DELAY_TEXT = (
    "Labels that arrive later are learnt when they arrive; then the detector reads the error. "
    "Accuracies cover the predictions on arrival."
)


def add_to(commands: Subparsers) -> None:
    """Add the subcommand to the command's parser."""
    parser = commands.add_parser(
        "detect",
        usage="%(prog)s STREAM --learner L --detector D [--detector D ...] [OPTION ...]",
        examples=(
            "streameval detect elec2 --learner naive_bayes --detector adwin --detector ddm",
            "streameval detect my.csv --target y --learner knn --detector hddm_a --figure a.svg",
        ),
        description="Show when drift detectors signal a change in the errors of a learner, and "
        "whether resets at their alarms improve accuracy. The learner with resets at the alarms is "
        "compared with the same learner reset after the same gaps in random order, with the "
        "learner without resets, and with No-Change.",
    )
    add_stream(parser)
    add_learners(parser, "give the option once")
    parser.add_argument(
        "--detector",
        dest="detectors",
        metavar="D",
        action="append",
        required=True,
        help="a drift detector, see `streameval detectors`; repeat the option for each detector",
    )
    add_delay(parser, compare, _DELAY_TEXT)
    add_options(parser, compare, ("rope",))
    add_options(parser, detect, ("runs", "seed", "cores"))
    add_figure(parser, "errors, alarms and the effect of resets")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> None:
    check_figure(options.figure)
    if len(options.learner) > 1:
        raise ConfigError(
            f"--learner: expected one learner, found {len(options.learner)}. Run the command for "
            "each learner."
        )
    allow_working_folder_imports()
    (learner,), are_regressors = parse_learners(options)
    stream = open_stream(options, numeric_target=are_regressors)
    result = detect(**keyword_arguments(options, detect, stream=stream, learner=learner))
    print_result(result, stream, options)
