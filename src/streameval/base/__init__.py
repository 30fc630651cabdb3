"""Basis of all other packages: errors, files, settings, seeds, memory, parameters, arrays."""
