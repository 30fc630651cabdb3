"""Measures: functions of true and predicted labels, independent of learners.

A `Tally` has the counts of a stretch of predictions, or of many stretches: `counting.tally` counts
whole streams, `windows` sliding windows and fading weights. Each measure of `registry.MEASURES`
maps tallies to values, and gives the reason where a value is undefined.
"""
