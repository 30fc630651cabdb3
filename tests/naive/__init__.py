"""Slow, literal twins of compiled or vectorised code."""
