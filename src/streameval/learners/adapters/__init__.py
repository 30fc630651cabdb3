"""Learners of other tools, and answers from anywhere, behind the `Learner` contract (floor 2)."""
