"""Compilation of kernels before their first use."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from streameval.base.processes import exit_with_process
from streameval.base.sources import PACKAGE, closure
from streameval.learners.registry import LearnerSpec, modules_compiled_ahead
from streameval.learners.tasks import CLASSIFICATION
from streameval.protocols.prequential import prequential
from streameval.streams.stream import Attribute, Schema, Stream

#: Number of instances to run on. Any number will do: compilation depends on types only.
INSTANCES = 10
#: The variable of the environment with the names of all compiled learners of a run. It is not a
#: parameter of jobs, as one more learner in a run would then compile all of them again.
LEARNERS_VARIABLE = "STREAMEVAL_LEARNERS"


def warm_up(
    parts: Mapping[str, Callable[[], object]], processes: int = 1
) -> Iterator[tuple[str, float]]:
    """Compile parts of the package, or load them; yield each with its seconds when it is ready.

    `parts` has a function that compiles each part, by name. Processes share only the disk cache, so
    code that two learners have in common may be compiled twice. There is a single process if the
    system cannot fork.
    """
    if processes == 1 or "fork" not in multiprocessing.get_all_start_methods():
        for name, part in parts.items():
            yield name, _seconds(part)
        return
    with ProcessPoolExecutor(
        processes, multiprocessing.get_context("fork"), exit_with_process, (os.getpid(),)
    ) as pool:
        # In reverse order: ensembles come last in the registry and take longest. Started first,
        # they do not keep one process busy while the others have nothing left to do.
        names = {pool.submit(_seconds, part): name for name, part in [*parts.items()][::-1]}
        for future in as_completed(names):
            yield names[future], future.result()


def warm_up_dependents(part: str) -> None:
    """Compile the learners of the run whose kernels call the kernels of a part.

    This process has compiled the part, which takes most of the time. A forked copy compiles the
    dependents and puts them into the disk cache. If the system cannot fork, nothing is done.
    """
    modules = modules_compiled_ahead()
    dependents = {
        module
        for module in modules.values()
        if module != modules[part] and _file_of(modules[part]) in closure(_file_of(module))
    }
    specs = {
        name: LearnerSpec(id=name, learner=name, title=name)
        for name in os.environ.get(LEARNERS_VARIABLE, "").split()
    }
    specs = {name: spec for name, spec in specs.items() if dependents & {*spec.modules()}}
    if specs and "fork" in multiprocessing.get_all_start_methods():
        arguments = (specs, os.getpid())
        child = multiprocessing.get_context("fork").Process(target=_compile_all, args=arguments)
        child.start()
        child.join()


def _file_of(module: str) -> Path:
    return PACKAGE.parent.joinpath(*module.split(".")).with_suffix(".py")


def _compile_all(learners: Mapping[str, LearnerSpec], parent_id: int) -> None:
    exit_with_process(parent_id)
    for part in learner_parts(learners).values():
        part()


def _seconds(part: Callable[[], object]) -> float:
    start = time.perf_counter()
    part()
    return time.perf_counter() - start


def learner_parts(learners: Mapping[str, LearnerSpec]) -> dict[str, Callable[[], object]]:
    """For each learner a function that compiles it; adapters have no kernels and no function.

    Raises ConfigError before any work if a learner cannot be made, including adapters.
    """
    tape, y = prequential(INSTANCES), np.arange(INSTANCES, dtype=np.int32) % 2
    X = np.linspace(0.0, 1.0, 3 * INSTANCES).reshape(INSTANCES, 3)
    schema = Schema(tuple(map(Attribute, "abc")), classes=("no", "yes"))
    classification_stream = Stream(X, y, schema)
    regression_stream = Stream(X, y, replace(schema, classes=None))
    compilers = {
        name: partial(
            spec.make().run,
            classification_stream if CLASSIFICATION in spec.tasks else regression_stream,
            tape,
        )
        for name, spec in learners.items()
    }
    return {name: part for name, part in compilers.items() if not learners[name].is_adapter}
