"""Figures and captions of label budgets."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from streameval.drawing import label_budget
from streameval.drawing.subject import Subject
from streameval.items.text_templates import TextTemplates

#: Title, menu entry and captions of each kind. Settings in braces are filled in.
TEXTS = {
    "label_budget": TextTemplates(
        menu_entry="accuracy by the labels that are learnt",
        caption=(
            "accuracy of learners ({learners}) by the proportion of labels that they learn, for "
            "each budget (dots) and strategy (lines). All instances are predicted and scored. "
            "Bands reach from the lowest to the highest of {runs} runs where seeds matter; they "
            "are not confidence intervals. No-Change and Majority learn randomly chosen labels. "
            "Horizontal lines: the learner and No-Change with all labels."
        ),
        evaluation="predict each instance, learn only labels within the budget",
    ),
}


def draw_label_budget(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the figure of an item: a panel for each learner."""
    return label_budget.draw(frames, subject)
