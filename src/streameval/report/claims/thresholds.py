"""The thresholds of all claims: what words such as "high" or "slightly" are taken to mean.

A threshold is fixed before a run. ``docs/rules.csv`` records every rule with the numbers in it and
the day from which it stands. For a rule that has changed, the record has the verdicts by the old
and by the new one. A test compares the rules in the code with the record.
"""

from __future__ import annotations

#: Landis and Koch (1977), The measurement of observer agreement for categorical data, p. 165: from
#: 0.41 agreement is "moderate", up to 0.20 it is "slight".
GOOD_KAPPA, SLIGHT_KAPPA = 0.4, 0.2
#: "Stable": the accuracies for all lags lie within this range.
STABLE = 0.02
#: "Positive for a long period": in more than this proportion of the windows, and not in all.
LONG = 0.5
#: What one more label adds: strongly from here on, and hardly anything up to there, which is what
#: the paper's text says of the 0.02 that it quotes.
STRONG, HARDLY = 0.1, 0.02
#: "High" accuracy; "strongly outperform", and "change little"; "slightly better" at most.
HIGH, MUCH, SLIGHTLY = 0.9, 0.02, 0.05
#: No gain "beyond" a lag; lines that "overlap".
NOTHING, OVERLAP = 0.005, 0.005
#: "Almost everywhere": in at least this proportion of the windows; "reach positive values": in more
#: than that one.
ALMOST, REACH = 0.9, 0.5
#: The proportion that took the place of both on 2026-11-22, after results were known. It decides
#: nothing; the scorecard shows what it would say.
FEW = 0.1
#: Rank correlation of a clear trend.
TREND = 0.9
