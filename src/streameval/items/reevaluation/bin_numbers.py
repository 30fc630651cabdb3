"""Accuracy by bin for several numbers of bins (Grzenda et al. 2019, Section 6.2)."""

from __future__ import annotations

import pandas as pd

from streameval.evaluation.reevaluation import run_in_bins
from streameval.evaluation.task import CLASSIFICATION_TASK
from streameval.items.inputs import StreamInput
from streameval.items.reevaluated import reevaluate_input
from streameval.items.reevaluation import BinNumbersSettings


def study(stream_input: StreamInput[BinNumbersSettings]) -> dict[str, pd.DataFrame]:
    """The accuracies by bin for each number of bins.

    The first and the last bin are left out, as they do not depend on the number of bins.
    """
    settings = stream_input.settings
    run = reevaluate_input(stream_input, settings.every)
    scored, parts = run.scored(settings.rule), []
    true = run.stream.y[run.prediction_events.labelled_rows[scored]]
    binnings = [(bins, settings.rule) for bins in settings.numbers]
    for name, learner in stream_input.learners().items():
        predictions_by_bin, _ = run_in_bins(run, learner, binnings, scored=scored)
        for bins, predictions in zip(settings.numbers, predictions_by_bin, strict=True):
            gains = CLASSIFICATION_TASK.gain(true[:, None], predictions.values)
            accuracy = gains.mean(axis=0)[1:-1]  # without the first and the last bin
            part = {"learner": name, "bins": bins, "bin": range(1, bins + 1), "accuracy": accuracy}
            parts.append(pd.DataFrame(part | {"predictions": len(true)}))
    return {"bin_numbers": pd.concat(parts, ignore_index=True)}
