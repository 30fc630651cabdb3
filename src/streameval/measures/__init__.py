"""Measures: functions of true and predicted labels, never of a model.

A `Tally` counts one stretch of predictions, or many at once: `tally` counts whole streams,
`windows` parts of them. Every measure of `registry.MEASURES` maps tallies to values and, where it
is undefined, to the reason.
"""
