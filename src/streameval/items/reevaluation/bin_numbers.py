"""Accuracy by bin for several numbers of bins (Grzenda et al. 2019, Section 6.2)."""

from __future__ import annotations

import pandas as pd

from streameval.evaluation.reevaluation import run_in_bins
from streameval.evaluation.task import CLASSES
from streameval.items.inputs import StreamInput
from streameval.items.reevaluated import of_given
from streameval.items.reevaluation import BinNumbersSettings


def study(given: StreamInput[BinNumbersSettings]) -> dict[str, pd.DataFrame]:
    """Return the accuracies of bins by their number; first and last do not depend on it."""
    settings = given.settings
    made = of_given(given, settings.every)
    scored, parts = made.scored(settings.rule), []
    true = made.stream.y[made.polls.scored[scored]]
    ways = [(bins, settings.rule) for bins in settings.numbers]
    for name, learner in given.learners().items():
        each, _ = run_in_bins(made, learner, ways, scored=scored)
        for bins, found in zip(settings.numbers, each, strict=True):
            accuracy = CLASSES.gain(true[:, None], found.values).mean(axis=0)[1:-1]
            part = {"learner": name, "bins": bins, "bin": range(1, bins + 1), "accuracy": accuracy}
            parts.append(pd.DataFrame(part | {"predictions": len(true)}))
    return {"bin_numbers": pd.concat(parts, ignore_index=True)}
