"""Evaluation protocols: pure functions from a stream's length or times to a `Tape`."""
