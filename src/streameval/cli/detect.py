"""The subcommand ``detect``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from streameval.cli.opening import (
    add_delay,
    add_learners,
    add_stream,
    add_values,
    check_figure,
    open_stream,
    save_figure,
    show,
    with_working_folder,
)
from streameval.errors import ConfigError

if TYPE_CHECKING:
    from streameval.cli.opening import Subparsers

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
        metavar="D",
        action="append",
        required=True,
        help="a drift detector, see `streameval detectors`; again for each further one",
    )
    add_delay(parser, ABOUT)
    rope = (
        "differences in accuracy up to this are practically none; by default 2 %% of the error of "
        "the better baseline"
    )
    add_values(parser, float, rope=("D", rope))
    add_values(
        parser,
        int,
        runs=("R", "runs with the gaps of each detector in random order; by default 10"),
        seed=("N", "seed of random orders and of randomised learners; by default 1"),
        cores=("N", "models that run at the same time; by default all"),
    )
    parser.set_defaults(seed=1, runs=10)
    figure = "draw errors, alarms and what they are worth into this file, .svg, .pdf or .png"
    add_values(parser, Path, figure=("FILE", figure))
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> None:
    from streameval.api.detect import detect
    from streameval.api.learners import recipe
    from streameval.api.wrapped import with_names

    check_figure(options.figure)
    if len(options.learner) > 1:
        raise ConfigError(
            f"--learner: expected one, found {len(options.learner)}. Run the command for each."
        )
    with_working_folder()
    (learner,) = with_names([recipe(options.learner[0])], options.name)
    stream = open_stream(options)
    found = detect(
        stream,
        learner,
        options.detector,
        runs=options.runs,
        rope=options.rope,
        delay=options.delay,
        label_first=options.label_first,
        ignore_label_times=options.ignore_label_times,
        seed=options.seed,
        cores=options.cores,
    )
    save_figure(options.figure, found.plot)
    show(found, stream, options)
