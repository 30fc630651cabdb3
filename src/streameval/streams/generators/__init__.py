"""Synthetic streams: MOA's generators with MOA's draws, and our own `markov`."""
