"""Which entries of registries a job uses: only their modules are its sources.

A registry names the modules of all its entries. A job that trains two learners depends on the
modules of these two, and one that trains none on none of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from streameval.learners import registry as learner_registry
from streameval.learners.registry import LearnerSpec
from streameval.learners.wrappers import registry as wrapper_registry
from streameval.streams import generators, registry
from streameval.streams.registry import READERS, FileSpec, GeneratorSpec, StreamSpec

#: The modules of the entries that a job uses, by the module of their registry.
Entries = dict[str, list[str]]


def entries(learners: Iterable[LearnerSpec] = (), streams: Iterable[StreamSpec] = ()) -> Entries:
    """Return the entries for jobs that train learners, and read or generate streams.

    Parameters
    ----------
    learners : iterable of LearnerSpec
        Those that the job makes.
    streams : iterable of StreamSpec
        Those that it reads from a raw file or generates; not those that it reads converted.
    """
    learners, streams = list(learners), list(streams)
    return {
        learner_registry.__name__: _each(one.modules() for one in learners),
        wrapper_registry.__name__: _each(one.wrapper_modules() for one in learners),
        registry.__name__: _each(
            [READERS.module(one.reader)] for one in streams if isinstance(one, FileSpec)
        ),
        generators.__name__: _each(
            _generators(one) for one in streams if isinstance(one, GeneratorSpec)
        ),
    }


def _generators(spec: GeneratorSpec) -> list[str]:
    """Return the modules of the generators that a stream is made of."""
    found = list[str]()
    waiting: list[Mapping[str, Any]] = [{"generator": spec.generator, **spec.parameters}]
    while waiting:
        part = waiting.pop()
        found.append(generators.GENERATORS.module(part["generator"]))
        waiting += [one for one in part.values() if isinstance(one, Mapping)]
    return found


def _each(found: Iterable[Iterable[str]]) -> list[str]:
    return sorted({name for names in found for name in names})
