"""The accuracy of learners by the labels that they learn, on each stream."""

from __future__ import annotations

import pandas as pd

from label_costs import SPENT, LabelBudgetSettings
from streameval.evaluation.label_budget import label_curves
from streameval.items.inputs import StreamInput


def study(given: StreamInput[LabelBudgetSettings]) -> dict[str, pd.DataFrame]:
    """Return the frame of a figure: ``curves`` has a row for each `BudgetPoint`."""
    chosen = given.settings
    found = label_curves(
        given.labelled_stream,
        given.learners(),
        chosen.budgets,
        chosen.strategies,
        delay=chosen.delay,
        runs=chosen.runs,
        seed=chosen.seed,
    )
    return {"curves": pd.DataFrame(found, columns=list(SPENT))}
