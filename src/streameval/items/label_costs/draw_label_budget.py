"""Accuracy by the proportion of labels that are learnt, a panel for each learner."""

from streameval.drawing.label_budget import draw as draw
