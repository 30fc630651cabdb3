"""Drift detectors: functions of a sequence of numbers, never of a model.

Each module has the state of a detector in a NamedTuple of arrays, which kernels feed one number at
a time, and a `Detector`, which runs it over a sequence. Of those that learners use, the arrays hold
a pool of detectors. `registry` lists them by name.
"""
