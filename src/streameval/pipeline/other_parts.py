"""Compiling ahead what is no learner: wrappers, folds, measures and generators."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from streameval.learners.baselines import NoChange
from streameval.learners.wrappers.temporal_correction import TemporalCorrection
from streameval.measures.fading import algorithm_1
from streameval.measures.moa import moa_evaluate
from streameval.measures.tally import tally
from streameval.measures.windows import fading_tallies, window_tallies
from streameval.pipeline.warm_up import INSTANCES
from streameval.protocols.folds import InTurn, bootstrap_validation
from streameval.protocols.prequential import prequential
from streameval.streams.generators import GENERATORS, make_recipe
from streameval.streams.generators.sea import sea

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
