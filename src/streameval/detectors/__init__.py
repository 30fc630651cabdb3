"""Drift detectors: functions of a sequence of numbers, never of a model (floor 0).

Each module has a pool of detectors in a NamedTuple of arrays, which kernels feed one number at a
time, and a `Detector`, which runs one of them over a sequence. `registry` lists them by name.
"""
