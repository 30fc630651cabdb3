"""Significance tests and confidence intervals: functions of numbers, independent of learners.

A test is a `SignificanceTest` (`significance_test`), registered in `registry.TESTS`. It takes
evidence, such as the agreement of predictions with the true labels, and returns a
`SignificanceResult`.
"""
