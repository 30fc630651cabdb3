"""The accuracy of learners by the labels that they learn, on each stream."""

from __future__ import annotations

import pandas as pd

from label_costs import SPENT, LabelBudgetSettings
from streameval.evaluation.label_budget import label_curves
from streameval.items.inputs import StreamInput


def study(stream_input: StreamInput[LabelBudgetSettings]) -> dict[str, pd.DataFrame]:
    """The frame of a figure: ``curves`` has a row for each `BudgetPoint`."""
    chosen = stream_input.settings
    curves = label_curves(
        stream_input.labelled_stream,
        stream_input.learners(),
        chosen.budgets,
        chosen.strategies,
        delay=chosen.delay,
        runs=chosen.runs,
        seed=chosen.seed,
    )
    return {"curves": pd.DataFrame(curves, columns=list(SPENT))}
