"""The subcommand ``check``."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, replace
from textwrap import wrap
from typing import TYPE_CHECKING

from streameval.cli.opening import add_delay, add_stream, add_values, open_stream, print_target
from streameval.errors import ConfigError, DataError
from streameval.evaluation.delays import in_instances, median_wait, protocol_for
from streameval.evaluation.persistence import (
    check_delayed_persistence,
    check_persistence,
    within_columns,
)
from streameval.significance.intervals import CONFIDENCE
from streameval.values import duration_text

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
    if options.sample is not None and options.sample < 2:
        raise ConfigError(f"--sample: expected at least 2 labels, found {options.sample}.")
    stream = open_stream(options)
    stream, _ = protocol_for(
        stream, None, options.delay, None, options.label_first, options.ignore_label_times
    )
    at_once = stream.label_time is None or options.ignore_label_times
    if stream.schema.classes is None:
        raise DataError(
            f"Stream {stream.name!r}: expected a nominal target, found the numeric target "
            f"{stream.schema.target!r}. A check is about classes. For numbers, `streameval "
            "evaluate STREAM --learner fimt_dd` compares a regressor with the mean so far."
        )
    if at_once:
        found = check_persistence(stream.with_labels().y, options.sample)
    else:
        ties = "label" if options.label_first else "instance"
        found = check_delayed_persistence(stream, options.sample, ties)
        if options.delay is not None:  # the median ends where the stream ends
            found = replace(found, delay=in_instances(options.delay) or found.delay)
    found = replace(found, within=within_columns(stream, options.sample))
    if options.json:
        values = asdict(found)
        if found.delay is None:
            del values["delay"]
        if found.within is None:
            del values["within"]
        open_ = {"labels_not_arrived": stream.unlabelled} if stream.unlabelled else {}
        about = {"n": values.pop("n"), "target": stream.schema.target}
        print(json.dumps(about | values | open_ | {"advice": found.advice}))
        return
    print_target(stream, options)
    if stream.unlabelled:
        what = "are missing" if stream.label_time is None else "have not arrived"
        print(f"{f'labels that {what}':<32}{stream.unlabelled:>14,}")
        if stream.no_label:
            print(f"   {stream.no_label}")
    print(f"{'labels used':<32}{found.n:>14,}")
    if found.delay is not None:
        print(f"{'delay in instances, median':<32}{found.delay:>14,}")
        if wait := median_wait(stream):
            print(f"{'delay, median':<32}{duration_text(wait):>14}")
    print(f"{'P(M), most frequent label':<32}{found.majority:>14.4f}")
    repeats = "label repeats" if found.delay is None else "latest known label"
    print(f"{f'P(T), {repeats}':<32}{found.persistent:>14.4f}")
    between = (
        "none: too few independent labels"
        if found.low is None
        else f"{found.low:.4f} to {found.high:.4f}"
    )
    print(f"{f'   {CONFIDENCE:.0%} interval of P(T)':<28}{between:>18}")
    print(f"{'P(T) if order were random':<32}{found.independent:>14.4f}")
    give = f" ± {found.p_value_error:.4f}" if found.p_value_error else ""
    p_value = "none: one class" if found.p_value is None else f"{found.p_value:.4g}{give}"
    if found.p_value == 0:
        p_value = "< 1e-300"  # a double can hold nothing smaller that is exact
    print(f"{'p-value of random order':<31}{p_value:>15}")
    if found.method:
        print(f"{'   method':<20}{found.method:>26}")
    print("", *wrap(found.advice, 100), sep="\n")
