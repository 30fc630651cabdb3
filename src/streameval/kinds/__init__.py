"""Kinds that have no family yet."""
