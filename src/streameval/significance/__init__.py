"""Significance tests and confidence intervals. They take numbers and know no learners.

A test is a `SignificanceTest` (`significance_test`), registered in `registry.TESTS`. It takes its
evidence, such as the agreement of predictions with the true labels, and returns a
`SignificanceResult`.
"""
