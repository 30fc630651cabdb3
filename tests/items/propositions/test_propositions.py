"""Propositions 5 to 9: verdicts, and the tables that people read."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
import pytest
from helpers.shown_tables import cells_of

from streameval.drawing.subject import Subject
from streameval.items.propositions import propositions as study
from streameval.items.propositions import show
from streameval.view.latex import latex
from streameval.view.markdown import markdown


@pytest.fixture(scope="module")
def runs() -> study.SimulatedFrames:
    return study.simulate(n=12_000, seeds=14)


#: Smaller streams than the study's own resolve less.
COARSE = 0.015
NOBODY = Subject(settings=None)


@pytest.fixture(scope="module")
def coarse() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(study, "RESOLUTION", COARSE)
        patch.setattr(show, "RESOLUTION", COARSE)
        yield


@pytest.fixture(scope="module")
def table(runs: study.SimulatedFrames, coarse: None) -> pd.DataFrame:
    return study.proposition_table(runs)


@pytest.mark.parametrize(
    ("stated", "low", "high", "expected"),
    [
        ("> 0", 0.1, 0.2, "as stated"),
        ("> 0", -0.1, 0.2, "not decided"),
        ("> 0", -0.1, 0.0, "contradicted"),
        ("< 0", -0.2, -0.1, "as stated"),
        ("< 0", 0.0, 0.0, "contradicted"),
        (">= 0", 0.0, 0.2, "as stated"),
        (">= 0", -0.005, 0.005, "as stated"),
        (">= 0", -0.1, 0.2, "not decided"),
        (">= 0", -0.2, -0.1, "contradicted"),
        ("= 0", -0.005, 0.005, "as stated"),
        ("= 0", -0.1, 0.1, "not decided"),
        # As narrow as [-0.008, 0.008], but half of it is beyond what counts as nothing.
        ("= 0", -0.001, 0.015, "not decided"),
        ("= 0", -0.0101, 0.005, "not decided"),
        ("= 0", -0.01, 0.01, "as stated"),
        ("!= 0", -0.001, 0.015, "not decided"),
        (">= 0", -0.015, 0.001, "not decided"),
        ("= 0", 0.001, 0.002, "contradicted"),
        ("!= 0", 0.001, 0.002, "as stated"),
        ("!= 0", -0.1, 0.1, "not decided"),
        ("!= 0", 0.0, 0.0, "contradicted"),
    ],
)
def test_verdicts(stated: str, low: float, high: float, expected: str) -> None:
    assert study.verdict_on_sign(stated, low, high) == expected


def test_two_statements_are_contradicted_and_none_of_ours(table: pd.DataFrame) -> None:
    assert table["proposition"].drop_duplicates().tolist() == list("56789")
    assert not (table["verdict"] == "not decided").any()
    wrong = table[table["verdict"] == "contradicted"]
    assert (wrong["origin"] == study.PAPER).all()
    assert wrong["quantity"].tolist() == [
        "p_random of the majority of the last 10",
        "autocorrelation of errors",
    ]
    assert "condition 3 as printed, 0.7/0.3" in wrong["case"].iloc[1]


def test_table_2_turns_where_the_paper_says(runs: study.SimulatedFrames, coarse: None) -> None:
    frame = study.baselines_table(runs)
    assert (frame["verdict"] == "as stated").all()
    signs = frame.pivot_table("mean", "shares", "dependence").apply(np.sign)
    assert (signs["P(T) beyond P(M)"] == 1).all()
    assert (signs["P(T) below P(M)"] == -1).all()
    assert signs.loc[["0.7/0.3", "0.5/0.3/0.2"], "independent"].tolist() == [-1, -1]
    assert frame["classes"].tolist() == ["balanced"] * 3 + ["imbalanced"] * 6


def test_propositions_are_laid_out_for_people(table: pd.DataFrame) -> None:
    layout = show.layout_propositions(table, NOBODY)
    cells = cells_of(layout)
    assert len(cells) == len(table)
    assert len(layout.alignment) == len(cells.columns)
    assert cells["Prop."][cells["Prop."] != ""].tolist() == list("56789")
    assert cells["Quantity"].iloc[0] == "Majority − Random"
    last = table.iloc[-1]
    assert cells["Quantity"].iloc[-1] == "Majority of n − Majority"
    assert cells["Sign"].iloc[-1] == "negative*"
    assert cells["Interval"].iloc[-1] == f"[−{-last['low']:.4f}, −{-last['high']:.4f}]"
    assert any("0.015" in note for note in layout.notes)
    assert any("14 seeds" in note for note in layout.notes)
    for text in (markdown(layout, "Propositions"), latex(layout, "Propositions", "tab:p")):
        assert "condition 3 as printed" in text


def test_table_2_is_laid_out_for_people(runs: study.SimulatedFrames, coarse: None) -> None:
    frame = study.baselines_table(runs)
    layout = show.layout_proposition_baselines(frame, NOBODY)
    cells = cells_of(layout)
    assert cells.columns.tolist() == [
        *("Classes", "", "Independent", "P(T) beyond P(M)", "P(T) below P(M)"),
    ]
    assert cells["Classes"].tolist()[::3] == [
        "Balanced, 0.5/0.5",
        "Imbalanced, 0.7/0.3",
        "Imbalanced, 0.5/0.3/0.2",
    ]
    assert cells["Independent"].tolist()[::3] == ["equal", "Majority", "Majority"]
    assert cells["P(T) beyond P(M)"].tolist()[::3] == ["Persistent"] * 3
    assert cells["P(T) below P(M)"].tolist()[1::3] == ["0.45", "0.65", "0.45"]
    assert cells["Independent"].tolist()[5].startswith("−0.12")
    assert " ± 0.0" in cells["Independent"].tolist()[5]
    wide = frame.assign(low=-1.0, high=1.0)
    undecided = cells_of(show.layout_proposition_baselines(wide, NOBODY))
    assert undecided["Independent"].iloc[0] == "not decided"
