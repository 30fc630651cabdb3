"""Worked examples and lists: of published tables, and of the literature."""
