"""The `Regressor` contract, and the base class of compiled regressors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from streameval.base.arrays import Codes
from streameval.base.errors import ConfigError, DataError
from streameval.learners.learner import AnyLearner, Compiled, ConstantInputs
from streameval.learners.predictions import PredictedValues
from streameval.learners.rows import check_rows
from streameval.learners.stretch import Values
from streameval.protocols.tape import Tape
from streameval.streams.added_inputs import with_constant_inputs
from streameval.streams.stream import Schema, Stream

#: Largest target: the squares of some millions of them have a finite sum.
LARGEST = 1e150
#: How a regressor of MOA runs: with MOA's defects mended, or with its predictions.
Form = Literal["corrected", "moa"]


def no_scores(name: str) -> ConfigError:
    """Return the error for class scores that are requested of a regressor."""
    return ConfigError(f"{name} is a regressor: it has no class scores.")


class Regressor(AnyLearner[PredictedValues]):
    """A regressor that runs over tapes."""

    def _check(self, stream: Stream, tape: Tape) -> None:
        """Refuse a nominal target, targets that are not finite, and a tape of another stream."""
        if stream.schema.classes is not None:
            raise DataError(
                f"{self.name} is a regressor, and the target {stream.schema.target!r} of stream "
                f"{stream.name!r} is nominal. Read numbers with the option numeric_target, or "
                "choose a classifier."
            )
        wrong = np.flatnonzero(~(np.abs(stream.y) <= LARGEST) & stream.labelled)
        if wrong.size:
            raise DataError(
                f"{self.name}: expected finite numbers as the target {stream.schema.target!r} of "
                f"stream {stream.name!r}, up to {LARGEST:g}, found {stream.y[wrong[0]]} at row "
                f"{stream.file_row_of(wrong[0])}. Remove rows without a target; give large ones in "
                "another unit."
            )
        check_rows(stream, tape)


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
