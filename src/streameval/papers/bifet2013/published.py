"""The tables of Bifet et al. (2013), the look-up of our values, and thresholds of claims."""

from __future__ import annotations

from streameval.report.published import PublishedTable, find_in_rows, find_in_survey

# ---- thresholds: words of the paper's claims in numbers, fixed before a run

#: "Stable": the accuracies for all lags lie within this range.
STABLE = 0.02
#: "Positive for a long period": in more than this proportion of the windows, and not in all.
LONG = 0.5
#: "Performing very well": more accurate than a baseline by more than this.
VERY_WELL = 0.1
#: A "substantial improvement": more accurate by more than this.
MUCH = 0.02
#: A "nearly perfect" accuracy is at least this.
NEARLY_PERFECT = 0.99
#: The proportion of a class "evolves" over windows of 1000 if its range is above this.
EVOLVES = 0.16
#: "Slightly imbalanced": the proportions of two classes differ by at most this.
SLIGHT = 0.2

# ---- tables

TABLES = (
    PublishedTable(
        "table1",
        ("algorithm",),
        find_in_survey,
        ("accuracy_percent",),
        file="zliobaite2015/elec2_literature.csv",
        member="in_bifet2013_table1",
        of_labels=("Persistent (No-Change)",),
    ),
    PublishedTable(
        "table2",
        ("stream", "measure"),
        find_in_rows,
        parts={"kdd99": "kdd99_head"},
        by_construction={
            "*/majority_accuracy": "it is P(c1), the first number of the row",
            "kdd99/P(c?)": "the number of rows was chosen so that these numbers agree",
        },
        of_labels=("*",),
    ),
)
