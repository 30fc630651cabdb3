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
    check_figure,
    learners_of,
    open_stream,
    show,
    with_working_folder,
)
from streameval.cli.signature import add_options, keyword_arguments

if TYPE_CHECKING:
    from streameval.cli.options import Subparsers

ABOUT = (
    "Labels that arrive later are learnt when they arrive; the detector reads errors then, and "
    "accuracies are those of predictions on arrival."
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
        "what their alarms are worth. The learner is reset at each alarm. It is compared with the "
        "same learner reset with the same gaps in random order, with the learner without resets, "
        "and with No-Change.",
    )
    add_stream(parser)
    add_learners(parser, "one")
    parser.add_argument(
        "--detector",
        dest="detectors",
        metavar="D",
        action="append",
        required=True,
        help="a drift detector, see `streameval detectors`; repeat the option for each detector",
    )
    add_delay(parser, compare, ABOUT)
    add_options(parser, compare, ("rope",))
    add_options(parser, detect, ("runs", "seed", "cores"))
    add_figure(parser, "errors, alarms and what they are worth")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> None:
    check_figure(options.figure)
    if len(options.learner) > 1:
        raise ConfigError(
            f"--learner: expected one, found {len(options.learner)}. Run the command for each."
        )
    with_working_folder()
    (learner,), of_regressors = learners_of(options)
    stream = open_stream(options, numeric_target=of_regressors)
    result = detect(**keyword_arguments(options, detect, stream=stream, learner=learner))
    show(result, stream, options)
