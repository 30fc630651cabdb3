"""Compiling kernels ahead of their first use."""

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

from streameval.base.processes import end_with
from streameval.base.sources import PACKAGE, closure
from streameval.learners.registry import LearnerSpec, modules_compiled_ahead
from streameval.learners.tasks import CLASSIFICATION
from streameval.protocols.prequential import prequential
from streameval.streams.stream import Attribute, Schema, Stream

#: Any instances do: what is compiled depends on types only.
INSTANCES = 10
#: The variable with the names of all compiled learners of a run. As a parameter of jobs, another
#: learner in the run would compile all of them again.
PLANNED = "STREAMEVAL_LEARNERS"


def warm_up(
    parts: Mapping[str, Callable[[], object]], processes: int = 1
) -> Iterator[tuple[str, float]]:
    """Compile parts of the package, or load them; yield each with its seconds when it is ready.

    Processes share the disk cache and nothing else: what two learners have in common is compiled
    once by each. Without the means to fork it is one.
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


def warm_up_what_builds_on(part: str) -> None:
    """Put the kernels of the run that build on those of a part into the disk cache, too.

    This process has compiled the part, which takes most of the time; a copy of it does the rest,
    since the job of the part depends on none. Without the means to fork nothing is done.
    """
    modules = modules_compiled_ahead()
    builders = {
        module
        for module in modules.values()
        if module != modules[part] and _file_of(modules[part]) in closure(_file_of(module))
    }
    specs = {
        name: LearnerSpec(id=name, learner=name, title=name)
        for name in os.environ.get(PLANNED, "").split()
    }
    specs = {name: spec for name, spec in specs.items() if builders & {*spec.modules()}}
    if specs and "fork" in multiprocessing.get_all_start_methods():
        work = (specs, os.getpid())
        child = multiprocessing.get_context("fork").Process(target=_compile_all, args=work)
        child.start()
        child.join()


def _file_of(module: str) -> Path:
    return PACKAGE.parent.joinpath(*module.split(".")).with_suffix(".py")


def _compile_all(learners: Mapping[str, LearnerSpec], parent: int) -> None:
    end_with(parent)
    for part in learner_parts(learners).values():
        part()


def _seconds(part: Callable[[], object]) -> float:
    begun = time.perf_counter()
    part()
    return time.perf_counter() - begun


def learner_parts(learners: Mapping[str, LearnerSpec]) -> dict[str, Callable[[], object]]:
    """A function for each learner that compiles it; adapters need none.

    Raises ConfigError if a learner cannot be made, adapters included: before any work.
    """
    tape, y = prequential(INSTANCES), np.arange(INSTANCES, dtype=np.int32) % 2
    X = np.linspace(0.0, 1.0, 3 * INSTANCES).reshape(INSTANCES, 3)
    schema = Schema(tuple(map(Attribute, "abc")), classes=("no", "yes"))
    stream, numbers = Stream(X, y, schema), Stream(X, y, replace(schema, classes=None))
    compilers = {
        name: partial(spec.make().run, stream if CLASSIFICATION in spec.tasks else numbers, tape)
        for name, spec in learners.items()
    }
    return {name: part for name, part in compilers.items() if not learners[name].is_adapter}
