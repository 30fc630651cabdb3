"""Wrappers: learners that contain another learner, and add lagged labels, resets or intervals."""
