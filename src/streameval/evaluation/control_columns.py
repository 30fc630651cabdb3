"""Columns of the comparison of a control with others.

Plans of a run need only these columns, so this module imports nothing slow.
"""

from __future__ import annotations

#: Smallest number of streams of a comparison.
MIN_STREAMS = 3
#: Columns of the results: a row for each learner except the control. `simulated` is the number of
#: simulated streams. `reason` says why a learner is left out, or why no other verdict is possible.
#: `left_out` has the streams that are left out, with the reasons.
OTHER_COLUMNS = (
    *("learner", "streams", "difference", "center", "low", "high", "wins", "ties", "losses"),
    *("effect", "wilcoxon_p", "sign_p", "better", "equal", "worse"),
    *("seeds_part", "power", "streams_needed", "simulated", "verdict", "reason", "left_out"),
)
#: Columns of the differences: a row for each stream and other learner. `error` is the standard
#: error of a difference over seeds, NaN with fewer than two seeds.
DIFFERENCE_COLUMNS = ("stream", "simulated", "learner", "difference", "error", "reason")
