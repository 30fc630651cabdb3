"""The tables of Žliobaitė et al. (2015), the look-up of our values, and thresholds of claims."""

from __future__ import annotations

from streameval.evaluation.roles import AUGMENTED, CORRECTED
from streameval.report.published import COUNTS, PublishedTable, find_in_columns, find_in_survey

# ---- thresholds: words of the paper's claims in numbers, fixed before a run

#: A further label adds something "strongly" from this effect on.
STRONG = 0.1
#: A further label adds "hardly" anything up to this effect: the text says so of 0.02.
HARDLY = 0.02
#: A "high" accuracy is above this.
HIGH = 0.9
#: "Strongly outperform": more accurate by more than this; "change little": by at most this.
MUCH = 0.02
#: "Slightly better": more accurate by at most this.
SLIGHTLY = 0.05
#: "Hardly outperform": more accurate by at most this.
HARDLY_ABOVE = 0.005
#: No gain "beyond" a lag: at most this.
NOTHING = 0.005
#: Lines "overlap" if they differ by at most this.
OVERLAP = 0.005
#: "Almost everywhere": in at least this proportion of the windows.
ALMOST = 0.9
#: "Reach positive values": in more than this proportion of the windows.
REACH = 0.5
#: The proportion that replaced `ALMOST` and `REACH` on 2026-11-22, after results were known. It
#: decides no claim; the scorecard shows the verdict that it would give.
FEW = 0.1
#: The critical value of a one-sided test at 5 %.
CRITICAL = 1.65
#: A "small impact" on a test at 5 %: the false alarm rate rises by at most half of the level.
EXTRA = 0.025
#: Error rate on the first class for which the impact is calculated.
ERRS_ON_A = 0.1
#: Error rate on the second class.
ERRS_ON_B = 0.4
#: Probability that a label repeats.
REPEATS = 0.85
#: Smallest rank correlation of a clear trend.
TREND = 0.9

# ---- learners: their ids, and the endings of the ids of their wrapped forms

#: The five learners of the paper.
ORDINARY = (
    "naive_bayes",
    "ddm_nb",
    "hoeffding_tree",
    "hoeffding_adaptive_tree",
    "leveraging_bagging",
)
#: Endings of both wrappers.
WRAPPED = (CORRECTED, AUGMENTED)
#: Endings of all forms, including the ordinary learner.
WRAPPED_FORMS = ("", *WRAPPED)

# ---- tables

TABLES = (
    PublishedTable(
        "table3",
        ("stream",),
        find_in_columns,
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
        find_in_survey,
        ("accuracy_percent",),
        file="zliobaite2015/elec2_literature.csv",
        member="in_zliobaite2015_table5",
        of_labels=("Persistent (No-Change)",),
    ),
)
