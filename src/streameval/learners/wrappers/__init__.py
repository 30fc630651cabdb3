"""Learners around learners: they make any of them use the labels that came before (floor 2)."""
