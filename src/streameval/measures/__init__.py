"""Measures: functions of true and predicted labels, never of a model (floor 1).

A stretch of predictions is counted into a `Tally`, batched over as many stretches as wanted
(`tally` for whole streams, `windows` for the others); every measure of `registry.MEASURES` maps
tallies to values, and to the reasons where it is undefined.
"""
