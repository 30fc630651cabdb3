"""Substitutes for the previous label while it is pending."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd

from pending_labels import DELAYS, DelaysSettings
from streameval.base.arrays import Floats
from streameval.evaluation.measurements import overall_measures
from streameval.evaluation.predictions import PredictionTable
from streameval.evaluation.run import run_learners
from streameval.items.inputs import StreamInput
from streameval.learners.baselines import Majority, NoChange
from streameval.learners.learner import Classifier
from streameval.learners.predictions import Predictions
from streameval.learners.wrappers.prediction_augmented import PredictionAugmented
from streameval.learners.wrappers.temporally_augmented import TemporallyAugmented
from streameval.protocols.prequential import Delayed
from streameval.significance.stream_mean import Sample, stream_mean

#: Wrappers by the input that they add to an instance: none, the latest label that has arrived, the
#: learner's own prediction for the previous instance, or both.
OPTIONS: dict[str, Callable[..., Classifier]] = {
    "ordinary": lambda learner: learner,
    "older_label": TemporallyAugmented,
    "predicted_label": PredictionAugmented,
    "both": partial(PredictionAugmented, older=True),
}

#: Measures of each learner.
MEASURED = ("accuracy", "kappa", "kappa_temporal")


def study(stream_input: StreamInput[DelaysSettings]) -> dict[str, pd.DataFrame]:
    """Compare the options that Žliobaitė et al. (2015) leave open for delayed labels (Section 8).

    `gain` is the accuracy with the option minus the accuracy of "ordinary". Its interval is over
    the instances, and does not cover other seeds. No-Change repeats the latest label that has
    arrived. Instances that arrive before the first label are not scored.
    """
    stream, parts = stream_input.labelled_stream, []
    learners: dict[str, Classifier] = {NoChange.name: NoChange(), Majority.name: Majority()}
    # (learner, option) by the name of a wrapped learner
    options = {name: (name, "ordinary") for name in learners}
    for name, learner in stream_input.learners().items():
        learners |= {f"{name}:{option}": wrap(learner) for option, wrap in OPTIONS.items()}
        options |= {f"{name}:{option}": (name, option) for option in OPTIONS}
    for delay in sorted(stream_input.settings.delays):
        # The default value binds the delay of this round of the loop.
        def announce(name: str, predictions: Predictions, delay: int = delay) -> None:
            learner, option = options[name]
            stream_input.announce(
                f"delay {delay}, {learner}, {option}: {predictions.seconds:.2f} s"
            )

        table, _ = run_learners(stream, Delayed(delay), learners, announce=announce)
        values = overall_measures(table, measures=MEASURED).assign(delay=delay)
        values[["gain", "low", "high"]] = _gains(table, values)
        values[["learner", "option"]] = values["learner"].map(options).tolist()
        parts.append(values[[*DELAYS]])
    return {"delays": pd.concat(parts, ignore_index=True)}


def _gains(table: PredictionTable, values: pd.DataFrame) -> Floats:
    """Gain over the unwrapped learner, and ends of its interval, row by row."""
    correct = {name: labels == table.true for name, labels in table.predicted.items()}
    gains = np.full((len(values), 3), np.nan)
    for row, (name, measure) in enumerate(values[["learner", "measure"]].to_numpy()):
        # Names are LEARNER:OPTION, but baselines have no option, and so no gain.
        ordinary = f"{name.partition(':')[0]}:ordinary"
        if measure == "accuracy" and ordinary in correct and name != ordinary:
            differences = correct[name] - correct[ordinary].astype(np.float64)
            gains[row] = stream_mean(Sample(differences, order=table.order()))[:3]
    return gains
