"""The thresholds of the claims of Žliobaitė et al. (2015), see `report.claims.thresholds`."""

from __future__ import annotations

#: What one more label adds: strongly from here on, and hardly anything up to there, which is what
#: the paper's text says of the 0.02 that it quotes.
STRONG, HARDLY = 0.1, 0.02
#: "High" accuracy; "strongly outperform", and "change little"; "slightly better" at most.
HIGH, MUCH, SLIGHTLY = 0.9, 0.02, 0.05
#: "Hardly outperform": more accurate by at most this.
HARDLY_ABOVE = 0.005
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
