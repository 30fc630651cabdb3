"""Foundations of compiled code: compilation, its cache, bits, lanes, memory, draws (floor 0)."""
