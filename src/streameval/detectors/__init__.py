"""Drift detectors: functions of a sequence of numbers. They know no models.

Each module has the state of a detector, a NamedTuple of arrays that kernels update number by
number, and a `Detector`, which runs it over a sequence. The arrays of detectors that learners use
hold a pool of detectors. `registry` lists all detectors by name.
"""
