"""The tables of Bifet et al. (2013), and how ours are found."""

from __future__ import annotations

from streameval.report.published import PublishedTable, in_rows, in_survey

TABLES = (
    PublishedTable(
        "table1",
        ("algorithm",),
        in_survey,
        ("accuracy_percent",),
        file="zliobaite2015/elec2_literature.csv",
        member="in_bifet2013_table1",
        of_labels=("Persistent (No-Change)",),
    ),
    PublishedTable(
        "table2",
        ("stream", "measure"),
        in_rows,
        parts={"kdd99": "kdd99_head"},
        by_construction={
            "*/majority_accuracy": "it is P(c1), the first number of the row",
            "kdd99/P(c?)": "the number of rows was chosen so that these numbers agree",
        },
        of_labels=("*",),
    ),
)
