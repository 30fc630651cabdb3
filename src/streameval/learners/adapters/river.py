"""River's classifiers as learners."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from streameval.errors import ConfigError, DataError, StreamevalError
from streameval.learners.adapters.build import Tool
from streameval.learners.adapters.one_by_one import OneByOne
from streameval.learners.adapters.predicted_labels import repetitions
from streameval.streams.stream import Schema, Stream

RIVER = Tool("River", "river", seed="seed")


@dataclass(frozen=True)
class RiverLearner(OneByOne):
    """A classifier of River, or one that behaves like them.

    An instance is a dict by attribute name: numbers as floats, nominal values as their names,
    missing values left out. Classes are their codes, as River's two-class models want 0 and 1.
    A model may make no prediction (None), as before the first label. A model whose ``learn_one``
    takes ``w`` gets the weight; other models learn an instance of weight 2 twice, as River's
    own ensembles do.

    Parameters
    ----------
    model : str, mapping or list
        What `streameval.learners.adapters.build` describes; a list is a pipeline. The seed of
        the run goes to each ``seed`` that is not given.

    Raises
    ------
    ConfigError
        If River is not installed, or the description is wrong.

    References
    ----------
    Montiel et al. (2021), River: machine learning for streaming data in Python.
    """

    model: Any

    name: ClassVar[str] = "river"
    reference: ClassVar[str] = "Montiel et al. (2021), River"

    def __post_init__(self) -> None:
        model = _last_step(self._build(seed=1))
        missing = [name for name in ("learn_one", "predict_one") if not hasattr(model, name)]
        if missing or isinstance(model, RIVER.module(".base").Regressor):
            raise ConfigError(
                f"{type(model).__name__} is no classifier: expected an estimator with learn_one "
                "and predict_one that predicts classes."
            )

    def _build(self, seed: int) -> Any:
        is_pipeline = isinstance(self.model, list) and self.model
        described = {"river.compose.Pipeline": self.model} if is_pipeline else self.model
        return RIVER.build(described, seed)

    def _start(self, stream: Stream, seed: int) -> _Model:
        names = [attribute.name for attribute in stream.schema.attributes]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise DataError(
                f"River tells attributes apart by their names, and stream {stream.name!r} has "
                f"several called {twice[0]!r}. Rename them."
            )
        model = _Model(self._build(seed), stream.n_classes)
        if stream.n_classes > 2 and not model.is_multiclass:
            raise ConfigError(
                f"{model.who} tells two classes apart, and stream {stream.name!r} has "
                f"{stream.n_classes}. Wrap it: {{river.multiclass.OneVsRestClassifier: "
                "{classifier: ...}}."
            )
        return model

    def _who(self, model: Any) -> str:
        return str(model.who)

    def _instances(self, X: NDArray[np.float64], schema: Schema) -> Sequence[dict[str, Any]]:
        kinds = [(attribute.name, attribute.values) for attribute in schema.attributes]
        return [
            {
                name: x if values is None else values[int(x)]
                for (name, values), x in zip(kinds, row, strict=True)
                if x == x  # NaN is missing
            }
            for row in X.tolist()
        ]


def _last_step(model: Any) -> Any:
    """Return the model at the end of a pipeline."""
    while isinstance(model, RIVER.module(".compose").Pipeline):
        model = list(model.steps.values())[-1]
    return model


class _Model:
    """A River model behind the methods of `one_by_one.Model`."""

    def __init__(self, model: Any, n_classes: int) -> None:
        self.model, self.n_classes = model, n_classes
        self.who = f"River's {type(_last_step(model)).__name__}"
        self.is_multiclass = getattr(model, "_multiclass", True)
        self.takes_weights = "w" in inspect.signature(model.learn_one).parameters

    def predict(self, x: dict[str, Any]) -> Any:
        try:
            return self.model.predict_one(x)
        except Exception as error:
            raise self._failed("predict", x, error) from error

    def scores(self, x: dict[str, Any]) -> list[float]:
        try:
            found = self.model.predict_proba_one(x)
        except Exception as error:
            raise self._failed("give class scores for", x, error) from error
        return [found.get(c, 0.0) for c in range(self.n_classes)]

    def learn(self, x: dict[str, Any], y: int, w: float) -> None:
        if self.takes_weights:
            weighted, times = {"w": w}, 1
        else:
            weighted, times = {}, repetitions(w, self.who)
        try:
            for _ in range(times):
                self.model.learn_one(x, y, **weighted)
        except Exception as error:
            raise self._failed("learn", x, error) from error

    def _failed(self, what: str, x: dict[str, Any], error: Exception) -> StreamevalError:
        shown = repr(x) if len(repr(x)) <= 200 else f"{repr(x)[:200]} ..."
        return DataError(
            f"{self.who} could not {what} {shown}: {type(error).__name__}: {error}. Not all of "
            "River's models take texts (nominal values), or instances that lack attributes "
            "(missing values)."
        )
