"""Hoeffding trees, and their pool of nodes."""
