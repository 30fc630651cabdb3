"""Evaluation protocols: pure functions from the length or the times of a stream to a `Tape`."""
