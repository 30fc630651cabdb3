"""Accuracy of learners on a stream by the proportion of labels that they learn."""

from __future__ import annotations

import pandas as pd

from label_costs import CURVES, LabelBudgetSettings
from streameval.evaluation.label_budget import label_curves
from streameval.items.inputs import StreamInput


def study(stream_input: StreamInput[LabelBudgetSettings]) -> dict[str, pd.DataFrame]:
    """The frame of a figure: ``curves`` has a row for each `BudgetPoint`."""
    settings = stream_input.settings
    curves = label_curves(
        stream_input.labelled_stream,
        stream_input.learners(),
        settings.budgets,
        settings.strategies,
        delay=settings.delay,
        runs=settings.runs,
        seed=settings.seed,
    )
    return {"curves": pd.DataFrame(curves, columns=list(CURVES))}
