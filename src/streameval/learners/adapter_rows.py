"""Settings of adapters to other tools in rows of ``config/learners.yaml``.

The module imports no adapter, so rows are checked without loading the tools.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from streameval.base.params import Count
from streameval.base.schema import Text

# Path of a model's class, a pipeline as a list of steps, or a class path with its parameters.
_Model = (
    Text
    | Annotated[tuple[Any, ...], Meta(min_length=1)]
    | Annotated[dict[str, Any], Meta(min_length=1, max_length=1)]
)


class _River(Struct):
    model: _Model


class _Sklearn(Struct):
    model: _Model
    one_hot: bool = True
    as_frame: bool = False


class _Retrained(_Sklearn):  # an estimator that is fitted again and again to recent instances
    every: Count = 1000  # number of labels between two fits
    window: Count = 5000  # number of instances to fit


class _Moa(Struct):
    learner: Text
    measure_size: bool = True


class _File(Struct):
    file: Text
    labels: Literal["names", "codes"] = "names"
    column: str = ""


#: Schema of the `parameters` of a row, by the name of the adapter.
PARAMETERS = {
    "river": _River,
    "sklearn": _Sklearn,
    "retrained": _Retrained,
    "moa": _Moa,
    "predictions_file": _File,
}
