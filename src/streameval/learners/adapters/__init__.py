"""Learners of other tools, and predictions from files, as a `Learner`."""
