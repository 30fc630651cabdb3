"""Options of commands that tune learners on a prefix."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from streameval.base.errors import ConfigError, excerpt, listing
from streameval.cli.signature import keyword_arguments

if TYPE_CHECKING:
    from streameval.api.learners import Recipe
    from streameval.streams.stream import Stream

_EXAMPLE = "hoeffding_tree:grace_period=50,200,1000"


def add_tuning_options(command: argparse.ArgumentParser) -> None:
    """Add the options on tuning."""
    group = command.add_argument_group(
        "tuning",
        "Choose parameters on the first instances. All learners and baselines learn these "
        "instances too, and only the later ones are scored, so that tuning does not favour the "
        "tuned learners.",
    )
    group.add_argument(
        "--tune",
        metavar="L:P=V,V",
        action="append",
        help="try parameter values of a learner, such as knn:k=5,20; with several parameters "
        "(:P=V,V:Q=V,V), try every combination; repeat the option for another learner",
    )
    group.add_argument(
        "--tune-on",
        metavar="N",
        help="number of instances to tune on, or their proportion of the stream, such as 0.1; "
        "by default 0.2",
    )


def check_options(options: argparse.Namespace) -> None:
    """Raise ConfigError for a prefix without tuning, and for an invalid prefix or grid."""
    if options.tune_on is not None and not options.tune:
        raise ConfigError(
            f"--tune-on: expected --tune, found none. Add it, such as --tune {_EXAMPLE}."
        )
    if options.tune:
        _prefix(options)
        _grids(options)


def tune_learners(
    options: argparse.Namespace, stream: Stream, learners: Sequence[Recipe]
) -> list[Recipe]:
    """Learners; those named by ``--tune`` get the best parameters on the prefix."""
    recipes = list(learners)
    if not options.tune:
        return recipes
    from streameval.api.tune import tune
    from streameval.api.wrappers import rename_recipes

    for index, grid in _grids(options).items():
        recipe = recipes[index]
        # Messages on tuning name the learner as typed, even if --name renames it.
        learner = replace(recipe, name=options.learner[index]) if options.name else recipe
        arguments = {
            "stream": stream,
            "learner": learner,
            "grid": grid,
            "prefix": _prefix(options),
        }
        recipes[index] = tune(**keyword_arguments(options, tune, **arguments)).best
    return rename_recipes(recipes, options.name)


def _prefix(options: argparse.Namespace) -> int | float:
    from streameval.api.tune import DEFAULT_PREFIX

    text = options.tune_on
    if text is None:
        return DEFAULT_PREFIX
    if re.fullmatch(r"\d{1,15}", text):  # 15 digits suffice for any stream
        return int(text)
    if re.fullmatch(r"0?\.\d+", text) and float(text):
        return float(text)
    raise ConfigError(
        "--tune-on: expected a number of instances, or a proportion between 0 and 1, found "
        f"{excerpt(repr(text), 60)}."
    )


def _grids(options: argparse.Namespace) -> dict[int, dict[str, list[Any]]]:
    """Parameter values to try, by the position of the learner."""
    from streameval.api.tune import expand_grid
    from streameval.learners.parameters import parse_value, split_specification

    grids: dict[int, dict[str, list[Any]]] = {}
    for text in options.tune:
        matches = [name for name in options.learner if text.startswith(f"{name}:")]
        if not matches:
            raise ConfigError(
                f"--tune: expected one of the learners, {listing(options.learner)}, with values of "
                f"its parameters, found {excerpt(repr(text), 60)}. Write the learner as after "
                f"--learner, such as --learner hoeffding_tree --tune {_EXAMPLE}."
            )
        name = max(matches, key=len)  # one name may begin with another
        index = options.learner.index(name)
        # The learner is left out (empty before the colon), as its name may have parameters, too.
        unparsed, parameters = split_specification(f":{text.removeprefix(name + ':')}")
        if unparsed or not parameters or index in grids:
            expected = "one --tune for each learner" if index in grids else "NAME=VALUE,VALUE"
            raise ConfigError(
                f"--tune: expected {expected} after {name}, found {excerpt(repr(text), 60)}. With "
                f"several parameters: {_EXAMPLE}:tie_threshold=0.05,0.1."
            )
        grid = {
            key: [parse_value(value) for value in values.split(",")]
            for key, values in parameters.items()
        }
        list(expand_grid(grid))  # raises ConfigError for an invalid grid
        grids[index] = grid
    return grids
