"""Learners: each module has one learner or a few related learners, and their state."""
