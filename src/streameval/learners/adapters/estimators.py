"""Common functions of adapters to scikit-learn estimators: steps, copies, inputs and errors.

A model is an object, or a description of an object: a dotted path such as
``sklearn.naive_bayes.GaussianNB``, or a mapping of such a path to parameters.
`streameval.base.other_tools` reads a description into an `ObjectSpec`, the class and its arguments.
A pipeline may be described by a list of the descriptions of its steps.

Shapes: (b, m) is a batch of b rows of a stream with m attributes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from copy import deepcopy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Codes, Floats
from streameval.base.errors import (
    ConfigError,
    DataError,
    StreamevalError,
    excerpt,
    listing,
    warn_caller,
)
from streameval.base.other_tools import SKLEARN, ObjectSpec, is_instance_with
from streameval.learners.tasks import BOTH, LEARNER_NOUNS, PREDICTION_NOUNS, Tasks
from streameval.streams.readers.table import StreamWarning
from streameval.streams.stream import Schema, Stream


class OneHot:
    """One-hot encoding of rows (b, m): each value of a nominal attribute gets a column."""

    def __init__(self, schema: Schema) -> None:
        widths = np.maximum(schema.n_values, 1)  # a numeric attribute has 0 values and one column
        self.width, first_column = int(widths.sum()), np.cumsum(widths) - widths
        self.nominal = schema.n_values > 0
        self.nominal_start = first_column[self.nominal]
        self.numeric = first_column[~self.nominal]

    def __call__(self, X: Floats) -> Floats:
        """Encode rows (b, m) as rows (b, width)."""
        codes, out = X[:, self.nominal], np.zeros((len(X), self.width))
        out[:, self.numeric] = X[:, ~self.nominal]
        row, j = np.nonzero(~np.isnan(codes))
        out[row, self.nominal_start[j] + codes[row, j].astype(np.intp)] = 1
        return out


class InputFormat:
    """Conversion of rows (b, m) and class codes to the format of a model.

    A `ColumnTransformer` that names its columns, or selects them by type, gets a pandas frame with
    the stream's names and with nominal values as texts. If `as_frame` is true, every model gets
    such a frame. A model whose class weights are keyed by class names gets class names
    as labels.
    """

    def __init__(self, models: Any, schema: Schema, *, one_hot: bool, as_frame: bool) -> None:
        parts = [part for model in models for part in _parts(model)]
        self._schema = schema
        self._encode = OneHot(schema) if one_hot else np.asarray
        self._as_frame = as_frame or any(_needs_frame(part) for _, part in parts)
        has_named_weights = schema.classes is not None and any(
            name.endswith("class_weight") and _has_texts(part) for name, part in parts
        )
        self.classes = np.array(schema.classes, dtype=object) if has_named_weights else None

    def rows(self, X: Floats) -> Any:
        """Inputs of the model for rows (b, m): a matrix or a frame."""
        if not self._as_frame:
            return self._encode(X)
        import pandas as pd

        columns = [
            X[:, j]
            if attribute.values is None
            else pd.Categorical.from_codes(
                np.where(np.isnan(X[:, j]), -1, X[:, j]).astype(np.intp),
                pd.Index(attribute.values),
            )
            for j, attribute in enumerate(self._schema.attributes)
        ]
        # Columns are numbered first, as several attributes may have the same name.
        frame = pd.DataFrame(dict(enumerate(columns)), index=range(len(X)))
        return frame.set_axis([attribute.name for attribute in self._schema.attributes], axis=1)

    def labels(self, y: NDArray[Any]) -> NDArray[Any]:
        """Labels, or targets, in the form that the model learns."""
        return y if self.classes is None else self.classes[y]


def take_rows(inputs: Any, rows: NDArray[np.intp]) -> Any:
    """Take rows of a model's inputs, a matrix or a frame."""
    return inputs[rows] if isinstance(inputs, np.ndarray) else inputs.iloc[rows]


def join_batches(parts: Sequence[Any]) -> Any:
    """Concatenate the inputs, or labels, of several calls."""
    if isinstance(parts[0], np.ndarray):
        return np.concatenate(parts)
    import pandas as pd

    return pd.concat(parts, ignore_index=True)


def _parts(model: Any) -> list[tuple[str, Any]]:
    """(name, value) of a model and of its parameters, including parameters of inner models."""
    return [("", model), *(model.get_params().items() if hasattr(model, "get_params") else ())]


def _needs_frame(part: Any) -> bool:
    """True for a `ColumnTransformer` that selects columns by name or type."""
    if not _is_a("compose.ColumnTransformer", part):
        return False
    selections = [columns for _, _, columns in part.transformers]
    return any(
        isinstance(columns, str) or callable(columns) or _has_texts(columns)
        for columns in selections
    )


def _has_texts(part: Any) -> bool:
    """True for a list with texts, or a mapping with texts as keys."""
    is_collection = isinstance(part, Mapping | list | tuple | np.ndarray)
    return is_collection and any(isinstance(element, str) for element in part)


def class_of(model: Any) -> type:
    """Class of a model, or class that a description names."""
    return model.cls if isinstance(model, ObjectSpec) else type(model)


def _is_a(name: str, model: Any) -> bool:
    """True if a model is an instance of a class of scikit-learn, which may not be installed."""
    module, _, cls = name.rpartition(".")
    loaded = sys.modules.get(f"{SKLEARN.package}.{module}")
    return loaded is not None and issubclass(class_of(model), getattr(loaded, cls))


def is_pipeline(model: Any) -> bool:
    """True for a pipeline of scikit-learn."""
    return _is_a("pipeline.Pipeline", model)


def is_estimator(model: Any) -> bool:
    """True for a model or transformer object, False for a description of one."""
    return any(
        is_instance_with(model, name) for name in ("get_params", "fit", "partial_fit", "transform")
    )


def steps_of(model: Any) -> list[Any]:
    """Steps of a description or of a pipeline; inner pipelines are replaced by their steps."""
    if isinstance(model, list) and model:
        return [inner for step in model for inner in steps_of(step)]
    if not is_pipeline(model):
        return [model]
    pairs = _pairs(model) if isinstance(model, ObjectSpec) else model.steps
    steps = [step for _, step in pairs if step is not None and step != "passthrough"]
    inner_steps = [inner for step in steps for inner in steps_of(step)]
    return inner_steps or [model]  # an empty pipeline is its own only step


def _pairs(pipeline: ObjectSpec) -> list[Any]:
    """[name, step] pairs of a described pipeline; scikit-learn refuses steps in another form."""
    steps = pipeline.values_by_name().get("steps")
    pairs = steps if isinstance(steps, list) else []
    return [pair for pair in pairs if isinstance(pair, list) and len(pair) == 2]


def build_model(model: Any, seed: int) -> Any:
    """Build an untrained model with a seed: a copy of an object, or the object of a description."""
    return untrained_copy(model, seed) if is_estimator(model) else SKLEARN.build(model, seed)


def read_model(model: Any) -> Any:
    """Untrained copy of a model, or a description read as an `ObjectSpec`, for checks."""
    return untrained_copy(model, seed=1) if is_estimator(model) else SKLEARN.read(model)


def has_learnt(model: Any) -> bool:
    """Whether a step of an estimator has earlier training that an `untrained_copy` loses."""
    return any(
        name.endswith("_") and not name.startswith("_")  # scikit-learn's names of fitted values
        for step in steps_of(model)
        if hasattr(step, "get_params")  # `untrained_copy` keeps the training of other objects
        for name in getattr(step, "__dict__", {})
    )


def warn_of_training(model: Any) -> None:
    """Warn that a run ignores the earlier training of a model."""
    warn_caller(
        f"{type(steps_of(model)[-1]).__name__} has been trained before, and each run begins with "
        "an untrained copy of it. To keep its training, pass an object of a class with "
        "learn(x, y, w) and predict(x) that calls it: such an object is copied as it is.",
        StreamWarning,
    )


def untrained_copy(model: Any, seed: int) -> Any:
    """Copy a model without its training; `seed` replaces random states that are None.

    An object without `get_params` is copied as it is, with its training.
    """
    has_parameters, copy = hasattr(model, "get_params"), deepcopy
    if has_parameters:
        with suppress(ConfigError):  # a custom class does not need scikit-learn
            copy = SKLEARN.module(".base").clone
    try:
        copied = copy(model)
    except Exception as error:  # a custom model may raise anything
        raise ConfigError(
            f"{type(model).__name__} cannot be copied, so that it is not changed by a run: "
            f"{excerpt(error)}"
        ) from error
    if has_parameters:
        missing = [
            name
            for name, value in copied.get_params().items()
            if value is None and name.rpartition("__")[2] == SKLEARN.seed_parameter
        ]
        copied.set_params(**dict.fromkeys(missing, seed))
    return copied


def model_tasks(model: Any) -> Tasks:
    """Tasks of the last step of a model or of its description; nothing is constructed or copied."""
    while isinstance(model, list) and model:
        model = model[-1]
    return estimator_tasks(steps_of(model if is_estimator(model) else SKLEARN.read(model))[-1])


def estimator_tasks(step: Any) -> Tasks:
    """Tasks of an estimator by its declared kind; both tasks if it declares no kind."""
    declared = _declared_kind(step)
    if not has_method(step, "predict"):
        return ()
    # The nouns, "classifier" and "regressor", are also scikit-learn's words for these kinds.
    return tuple(task for task, kind in LEARNER_NOUNS.items() if declared in (kind, ""))


def check_estimator(step: Any, tasks: Tasks = BOTH) -> None:
    """Refuse an estimator without `predict`, or of other tasks.

    Clusterers, outlier detectors and mixtures also have a `predict`, but its numbers are no class
    codes.
    """
    check_values(step)
    if {*tasks} & {*estimator_tasks(step)}:
        return
    declared = _declared_kind(step)
    kinds = " or ".join(LEARNER_NOUNS[task] for task in tasks)
    predicts = " or ".join(PREDICTION_NOUNS[task] for task in tasks)
    actual_kind = f" but a {declared.replace('_', ' ')}" if declared else ""
    actual_kind = actual_kind.replace("a outlier", "an outlier")  # the only such kind
    raise ConfigError(
        f"{class_of(step).__name__} is no {kinds}{actual_kind}: expected an estimator that "
        f"predicts {predicts}."
    )


#: Base classes of scikit-learn by the kind of estimator that they declare.
_MIXINS = {
    "classifier": "ClassifierMixin",
    "regressor": "RegressorMixin",
    "clusterer": "ClusterMixin",
    "outlier_detector": "OutlierMixin",
    "density_estimator": "DensityMixin",
}


def _declared_kind(step: Any) -> str:
    """Kind of estimator that a model declares, in scikit-learn's words; "" if it declares none."""
    for kind, mixin in _MIXINS.items():
        if _is_a(f"base.{mixin}", step):
            return kind
    if isinstance(step, ObjectSpec):  # a parameter search has the kind of its inner estimator
        inner = step.values_by_name().get("estimator")
        return _declared_kind(inner) if isinstance(inner, ObjectSpec) else ""
    if _is_a("base.BaseEstimator", step):
        return str(SKLEARN.module(".utils").get_tags(step).estimator_type or "")
    return str(getattr(step, "_estimator_type", None) or "")


def begins_untrained(step: Any) -> bool:
    """True if an estimator begins each run untrained: it has learnt no labels before the run."""
    return _is_a("base.BaseEstimator", step) and not _is_a("frozen.FrozenEstimator", step)


def has_method(model: Any, method: str) -> bool:
    """True if a model, or the class that a description names, has a method."""
    return hasattr(model.cls if isinstance(model, ObjectSpec) else model, method)


def check_values(step: Any) -> None:
    """Let scikit-learn check the values of the parameters before a fit."""
    if isinstance(step, ObjectSpec):
        _check_spec(step)
    # Estimators of other packages inherit the method, but may declare no constraints for it.
    elif hasattr(step, "_validate_params") and hasattr(step, "_parameter_constraints"):
        try:
            step._validate_params()
        except ValueError as error:
            raise ConfigError(str(error)) from error


def _check_spec(spec: ObjectSpec) -> None:
    """Check the values of a described model and of its inner models without constructing them."""
    values = spec.values_by_name()
    for inner in _specs_in([*values.values()]):
        _check_spec(inner)
    if hasattr(spec.cls, "_validate_params") and hasattr(spec.cls, "_parameter_constraints"):
        # Inner models have been checked above.
        simple_values = {name: value for name, value in values.items() if not [*_specs_in([value])]}
        try:
            SKLEARN.module(".utils._param_validation").validate_parameter_constraints(
                spec.cls._parameter_constraints, simple_values, caller_name=spec.cls.__name__
            )
        except ValueError as error:
            raise ConfigError(str(error)) from error


def _specs_in(values: Iterable[Any]) -> Iterator[ObjectSpec]:
    """Yield the described models among values and inside lists and mappings."""
    for value in values:
        if isinstance(value, ObjectSpec):
            yield value
        elif isinstance(value, Mapping):
            yield from _specs_in(value.values())
        elif isinstance(value, list | tuple):
            yield from _specs_in(value)


@contextmanager
def explain_errors(
    model_name: Callable[[], str], stream: Stream, rows: Codes, X: Any
) -> Iterator[None]:
    """Add the stream and the rows to an error of scikit-learn.

    `rows` are row numbers of the stream, and `X` has the inputs of the model in these rows. If `X`
    is not an array, the stream tells which values are missing. `model_name` is called after an
    error, since it may name the step of a pipeline that failed.
    """
    try:
        yield
    except StreamevalError:
        raise
    except Exception as error:
        reason = str(error).partition("\n")[0]
        inputs = X if isinstance(X, np.ndarray) else stream.X[rows]
        missing = np.isnan(inputs).any(axis=1)
        if "NaN" in reason and missing.any():
            row = int(rows[np.argmax(missing)])
            raise _missing_values_error(model_name(), stream, row, reason) from error
        first, last = stream.file_row_of(rows[[0, -1]])
        where = f"row {first}" if len(rows) == 1 else f"rows {first} to {last}"
        raise DataError(
            f"{model_name()} failed at {where} of stream {stream.name!r}: {reason}"
        ) from error


def _missing_values_error(model_name: str, stream: Stream, row: int, reason: str) -> DataError:
    values = zip(stream.schema.attributes, stream.X[row], strict=True)
    names = listing(attribute.name for attribute, x in values if np.isnan(x))
    return DataError(
        f"{model_name} takes no missing values, and row {stream.file_row_of(row)} of stream "
        f"{stream.name!r} has some: {names}. Use a learner that takes them, or fill them in. "
        f"scikit-learn says: {reason}"
    )
