"""The tables of Žliobaitė et al. (2015), and how ours are found."""

from __future__ import annotations

from streameval.report.published import COUNTS, PublishedTable, in_columns, in_survey

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
