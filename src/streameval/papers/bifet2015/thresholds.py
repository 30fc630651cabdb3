"""The thresholds of the claims of Bifet et al. (2015), see `report.claims.thresholds`."""

from __future__ import annotations

#: "A period of time" is at least this proportion of the stream without a break, and so is "some".
PERIOD = 0.02
#: "At least 42 %"; "at most 10 %"; and the level of the tests.
MISLEADING, TENTH, LEVEL = 0.42, 0.1, 0.05
#: "Similar": not above by more than this. "Very similar": the mean distance is at most this.
SIMILAR, VERY_SIMILAR = 0.05, 0.02
#: A test "detects" a difference in at least this proportion of the runs; in less it "cannot".
HALF = 0.5
#: Rates that are "comparable" are at most so far from their median; a "large gap" is wider.
COMPARABLE, LARGE = 0.1, 0.2
#: "Little difference": at most this.
LITTLE = 0.05
#: Two differences in accuracy are equal within this; many times the sampling error of our runs.
EQUAL = 0.0005
