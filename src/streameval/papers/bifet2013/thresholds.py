"""The thresholds of the claims of Bifet et al. (2013), see `report.claims.thresholds`."""

from __future__ import annotations

#: "Stable": the accuracies for all lags lie within this range.
STABLE = 0.02
#: "Positive for a long period": in more than this proportion of the windows, and not in all.
LONG = 0.5
#: "Performing very well" beside a baseline: more accurate by more than this; a "substantial
#: improvement": by more than this.
VERY_WELL, MUCH = 0.1, 0.02
#: A "nearly perfect" accuracy, and an "evolving" proportion of a class over windows of 1000: with a
#: range above this.
NEARLY_PERFECT, EVOLVES = 0.99, 0.16
#: "Slightly imbalanced": the proportions of two classes differ by at most this.
SLIGHT = 0.2
