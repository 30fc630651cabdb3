"""Hoeffding trees, and the pool of nodes that they live in."""
