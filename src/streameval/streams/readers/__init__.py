"""Readers of files: `reading` has the steps of every reader, `values` the meaning of values."""
