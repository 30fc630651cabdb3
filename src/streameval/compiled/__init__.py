"""Foundations of compiled code: compilation, its cache, instructions, lanes, draws."""
