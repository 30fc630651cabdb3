"""Columns of the comparison of a control with others; light, as plans of a run read them."""

from __future__ import annotations

#: Fewer streams are refused.
LEAST_STREAMS = 3
#: Columns of the results: a row for each other learner. `simulated` is the number of simulated
#: streams, `reason` why a learner is left out or can have no other verdict, and `left_out` the
#: streams that are left out, with the reasons.
OTHERS = (
    *("learner", "streams", "difference", "center", "low", "high", "wins", "ties", "losses"),
    *("effect", "wilcoxon_p", "sign_p", "better", "equal", "worse"),
    *("seeds_part", "power", "streams_needed", "simulated", "verdict", "reason", "left_out"),
)
#: Columns of the differences: a row for each stream and other learner. `error` is the standard
#: error of a difference by the seeds, NaN with fewer than two.
DIFFERENCES = ("stream", "simulated", "learner", "difference", "error", "reason")
