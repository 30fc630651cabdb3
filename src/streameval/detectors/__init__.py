"""Drift detectors: functions of a sequence of numbers, independent of any model.

Each module has the state of a detector, a NamedTuple of arrays that kernels update number by
number, and a `Detector`, which runs it over a sequence. If learners use a detector, its arrays hold
a pool of such detectors. `registry` lists all detectors by name.
"""
