"""Regressors: learners that predict numbers."""
