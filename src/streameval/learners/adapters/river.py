"""River's classifiers and regressors as learners."""

from __future__ import annotations

import inspect
import random
from collections import deque
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from streameval.base.arrays import Floats
from streameval.base.errors import ConfigError, DataError, StreamevalError
from streameval.base.other_tools import RIVER, ObjectSpec, is_instance_with
from streameval.learners.adapters.number_meaning import NumberMeaning, number_meaning
from streameval.learners.adapters.one_by_one import OneByOneLearner
from streameval.learners.adapters.prediction_buffer import repetitions
from streameval.learners.tasks import BOTH, CLASSIFICATION, REGRESSION, TaskName, Tasks
from streameval.streams.stream import Schema, Stream

#: Task of models by their base class in River. A model of no base class can have either task.
_TASKS: dict[str, TaskName] = {"Classifier": CLASSIFICATION, "Regressor": REGRESSION}
#: River's base classes of models that are neither classifiers nor regressors.
_OTHER_BASES = (
    "Clusterer",
    "MultiLabelClassifier",
    "MultiTargetRegressor",
    "AnomalyDetector",
    "SupervisedAnomalyDetector",
    "AnomalyFilter",
)


@dataclass(frozen=True)
class RiverLearner(OneByOneLearner):
    """A classifier or regressor of River, or an object with the same methods.

    An instance is a dict of values by attribute name: numbers as floats, and nominal values as
    texts. Missing values are left out. Classes are passed as codes, since River's two-class models
    expect 0 and 1. In parameters that name classes, such as ``desired_dist`` of a sampler, names
    are replaced by codes. A model may make no prediction (None), for example before the first
    label. A model whose ``learn_one`` takes ``w`` gets the weight. Other models learn an instance
    of weight 2 twice, as River's ensembles do.

    Parameters
    ----------
    model : str, mapping, list or object of River
        A description: a dotted path such as ``river.tree.HoeffdingTreeClassifier``, or a mapping of
        the path to parameters, see `streameval.base.other_tools`. A list of descriptions is a
        pipeline. Or a model, which stays unchanged: each run begins with an untrained copy (River's
        ``clone``). Each ``seed`` that is not set gets the seed of the run.

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

    def _check_combination(self) -> None:
        """Refuse a model that is neither a classifier nor a regressor; called on construction."""
        if not self.possible_tasks:
            raise ConfigError(
                f"{_last_class(self.model).__name__} is no classifier and no regressor: expected "
                "an estimator with learn_one and predict_one that predicts classes or numbers."
            )

    @property
    def possible_tasks(self) -> Tasks:
        """Tasks of the model, by its base classes in River; nothing is constructed."""
        cls = _last_class(self.model)
        if not all(hasattr(cls, name) for name in ("learn_one", "predict_one")):
            return ()
        bases = {name: getattr(RIVER.module(".base"), name) for name in (*_TASKS, *_OTHER_BASES)}
        # A model of other base classes has no task. A model without any base class may have both.
        declared = [name for name, base in bases.items() if issubclass(cls, base)]
        return tuple(_TASKS[name] for name in declared if name in _TASKS) if declared else BOTH

    def _build(self, seed: int) -> Any:
        if is_instance_with(self.model, "learn_one"):
            return _untrained_copy(self.model, seed)
        return RIVER.build(_description(self.model), seed)

    def _start(self, stream: Stream, seed: int) -> _Model:
        names = [attribute.name for attribute in stream.schema.attributes]
        repeated = sorted({name for name in names if names.count(name) > 1})
        if repeated:
            raise DataError(
                f"River identifies attributes by their names, and stream {stream.name!r} has "
                f"several called {repeated[0]!r}. Rename them."
            )
        model = self._build(seed)
        codes = {name: code for code, name in enumerate(stream.schema.classes or ())}
        if isinstance(model, RIVER.module(".base").Base):
            # Default values of a described model's parameters may be models; they have no seed yet.
            with_seed = _with_seed(model._get_params(), seed)
            with_codes = {
                name: _with_codes(value, codes, name) for name, value in with_seed.items()
            }
            model = model.clone(with_codes)
        model = _Model(model)
        if stream.n_classes > 2 and not model.is_multiclass:
            raise ConfigError(
                f"{model.model_name} predicts only two classes, and stream {stream.name!r} has "
                f"{stream.n_classes}. Wrap it in river.multiclass.OneVsRestClassifier."
            )
        return model

    def _number_meaning(self, model: Any) -> NumberMeaning:
        """Whether whole numbers that the model predicts are class codes or class names."""
        begins_untrained = isinstance(model.model, RIVER.module(".base").Base)
        return number_meaning(_last_step(model.model).learn_one, begins_untrained=begins_untrained)

    def _model_name(self, model: Any) -> str:
        return str(model.model_name)

    def _instances(self, X: Floats, schema: Schema) -> Sequence[dict[str, Any]]:
        kinds = [(attribute.name, attribute.values) for attribute in schema.attributes]
        return [
            {
                name: x if values is None else values[int(x)]
                for (name, values), x in zip(kinds, row, strict=True)
                if x == x  # NaN is missing
            }
            for row in X.tolist()
        ]


def _description(model: Any) -> Any:
    """Description of a single object: a list of models is replaced by a pipeline."""
    return {"river.compose.Pipeline": model} if isinstance(model, list) and model else model


def _last_class(model: Any) -> type:
    """Class of a model, or of the last step of a pipeline; nothing is constructed."""
    if is_instance_with(model, "learn_one"):
        return type(_last_step(model))
    spec, pipeline = RIVER.read(_description(model)), RIVER.module(".compose").Pipeline
    while issubclass(spec.cls, pipeline) and isinstance(spec.values, list) and spec.values:
        # A last step that is no single model, such as a list (River makes a union of it), has no
        # class here. The pipeline counts instead.
        if not isinstance(spec.values[-1], ObjectSpec):
            break
        spec = spec.values[-1]
    return spec.cls


def _untrained_copy(model: Any, seed: int | None) -> Any:
    """Copy a model without its training; missing seeds become `seed`."""
    if not isinstance(model, RIVER.module(".base").Base):
        return deepcopy(model)
    return model.clone(_with_seed(model._get_params(), seed))


def river_has_learnt(model: Any) -> bool:
    """True if the state of a River model differs from an untrained copy, except random states."""
    is_model = isinstance(model, RIVER.module(".base").Base)
    return is_model and _differ(model, _untrained_copy(model, None), set())


#: Types that are compared by value; other objects are compared attribute by attribute.
_SIMPLE_TYPES = (bool, int, float, str, bytes, type(None))


def _differ(model: Any, other: Any, seen: set[int]) -> bool:
    """True if two equally constructed objects differ in state; objects without fields are equal."""
    if isinstance(model, _SIMPLE_TYPES):
        return bool(model != other) and model == model  # NaN is no difference
    if id(model) in seen:
        return False
    seen.add(id(model))
    if isinstance(model, np.ndarray):
        return not np.array_equal(model, other)
    if isinstance(model, random.Random | np.random.RandomState | np.random.Generator):
        return False
    if isinstance(model, Mapping):
        return model.keys() != other.keys() or any(_differ(model[k], other[k], seen) for k in model)
    if isinstance(model, list | tuple | deque):
        return len(model) != len(other) or any(
            _differ(*pair, seen) for pair in zip(model, other, strict=True)
        )
    # An object may replace None in training, such as the root of a tree. Such a difference of types
    # is not counted: trained trees also differ in their counts.
    attributes, other_attributes = getattr(model, "__dict__", {}), getattr(other, "__dict__", {})
    return type(model) is type(other) and _differ(attributes, other_attributes, seen)


def _with_seed(value: Any, seed: int | None, name: str = "") -> Any:
    """Parameters of a River model, as `clone` takes them, with missing seeds filled in."""
    if value is None and name == "seed":
        return seed
    if isinstance(value, dict):
        return {key: _with_seed(inner, seed, key) for key, inner in value.items()}
    if isinstance(value, list):  # `clone` would copy the models of a list with their training
        return [_with_seed(inner, seed) for inner in value]
    # River describes an inner model by a pair: its class and the parameters.
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], type):
        return value[0], _with_seed(value[1], seed)
    return _untrained_copy(value, seed) if isinstance(value, RIVER.module(".base").Base) else value


def _with_codes(value: Any, codes: Mapping[str, int], name: str = "") -> Any:
    """Parameters of a River model, as `clone` takes them, with class names replaced by codes.

    Class names occur as keys of mappings, and as `pos_val` of a metric.
    """
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], type):
        return value[0], {key: _with_codes(inner, codes, key) for key, inner in value[1].items()}
    if isinstance(value, list):
        return [_with_codes(inner, codes) for inner in value]
    if isinstance(value, dict):
        is_by_class = bool(value) and all(isinstance(key, str) and key in codes for key in value)
        return {codes[key] if is_by_class else key: inner for key, inner in value.items()}
    return codes.get(value, value) if name == "pos_val" and isinstance(value, str) else value


def _last_step(model: Any) -> Any:
    """Model at the end of a pipeline, or the model itself."""
    while isinstance(model, RIVER.module(".compose").Pipeline):
        model = list(model.steps.values())[-1]
    return model


class _Model:
    """A River model behind the methods of `one_by_one.Model`."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self.model_name = f"River's {type(_last_step(model)).__name__}"
        self.is_multiclass = getattr(model, "_multiclass", True)
        self.takes_weights = "w" in inspect.signature(model.learn_one).parameters

    def predict(self, x: dict[str, Any]) -> Any:
        try:
            return self.model.predict_one(x)
        except Exception as error:
            raise self._error("predict", x, error) from error

    def scores(self, x: dict[str, Any]) -> Mapping[Any, float]:
        try:
            scores: Mapping[Any, float] = self.model.predict_proba_one(x)
        except Exception as error:
            raise self._error("give class scores for", x, error) from error
        return scores

    def learn(self, x: dict[str, Any], y: Any, w: float) -> None:
        if self.takes_weights:
            weight_argument, n_times = {"w": w}, 1
        else:
            weight_argument, n_times = {}, repetitions(w, self.model_name)
        try:
            for _ in range(n_times):
                self.model.learn_one(x, y, **weight_argument)
        except Exception as error:
            raise self._error("learn", x, error) from error

    def _error(self, action: str, x: dict[str, Any], error: Exception) -> StreamevalError:
        instance = repr(x) if len(repr(x)) <= 200 else f"{repr(x)[:200]} ..."
        return DataError(
            f"{self.model_name} could not {action} {instance}: {type(error).__name__}: {error}. "
            "Some of River's models accept no texts (nominal values), or no instances that lack "
            "attributes (missing values). In parameters, classes are given by their names, or by "
            "the codes 0, 1 and so on."
        )
