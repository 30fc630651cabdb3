"""The `Regressor` contract, and the base class of compiled regressors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from streameval.base.arrays import Codes
from streameval.base.errors import ConfigError
from streameval.learners.kernel_arguments import RegressionOutputs
from streameval.learners.learner import AnyLearner, Compiled, ConstantInputs
from streameval.learners.predictions import PredictedValues
from streameval.learners.tasks import REGRESSION, Tasks
from streameval.streams.added_inputs import with_constant_inputs
from streameval.streams.stream import Schema, Stream

#: Form of a regressor of MOA: with MOA's defects mended, or with MOA's predictions.
Form = Literal["corrected", "moa"]


def no_scores(name: str) -> ConfigError:
    """Error for a request of class scores from a regressor."""
    return ConfigError(f"{name} is a regressor: it has no class scores.")


class Regressor(AnyLearner[PredictedValues]):
    """A regressor that runs over tapes."""

    tasks: ClassVar[Tasks] = (REGRESSION,)


class CompiledRegressor(Compiled[PredictedValues], Regressor):
    """A compiled regressor."""

    def _outputs(self, n_predictions: int, schema: Schema, scores: bool) -> RegressionOutputs:
        if scores:
            raise no_scores(self.name)
        return RegressionOutputs(np.full(n_predictions, np.nan))

    def _results(
        self, rows: Codes, outputs: RegressionOutputs, scores: bool, costs: dict[str, Any]
    ) -> PredictedValues:
        return PredictedValues(rows, outputs.value, **costs)


@dataclass(frozen=True, kw_only=True)
class MoaRegressor(CompiledRegressor):
    """A compiled regressor of MOA, with MOA's defects or without.

    Parameters
    ----------
    form : {"corrected", "moa"}
        "corrected": without MOA's defects, which the regressor lists. "moa": with MOA's
        predictions.
    constant_inputs : int
        Number of inputs that are always 0 and come after the inputs of the stream. The published
        program of Grzenda et al. (2019) has two. The number changes the first weights of
        perceptrons, the attributes that a forest draws, and which attribute is the last: the last
        of equally good attributes is split.
    """

    form: Form = "corrected"
    constant_inputs: ConstantInputs = 0

    def _prepared(self, stream: Stream) -> Stream:
        return with_constant_inputs(stream, self.constant_inputs)
