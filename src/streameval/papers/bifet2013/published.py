"""The tables of Bifet et al. (2013), the look-up of our values, and thresholds of claims."""

from __future__ import annotations

from streameval.report.published import PublishedTable, find_in_rows, find_in_survey

# ---- thresholds: words of the paper's claims in numbers, fixed before a run

#: "Stable": over all lags, the largest minus the smallest accuracy is at most this.
MAX_STABLE_ACCURACY_RANGE = 0.02
#: "Positive for a long period": in more than this proportion of the windows.
MIN_POSITIVE_FRACTION = 0.5
#: "Performing very well": more accurate than a baseline by more than this.
MIN_LARGE_GAIN = 0.1
#: A "substantial improvement": more accurate by more than this.
MIN_GAIN = 0.02
#: A "nearly perfect" accuracy is at least this.
MIN_NEARLY_PERFECT_ACCURACY = 0.99
#: The proportion of a class "evolves" if its range over windows of 1000 labels is above this.
MIN_PRIOR_RANGE = 0.16
#: "Slightly imbalanced": the proportions of two classes differ by at most this.
MAX_SLIGHT_IMBALANCE = 0.2

# ---- tables

TABLES = (
    PublishedTable(
        "table1",
        ("algorithm",),
        find_in_survey,
        ("accuracy_percent",),
        file="zliobaite2015/elec2_literature.csv",
        member_column="in_bifet2013_table1",
        without_learner=("Persistent (No-Change)",),
    ),
    PublishedTable(
        "table2",
        ("stream", "measure"),
        find_in_rows,
        used_parts={"kdd99": "kdd99_head"},
        by_construction={
            "*/majority_accuracy": "it is P(c1), the first number of the row",
            "kdd99/P(c?)": "the number of rows was chosen so that these numbers agree",
        },
        without_learner=("*",),
    ),
)
