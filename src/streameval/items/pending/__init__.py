"""Pending labels: their delays, and estimates of accuracy without them."""
