"""Worked examples of published tables, and lists from the literature."""
