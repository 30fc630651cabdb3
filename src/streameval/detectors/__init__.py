"""Drift detectors: functions of a sequence of numbers, never of a model (floor 0).

Each is a pool of detectors in a NamedTuple of arrays, which kernels feed one number at a time,
and a plain function that runs one of them over a sequence: `adwin`, `ddm`, `chance`.
"""
