"""The thresholds of the claims of Bifet et al. (2013), see `report.claims.thresholds`."""

from __future__ import annotations

#: "Stable": the accuracies for all lags lie within this range.
STABLE = 0.02
#: "Positive for a long period": in more than this proportion of the windows, and not in all.
LONG = 0.5
