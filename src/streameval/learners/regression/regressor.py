"""The `Regressor` contract, and the base class of compiled regressors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from streameval.base.arrays import Codes
from streameval.base.errors import ConfigError
from streameval.learners.learner import AnyLearner, Compiled, ConstantInputs
from streameval.learners.predictions import PredictedValues
from streameval.learners.stretch import Values
from streameval.learners.tasks import REGRESSION, Tasks
from streameval.streams.added_inputs import with_constant_inputs
from streameval.streams.stream import Schema, Stream

#: How a regressor of MOA runs: with MOA's defects mended, or with its predictions.
Form = Literal["corrected", "moa"]


def no_scores(name: str) -> ConfigError:
    """Error for a regressor of which class scores are requested."""
    return ConfigError(f"{name} is a regressor: it has no class scores.")


class Regressor(AnyLearner[PredictedValues]):
    """A regressor that runs over tapes."""

    tasks: ClassVar[Tasks] = (REGRESSION,)


class CompiledRegressor(Compiled[PredictedValues], Regressor):
    """A compiled regressor."""

    def _outputs(self, predictions: int, schema: Schema, scores: bool) -> Values:
        if scores:
            raise no_scores(self.name)
        return Values(np.full(predictions, np.nan))

    def _results(
        self, rows: Codes, outputs: Values, scores: bool, costs: dict[str, Any]
    ) -> PredictedValues:
        return PredictedValues(rows, outputs.value, **costs)


@dataclass(frozen=True, kw_only=True)
class FormedRegressor(CompiledRegressor):
    """A compiled regressor that also runs as MOA's does, defects included.

    Parameters
    ----------
    form : {"corrected", "moa"}
        With the defects mended that the regressor lists, or with MOA's predictions.
    constant_inputs : int
        Number of inputs that are always 0 and come after those of the stream. The published
        program of Grzenda et al. (2019) has two; the first weights of perceptrons, the attributes
        that a forest draws, and the last attribute depend on their number.
    """

    form: Form = "corrected"
    constant_inputs: ConstantInputs = 0

    def _prepared(self, stream: Stream) -> Stream:
        return with_constant_inputs(stream, self.constant_inputs)
