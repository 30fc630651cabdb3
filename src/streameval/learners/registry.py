"""From a row of ``config/learners.yaml`` to a learner."""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from streameval.errors import ConfigError
from streameval.learners.baselines import Majority, MovingMajority, NoChange
from streameval.learners.hoeffding_tree import HoeffdingTree
from streameval.learners.learner import Learner
from streameval.learners.naive_bayes import NaiveBayes
from streameval.settings import load_validated

#: The learners that come with the package, by name.
#: The learners that come with the package, by name.
LEARNERS: dict[str, type[Learner]] = {
    learner.name: learner
    for learner in (NoChange, Majority, MovingMajority, NaiveBayes, HoeffdingTree)
}


@dataclass(frozen=True)
class LearnerSpec:
    """A row of the registry: which learner, with which parameters, under which title.

    Parameters
    ----------
    id : str
        Its key in the registry, and in every table.
    learner : str
        A name of `LEARNERS`, or a dotted path ``package.module:Class``.
    title : str
        How figures and tables call it.
    parameters : mapping
        What differs from the learner's defaults.
    citation : str
        Where the learner is described.
    """

    id: str
    learner: str
    title: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    citation: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the row as plain data: ``LearnerSpec(**row.to_dict())`` is the row again."""
        return dataclasses.asdict(self)

    def make(self) -> Learner:
        """Return the learner.

        Raises
        ------
        ConfigError
            If the class or one of the parameters does not exist.
        """
        cls = _class_of(self)
        known = [item.name for item in dataclasses.fields(cls)]  # type: ignore[arg-type]
        unknown = sorted(set(self.parameters) - set(known))
        if unknown:
            raise ConfigError(
                f"Learner {self.id!r}: unknown parameter {', '.join(unknown)}. "
                f"{cls.__name__} takes: {', '.join(known) or 'none'}."
            )
        return cls(**self.parameters)


def load_learners(path: Path) -> dict[str, LearnerSpec]:
    """Read and check ``config/learners.yaml``.

    Returns
    -------
    dict
        The rows by their id, in the order of the file.
    """
    content = load_validated(path, "learners")
    return {key: LearnerSpec(id=key, **row) for key, row in content.items()}


def _class_of(spec: LearnerSpec) -> type[Learner]:
    if spec.learner in LEARNERS:
        return LEARNERS[spec.learner]
    module, colon, name = spec.learner.partition(":")
    if not colon:
        raise ConfigError(
            f"Learner {spec.id!r}: no learner is called {spec.learner!r}. Known are "
            f"{', '.join(LEARNERS)}; a class of your own is written package.module:Class."
        )
    try:
        cls = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise ConfigError(
            f"Learner {spec.id!r}: cannot import {spec.learner!r}: {error}."
        ) from error
    if not (isinstance(cls, type) and issubclass(cls, Learner)):
        raise ConfigError(
            f"Learner {spec.id!r}: {spec.learner!r} is not a subclass of "
            "streameval.learners.learner.Learner."
        )
    return cls
