"""Prediction intervals of regressors: their coverage, width and score."""
