"""Compiling kernels ahead, so that nothing that runs later has to wait for it."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from functools import partial

import numpy as np

from streameval.learners.baselines import NoChange
from streameval.learners.registry import ADAPTERS, LearnerSpec
from streameval.learners.wrappers.temporal_correction import TemporalCorrection
from streameval.measures.fading import algorithm_1
from streameval.measures.moa import moa_evaluate
from streameval.measures.tally import tally
from streameval.measures.windows import fading_tallies, window_tallies
from streameval.pipeline.runs import end_with
from streameval.protocols.folds import InTurn, bootstrap_validation
from streameval.protocols.prequential import prequential
from streameval.streams.generators import GENERATORS, make_recipe
from streameval.streams.generators.sea import sea
from streameval.streams.stream import Stream

#: Any instances do: what is compiled depends on types only.
INSTANCES = 10
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


def warm_up(
    parts: Mapping[str, Callable[[], object]], processes: int = 1
) -> Iterator[tuple[str, float]]:
    """Compile parts of the package, or load them if they are already compiled.

    Parameters
    ----------
    parts : mapping of str to callable
        Those of `learner_parts` and `other_parts`.
    processes : int
        How many compile at once. They share the disk cache and nothing else: what two learners
        have in common is compiled once by each process. Without the means to fork it is one.

    Yields
    ------
    name, seconds : str, float
        A part that is ready, and the time that it took; with several processes in any order.
    """
    if processes == 1 or "fork" not in multiprocessing.get_all_start_methods():
        for name, part in parts.items():
            yield name, _seconds(part)
        return
    with ProcessPoolExecutor(
        processes, multiprocessing.get_context("fork"), end_with, (os.getpid(),)
    ) as pool:
        # In all lists the ensembles, which take longest, come late: a process is not left alone
        # with one of them at the end.
        begun = {pool.submit(_seconds, part): name for name, part in [*parts.items()][::-1]}
        for finished in as_completed(begun):
            yield begun[finished], finished.result()


def _seconds(part: Callable[[], object]) -> float:
    begun = time.perf_counter()
    part()
    return time.perf_counter() - begun


def learner_parts(learners: Mapping[str, LearnerSpec]) -> dict[str, Callable[[], object]]:
    """Return what compiles each learner; adapters to other tools have nothing to compile.

    Raises
    ------
    ConfigError
        If a learner cannot be made, adapters included: before any work.
    """
    stream, tape = sea(INSTANCES), prequential(INSTANCES)
    numbers = Stream(stream.X, stream.y, replace(stream.schema, classes=None))
    made = {
        name: partial(spec.make_regressor().play, numbers, tape)
        if spec.is_regressor
        else partial(spec.make().play, stream, tape)
        for name, spec in learners.items()
    }
    return {name: part for name, part in made.items() if learners[name].learner not in ADAPTERS}


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
