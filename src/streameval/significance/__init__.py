"""Significance tests and confidence intervals: functions of numbers, never of a learner.

A test is a `SignificanceTest` (`significance_test`), registered in `registry.TESTS`. It reads its
evidence, such as the agreement of predictions with the true labels, and returns a
`SignificanceResult`.
"""
