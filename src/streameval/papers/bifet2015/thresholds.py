"""The thresholds of the claims of Bifet et al. (2015), see `report.claims.thresholds`."""

from __future__ import annotations

#: "A period of time" is at least this proportion of the stream without a break, and so is "some".
PERIOD = 0.02
