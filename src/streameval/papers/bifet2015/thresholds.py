"""The thresholds of the claims of Bifet et al. (2015), see `report.claims.thresholds`."""

from __future__ import annotations

#: "A period of time" is at least this proportion of the stream without a break, and so is "some".
PERIOD = 0.02
#: "At least 42 %", and "about 10 %": at most so far from it, half of the way to the tests' nominal
#: 5 %. The paper's own rates of Wilcoxon's test with split, 0.14 and 0.19, are farther away.
MISLEADING, TENTH, ABOUT = 0.42, 0.1, 0.025
#: "Similar": not above by more than this.
SIMILAR = 0.05
