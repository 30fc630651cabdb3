"""The tables of Žliobaitė et al. (2015), the look-up of our values, and thresholds of claims."""

from __future__ import annotations

from streameval.evaluation.roles import AUGMENTED, CORRECTED
from streameval.report.published import COUNTS, PublishedTable, in_columns, in_survey

# ---- thresholds: the meaning of the words of its claims in numbers, fixed before a run

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
#: The critical value of a one-sided test at 5 %.
CRITICAL = 1.65
#: A "small impact" on a test at 5 %: the false alarm rate rises by at most half of the level.
EXTRA = 0.025
#: The error rates by class that its impact is calculated for, and how often labels repeat.
ERRS_ON_A, ERRS_ON_B, REPEATS = 0.1, 0.4, 0.85
#: Rank correlation of a clear trend.
TREND = 0.9

# ---- learners: their ids, and how those of their wrapped forms end

#: The five learners of the paper.
ORDINARY = (
    "naive_bayes",
    "ddm_nb",
    "hoeffding_tree",
    "hoeffding_adaptive_tree",
    "leveraging_bagging",
)
#: Both wrappers; and all forms, the ordinary one included.
WRAPPED = (CORRECTED, AUGMENTED)
WRAPPED_FORMS = ("", *WRAPPED)

# ---- tables

TABLES = (
    PublishedTable(
        "table3",
        ("stream",),
        in_columns,
        (*COUNTS, "P(M)", "P(T)"),
        by_construction={
            "elec2_mlj/attributes": (
                "the configuration keeps the five attributes that the paper names"
            ),
            "ozone/attributes": (
                "the configuration drops the date, which leaves the number that the paper gives"
            ),
        },
        of_labels=("*",),
    ),
    PublishedTable(
        "table5",
        ("algorithm",),
        in_survey,
        ("accuracy_percent",),
        file="zliobaite2015/elec2_literature.csv",
        member="in_zliobaite2015_table5",
        of_labels=("Persistent (No-Change)",),
    ),
)
