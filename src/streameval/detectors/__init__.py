"""Change detectors: they listen to a sequence of numbers, never to a model (floor 0).

Each is a pool of detectors in a NamedTuple of arrays, which kernels feed one number at a time,
and a plain function that runs one of them over a whole sequence: `adwin`, `ddm`, `chance`.
"""
