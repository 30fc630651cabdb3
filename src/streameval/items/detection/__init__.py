"""Drift detectors: which drifts they find, and what their alarms are worth to a learner."""
