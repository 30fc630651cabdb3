"""How often intervals of one number for all bins miss, as it is recorded and said."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from over_bins_calibration import (
    COLUMNS,
    DEPENDENCE,
    LAWS,
    STREAMS,
    simulate_cell,
)
from streameval.base.settings import ROOT

RECORD = ROOT / "resources" / "recorded" / "beyond" / "over_bins_calibration.csv"


def recorded():
    with Path(RECORD).open(encoding="utf-8") as file:
        return [*csv.DictReader(file)]


def test_the_record_has_all_cells_and_keeps_the_rule():
    rows = recorded()
    assert [*rows[0]] == [*COLUMNS]
    assert len(rows) == len(LAWS) * len(DEPENDENCE) * len(STREAMS)
    for row in rows:
        for name in ("best", "weighted"):
            if int(row[f"{name}_intervals"]):
                assert float(row[f"{name}_missed_low"]) <= 0.09
    assert sum(int(row["best_intervals"]) for row in rows) > 5000


def test_the_best_of_equal_bins_is_too_good():
    rows = [row for row in recorded() if row["law"] == "equal, bins independent"]
    assert all(float(row["excess"]) > 0 for row in rows)


def test_the_page_says_what_is_recorded():
    page = " ".join((RECORD.parents[1] / "README.md").read_text(encoding="utf-8").split())
    rows = recorded()
    independent = [
        100 * float(row["excess"])
        for row in rows
        if (row["law"], row["bins"]) == ("equal, bins independent", "50")
    ]
    assert f"was {independent[0]:.1f} points too great after 2,000 labels" in page
    assert f"and {independent[1]:.1f} points where errors depend on each other" in page
    best, weighted = (
        max(100 * float(row[f"{name}_missed"] or 0) for row in rows)
        for name in ("best", "weighted")
    )
    missed = f"simulated cells it missed the true maximum in at most {best:.1f} %"
    assert f"In each of {len(rows)} {missed}" in page
    without = sum(row["best_intervals"] == row["weighted_intervals"] == "0" for row in rows)
    assert f"that of Ψ in at most {weighted:.1f} %; in {without} cells" in page


def test_a_recorded_cell_comes_out_again():
    # Few of its streams have an interval, which takes the most time.
    cell = ("equal errors, bins independent", "50", "0.9")
    (row,) = (r for r in recorded() if (r["law"], r["bins"], r["dependence"]) == cell)
    arguments = (
        int(row["bins"]),
        float(row["dependence"]),
        int(row["instances"]),
        int(row["streams"]),
    )
    cell = simulate_cell(row["law"], *arguments)
    assert {key: str(value) for key, value in cell.items()} == pytest.approx(row)
