"""Any class or object with the methods ``learn(x, y, w)`` and ``predict(x)`` as a learner."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, ClassVar

from streameval.errors import ConfigError
from streameval.learners.adapters.build import arguments_for
from streameval.learners.adapters.one_by_one import OneByOne
from streameval.learners.adapters.sheets import OfClasses, OfNumbers
from streameval.learners.predictions import P, PredictedValues, Predictions
from streameval.streams.stream import Stream

METHODS = ("learn", "predict")


@dataclass(frozen=True)
class Plain(OneByOne[P]):
    """A class with the methods ``learn`` and ``predict``, independent of this package.

    ``learn(x, y, w)`` gets the values (m,) as a float64 array in which NaN is missing and a
    nominal value is its code, the class code or the target and the weight, which is above 0:
    instances of weight 0 are left out. ``predict(x)`` returns a class code or a number, or None
    for no prediction; ``scores(x)``, if there is one, k numbers that are not negative. Each
    run makes a new object; a parameter ``schema`` of the constructor gets the stream's `Schema`,
    one called ``seed`` the seed of the run, unless `parameters` sets them.

    Parameters
    ----------
    model : type or object
        The class; or an object, which is left alone: each run begins with a deep copy of it, which
        knows what the object has learnt before.
    parameters : mapping
        What differs from the defaults of the class's constructor.

    Raises
    ------
    ConfigError
        If a method is missing, the constructor does not know a parameter, or an object cannot be
        copied.
    """

    model: Any
    parameters: Mapping[str, Any] = field(default_factory=dict)

    name: ClassVar[str] = "plain"
    reference: ClassVar[str] = "none: a class from outside"

    def __post_init__(self) -> None:
        missing = [method for method in METHODS if not callable(getattr(self.model, method, None))]
        if missing:
            raise ConfigError(
                f"{_path(self._class)!r} is not a subclass of streameval.learners.learner.Learner, "
                "and so it needs the methods learn(x, y, w) and predict(x); there is no "
                f"{' and no '.join(missing)}."
            )
        if isinstance(self.model, type):
            arguments_for(self.model, self.parameters, {"schema": None, "seed": None})

    @property
    def _class(self) -> type:
        return self.model if isinstance(self.model, type) else type(self.model)

    def _start(self, stream: Stream, seed: int) -> Any:
        if not isinstance(self.model, type):
            return self._copy()
        offered = {"schema": stream.schema, "seed": seed}
        return self.model(**arguments_for(self.model, self.parameters, offered))

    def _copy(self) -> Any:
        try:
            return deepcopy(self.model)
        except Exception as error:
            raise ConfigError(
                f"{_path(self._class)!r}: expected an object that can be copied, so that it is not "
                f"changed by a run, found {type(error).__name__}: {error}. Give the class instead."
            ) from error

    def _who(self, model: Any) -> str:
        return _path(type(model))


class PlainLearner(OfClasses, Plain[Predictions]):
    """Classifier from a class with the methods of `Plain`."""


class PlainRegressor(OfNumbers, Plain[PredictedValues]):
    """Regressor from a class with the methods of `Plain`."""


def _path(cls: type) -> str:
    return f"{cls.__module__}:{cls.__qualname__}"
