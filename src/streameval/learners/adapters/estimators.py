"""What adapters to estimators of scikit-learn's interface share: steps, copies, inputs, errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from streameval.errors import ConfigError, DataError, StreamevalError, some
from streameval.other_tools import Tool
from streameval.streams.stream import Schema, Stream

SKLEARN = Tool("scikit-learn", "sklearn", seed="random_state")


class OneHot:
    """Rows (b, m) to rows in which each value of a nominal attribute has a column."""

    def __init__(self, schema: Schema) -> None:
        widths = np.maximum(schema.n_values, 1)
        self.width, first = int(widths.sum()), np.cumsum(widths) - widths
        self.nominal = schema.n_values > 0
        self.first_value, self.numeric = first[self.nominal], first[~self.nominal]

    def __call__(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the wider rows."""
        codes, out = X[:, self.nominal], np.zeros((len(X), self.width))
        out[:, self.numeric] = X[:, ~self.nominal]
        row, j = np.nonzero(~np.isnan(codes))
        out[row, self.first_value[j] + codes[row, j].astype(np.intp)] = 1
        return out


def steps_of(model: Any) -> list[Any]:
    """Return the steps of a description or of a pipeline, those of pipelines inside included."""
    if isinstance(model, list) and model:
        return [inner for step in model for inner in steps_of(step)]
    if not isinstance(model, SKLEARN.module(".pipeline").Pipeline):
        return [model]
    steps = [step for _, step in model.steps if step is not None and step != "passthrough"]
    return [inner for step in steps for inner in steps_of(step)]


def untrained(model: Any, seed: int) -> Any:
    """Return a copy of a model that has learnt nothing, seeded where the model is not."""
    try:
        copied = SKLEARN.module(".base").clone(model, safe=False)
    except (RuntimeError, TypeError, ValueError) as error:
        raise ConfigError(f"{type(model).__name__} cannot be copied: {error}") from error
    if hasattr(copied, "get_params"):
        missing = [
            name
            for name, value in copied.get_params().items()
            if value is None and name.rpartition("__")[2] == SKLEARN.seed
        ]
        copied.set_params(**dict.fromkeys(missing, seed))
    return copied


def check_kind(step: Any, kind: str) -> None:
    """Refuse an estimator that predicts nothing, or not what a kind does.

    The kind is classifier or regressor.
    """
    check_values(step)
    base, is_number = SKLEARN.module(".base"), kind == "regressor"
    other = base.ClassifierMixin if is_number else base.RegressorMixin
    if not hasattr(step, "predict") or isinstance(step, other):
        predicts = "numbers" if is_number else "classes"
        raise ConfigError(
            f"{type(step).__name__} is no {kind}: expected an estimator that predicts {predicts}."
        )


def check_values(step: Any) -> None:
    """Check the parameters' values by scikit-learn, before it fits."""
    if hasattr(step, "_validate_params"):
        try:
            step._validate_params()
        except ValueError as error:
            raise ConfigError(str(error)) from error


@contextmanager
def explained(
    who: str, stream: Stream, rows: NDArray[np.int32], X: NDArray[np.float64]
) -> Iterator[None]:
    """Add the stream and the rows to an error of scikit-learn."""
    try:
        yield
    except StreamevalError:
        raise
    except Exception as error:
        reason = str(error).partition("\n")[0]
        missing = np.isnan(X).any(axis=1)
        if "NaN" in reason and missing.any():
            raise _takes_no_missing(who, stream, int(rows[np.argmax(missing)]), reason) from error
        where = f"row {rows[0]}" if len(rows) == 1 else f"rows {rows[0]} to {rows[-1]}"
        raise DataError(f"{who} failed at {where} of stream {stream.name!r}: {reason}") from error


def _takes_no_missing(who: str, stream: Stream, row: int, reason: str) -> DataError:
    values = zip(stream.schema.attributes, stream.X[row], strict=True)
    names = some(attribute.name for attribute, x in values if np.isnan(x))
    return DataError(
        f"{who} takes no missing values, and row {row} of stream {stream.name!r} has some: "
        f"{names}. Use a learner that takes them, or fill them in. scikit-learn says: {reason}"
    )
