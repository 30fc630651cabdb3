"""The tables of Žliobaitė et al. (2015), the look-up of our values, and thresholds of claims."""

from __future__ import annotations

from streameval.evaluation.roles import AUGMENTED, CORRECTED
from streameval.report.published import COUNTS, PublishedTable, find_in_columns, find_in_survey

# ---- thresholds: words of the paper's claims in numbers, fixed before a run

#: A label has a "strong" effect if it adds more than this to the probability of its class.
MIN_STRONG_EFFECT = 0.1
#: A label adds "hardly" anything if its effect is at most this, the number in the paper's text.
MAX_WEAK_EFFECT = 0.02
#: A "high" accuracy is above this.
MIN_HIGH_ACCURACY = 0.9
#: "Strongly outperform": more accurate by more than this. A change up to this is "little".
MIN_GAIN = 0.02
#: "Slightly better", or "close": the difference is at most this.
MAX_SLIGHT_DIFFERENCE = 0.05
#: "Hardly outperform": more accurate by at most this.
MAX_NEGLIGIBLE_GAIN = 0.005
#: No gain "beyond" a lag: more labels increase the accuracy by at most this.
MAX_FURTHER_GAIN = 0.005
#: Lines "overlap" if they differ by at most this.
MAX_OVERLAP_DISTANCE = 0.005
#: "Almost everywhere": in at least this proportion of the windows.
MIN_ALMOST_ALL_FRACTION = 0.9
#: "Reach positive values": in more than this proportion of the windows.
MIN_POSITIVE_FRACTION = 0.5
#: The proportion of an alternative rule that has neither `MIN_ALMOST_ALL_FRACTION` nor
#: `MIN_POSITIVE_FRACTION`. It was set on 2026-11-22, after results were known, so it decides no
#: claim; the scorecard shows the verdict that it would give.
ALTERNATIVE_POSITIVE_FRACTION = 0.1
#: The critical value of a one-sided test at 5 %, as rounded by the paper.
CRITICAL_Z = 1.65
#: A "small impact" on a test at 5 %: the false alarm rate rises by at most half of the level.
MAX_EXTRA_FALSE_ALARMS = 0.025
#: Error rate on the first class in the calculation of false alarms.
ERROR_RATE_A = 0.1
#: Error rate on the second class in this calculation.
ERROR_RATE_B = 0.4
#: Probability that a label equals the previous label, as on electricity.
REPEAT_PROBABILITY = 0.85
#: A clear trend: a rank correlation of at least this.
MIN_TREND_CORRELATION = 0.9

# ---- learners: their ids, and the suffixes that wrappers add to ids

#: The five learners of the paper.
ORDINARY_LEARNERS = (
    "naive_bayes",
    "ddm_nb",
    "hoeffding_tree",
    "hoeffding_adaptive_tree",
    "leveraging_bagging",
)
#: Suffixes of wrapped learners, without the empty suffix of `WRAPPER_SUFFIXES`.
WRAPPED_SUFFIXES = (CORRECTED, AUGMENTED)

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
        without_learner=("*",),
    ),
    PublishedTable(
        "table5",
        ("algorithm",),
        find_in_survey,
        ("accuracy_percent",),
        file="zliobaite2015/elec2_literature.csv",
        member_column="in_zliobaite2015_table5",
        without_learner=("Persistent (No-Change)",),
    ),
)
