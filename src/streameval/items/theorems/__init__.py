"""Theorems about test sets, folds and ADWIN, by simulation."""
