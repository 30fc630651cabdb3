"""Foundations of compiled code: compilation, disk cache, instructions, lanes, random numbers."""
