"""Measures of learners over a stream: curves, estimates and tables."""
