"""Temporal dependence of labels, and the accuracy that learners gain from it."""
