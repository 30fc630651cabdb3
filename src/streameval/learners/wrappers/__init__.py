"""Learners around learners, which add previous labels to any of them."""
