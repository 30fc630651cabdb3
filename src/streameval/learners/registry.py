"""From a row of ``config/learners.yaml`` to a learner."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from streameval.errors import ConfigError, some
from streameval.learners.adapters.build import arguments_for, find_class
from streameval.learners.adapters.moa import MoaLearner
from streameval.learners.adapters.plain import PlainLearner
from streameval.learners.adapters.predictions_file import PredictionsFile
from streameval.learners.adapters.river import RiverLearner
from streameval.learners.adapters.sklearn import SklearnLearner
from streameval.learners.baselines import Majority, MovingMajority, NoChange
from streameval.learners.bayes.ddm import DDMNaiveBayes, DDMRandom
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.ensembles.adaptive_random_forest import AdaptiveRandomForest
from streameval.learners.ensembles.bagging import LeveragingBagging, OnlineBagging
from streameval.learners.ensembles.random_forest import RandomForest
from streameval.learners.knn import KNN
from streameval.learners.learner import Learner
from streameval.learners.trees.hoeffding_adaptive_tree import HoeffdingAdaptiveTree
from streameval.learners.trees.hoeffding_tree import HoeffdingTree
from streameval.learners.trees.random_hoeffding_tree import RandomHoeffdingTree
from streameval.learners.wrappers.registry import wrapped
from streameval.settings import load_validated
from streameval.streams.registry import SMOOTHING

#: The learners that come with the package, by name.
LEARNERS: dict[str, type[Learner]] = {
    learner.name: learner
    for learner in (
        *(NoChange, Majority, MovingMajority, NaiveBayes, DDMNaiveBayes, DDMRandom),
        *(HoeffdingTree, HoeffdingAdaptiveTree, OnlineBagging, LeveragingBagging, KNN),
        *(RandomHoeffdingTree, RandomForest, AdaptiveRandomForest),
    )
}

#: Learners of other tools, and answers from files: what they do is in their parameters.
ADAPTERS: dict[str, type[Learner]] = {
    adapter.name: adapter for adapter in (RiverLearner, SklearnLearner, MoaLearner, PredictionsFile)
}

#: The kinds of parameters of the package's learners, as they are declared: what a value may be,
#: and how it is called.
KINDS: dict[str, tuple[type | tuple[type, ...], str]] = {
    "bool": (bool, "true or false"),
    "int": (int, "a whole number"),
    "float": ((int, float), "a number (finite, and without quotes: 1.0e-7)"),
    "str": (str, "a text"),
}


#: What numbers stay below: NaN does not. Compiled code counts in 32 bits in places.
_LARGEST = {"int": 2**31, "float": math.inf}
#: Members of an ensemble and instances of a window, of which more would only fill the memory.
_MOST = {"members": 10_000, "window": 10**8}


@dataclass(frozen=True)
class LearnerSpec:
    """A row of the registry: which learner, with which parameters, under which title.

    Parameters
    ----------
    id : str
        Its key in the registry, and in every table.
    learner : str
        A name of `LEARNERS` or `ADAPTERS`, or a dotted path ``package.module:Class`` to a
        subclass of `Learner` or a class with ``learn(x, y, w)`` and ``predict(x)``.
    title : str
        How figures and tables call it.
    parameters : mapping
        What differs from the learner's defaults.
    wrapper : str
        What it is put into, as `wrappers.registry.wrapped` reads it; nothing if empty.
        ``{smoothing}`` in it stands for that of the stream, see `StreamSpec`.
    citation : str
        Where the learner is described.
    base, adaptation : str
        What kind of model it is made of, and what it does about change, for people.
    """

    id: str
    learner: str
    title: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    wrapper: str = ""
    citation: str = ""
    base: str = ""
    adaptation: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the row as plain data: ``LearnerSpec(**row.to_dict())`` is the row again."""
        return dataclasses.asdict(self)

    def recipe(self) -> dict[str, Any]:
        """Return what its answers depend on, as `to_dict` does, without the words for people."""
        bare = dataclasses.replace(self, title=self.id, citation="", base="", adaptation="")
        return bare.to_dict()

    def make(self, smoothing: float = SMOOTHING) -> Learner:
        """Return the learner.

        Parameters
        ----------
        smoothing : float
            That of the stream which it is going to play.

        Raises
        ------
        ConfigError
            If the class, the wrapper or one of the parameters does not exist, or a tool that it
            needs.
        """
        try:
            wrapper = self.wrapper.replace("{smoothing}", str(smoothing))
            return wrapped(self._bare(), wrapper or None)
        except ConfigError as error:
            raise ConfigError(f"Learner {self.id!r}: {error}") from error

    def _bare(self) -> Learner:
        cls = _class_of(self.learner)
        if issubclass(cls, Learner):
            arguments = arguments_for(cls, self.parameters)
            if self.learner in LEARNERS:
                _check_kinds(cls, arguments)
            return cls(**arguments)
        return PlainLearner(cls, self.parameters)


def load_learners(path: Path) -> dict[str, LearnerSpec]:
    """Read and check ``config/learners.yaml``.

    Returns
    -------
    dict
        The rows by their id, in the order of the file.
    """
    content = load_validated(path, "learners")
    return {key: LearnerSpec(id=key, **row) for key, row in content.items()}


def make_learners(
    rows: Mapping[str, Mapping[str, Any]], smoothing: float = SMOOTHING
) -> dict[str, Learner]:
    """Return the learners of rows that `LearnerSpec.to_dict` made; see `LearnerSpec.make`."""
    return {name: LearnerSpec(**row).make(smoothing) for name, row in rows.items()}


def _check_kinds(cls: type[Learner], arguments: Mapping[str, Any]) -> None:
    """Refuse values of another kind than one of the package's learners declares."""
    declared = {field.name: str(field.type) for field in dataclasses.fields(cls)}  # type: ignore[arg-type]
    for name, value in arguments.items():
        kind = declared[name].removesuffix(" | None")
        if value is None and kind != declared[name]:
            continue
        accepted, called = KINDS[kind]
        # To Python, True is a whole number, too.
        fits = isinstance(value, accepted) and isinstance(value, bool) == (kind == "bool")
        if not fits or (kind in ("int", "float") and not abs(value) < _LARGEST[kind]):
            raise ConfigError(f"expected {called} for {name}, found {value!r}.")
        if name in _MOST and value > _MOST[name]:
            raise ConfigError(f"expected at most {_MOST[name]:,} for {name}, found {value:,}.")


def _class_of(learner: str) -> type:
    known = LEARNERS | ADAPTERS
    if learner in known:
        return known[learner]
    module, colon, name = learner.partition(":")
    if not colon:
        raise ConfigError(
            f"no learner is called {learner!r}. Known are {some(known)}; a class of your own "
            "is written package.module:Class."
        )
    return find_class(module, name, learner)
