"""The subcommand ``warm-up``."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from tqdm import tqdm

from streameval import settings
from streameval.api.learners import spec_of
from streameval.learners.baselines import NoChange
from streameval.learners.registry import load_learners
from streameval.learners.wrappers.temporal_correction import TemporalCorrection
from streameval.measures.fading import algorithm_1
from streameval.measures.moa import moa_evaluate
from streameval.measures.tally import tally
from streameval.measures.windows import fading_tallies, window_tallies
from streameval.pipeline.warm_up import INSTANCES, learner_parts, warm_up
from streameval.protocols.folds import InTurn, bootstrap_validation
from streameval.protocols.prequential import prequential
from streameval.streams.generators import GENERATORS, make_recipe
from streameval.streams.generators.sea import sea

if TYPE_CHECKING:
    from streameval.cli.opening import Subparsers


_MOST_PROCESSES = 4

#: Parameters that have no default.
_PARAMETERS = {
    "concept_drift": {
        "before": {"generator": "sea"},
        "after": {"generator": "sea", "function": 2},
        "position": 5,
        "width": 2,
    },
    "markov": {"priors": [0.5, 0.5], "persistence": 0.6, "attributes": 2},
}


def add_to(commands: Subparsers) -> None:
    """Add the subcommand to the command's parser."""
    parser = commands.add_parser(
        "warm-up",
        examples=(
            "streameval warm-up",
            "streameval warm-up hoeffding_tree knn",
        ),
        description="Compile learners into the disk cache for all later runs, and print the "
        "seconds that each took. A learner that is already compiled takes almost no time.",
    )
    parser.add_argument(
        "learners",
        metavar="L",
        nargs="*",
        help="ids from `streameval learners`; by default all learners and all other compiled code",
    )
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> None:
    chosen = {name: spec_of(name) for name in options.learners}
    everything = load_learners(settings.locate("config/learners.yaml"))
    parts = learner_parts(chosen or everything) | ({} if chosen else other_parts())
    # A few processes are worth it only for many learners: each compiles what these have in common.
    processes = min(os.cpu_count() or 1, _MOST_PROCESSES) if len(parts) > 2 else 1
    total = 0.0
    with tqdm(total=len(parts), unit=" parts", disable=None, leave=False) as bar:
        for name, seconds in warm_up(parts, processes):
            bar.update()
            tqdm.write(f"{name:<32}{seconds:>12.2f} s")
            total += seconds
    print(f"{'all':<32}{total:>12.2f} s")


def other_parts() -> dict[str, Callable[[], object]]:
    """Return what compiles the wrappers, the folds, the measures and each generator."""
    parts: dict[str, Callable[[], object]] = {
        "wrapper temporal_correction": _correct,
        "folds": partial(bootstrap_validation, INSTANCES, allotment=InTurn()),
        "measures": _measure,
    }
    return parts | {f"generator {name}": partial(_generate, name) for name in GENERATORS}


def _generate(name: str) -> None:
    recipe = make_recipe(name, _PARAMETERS.get(name, {}))
    recipe.stream(INSTANCES)
    recipe.fresh(INSTANCES, np.arange(INSTANCES), seed=1)


def _correct() -> None:
    TemporalCorrection(NoChange()).play(sea(INSTANCES), prequential(INSTANCES))


def _measure() -> None:
    labels, at = sea(INSTANCES).y, np.array([INSTANCES])
    tally(labels, labels, 2)
    window_tallies(labels, labels, 2, window=5, at=at)
    fading_tallies(labels, labels, 2, fading=0.1, at=at)
    algorithm_1(labels, labels, 2, smoothing=0.1, at=at)
    moa_evaluate(labels, labels, 2, at=at)
