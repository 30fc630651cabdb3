"""Measures: functions of true and predicted labels, never of a model (floor 1)."""
