"""The table of verdicts on the first page, from the recorded simulation."""

from __future__ import annotations

from streameval.base.settings import ROOT
from streameval.base.table_files import read_csv_table
from streameval.evaluation.coverage import VERDICTS as RECORD

#: Rows and columns of the table; `excludes` is what `compare` says, `by_other` the test that one
#: finds in papers.
LAWS = {
    "forests": "forests that differ by their seeds",
    "independent": "simple learners, independent instances",
    "dependent_50": "the same, dependence 0.5",
    "dependent_90": "the same, dependence 0.9",
    "frequent_90": "independent instances, 90 % in one class",
}
COLUMNS = {
    "`compare`": ("prequential", "excludes"),
    "McNemar": ("prequential", "by_other"),
    "paired t, bootstrap folds": ("bootstrap_validation", "by_other"),
    "paired t, cross-validation": ("cross_validation", "by_other"),
}


def table(instances: int = 1000) -> str:
    """The Markdown of the table."""
    record = read_csv_table(ROOT / RECORD)
    record = record[record["instances"] == instances].set_index(["law", "validation"])
    lines = [
        "| equal learners | " + " | ".join(COLUMNS) + " |",
        "| --- |" + " ---: |" * len(COLUMNS),
    ]
    for law, title in LAWS.items():
        rates = [record.loc[(law, validation), name] for validation, name in COLUMNS.values()]
        lines.append(f"| {title} | " + " | ".join(f"{100 * rate:.0f} %" for rate in rates) + " |")
    return "\n".join(lines) + "\n"
