"""Learners: one file each, their state never leaves it (floor 2)."""
