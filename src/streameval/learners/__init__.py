"""Learners: one file each, their state never leaves it."""
