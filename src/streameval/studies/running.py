"""Running several learners over the same tape."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pandas as pd

from streameval.learners.learner import Learner
from streameval.learners.predictions import Predictions
from streameval.protocols.tape import Tape
from streameval.streams.stream import Stream
from streameval.studies.prediction_table import PredictionTable


def run_learners(
    stream: Stream,
    tape: Tape,
    learners: Mapping[str, Learner],
    seed: int = 1,
    announce: Callable[[str, Predictions], object] | None = None,
) -> tuple[PredictionTable, pd.DataFrame]:
    """Play several learners over the same tape.

    Parameters
    ----------
    stream, tape : Stream, Tape
        What to play.
    learners : mapping of str to Learner
        By id; `COMPARATORS` must be among them.
    seed : int
        Seed of the randomised ones.
    announce : callable, optional
        Called with a learner's id and predictions as soon as it has finished.

    Returns
    -------
    PredictionTable
        What they answered.
    pandas.DataFrame
        What it cost: columns learner, instances, seconds (CPU), model_bytes.
    """
    predicted, costs = {}, []
    for name, learner in learners.items():
        predictions = learner.play(stream, tape, seed)
        predicted[name] = predictions.label
        costs.append((name, len(tape), predictions.seconds, predictions.model_bytes))
        if announce is not None:
            announce(name, predictions)
    columns = ["learner", "instances", "seconds", "model_bytes"]
    table = PredictionTable(stream.y[tape.predict_rows], predicted, stream.n_classes)
    return table, pd.DataFrame(costs, columns=columns)
