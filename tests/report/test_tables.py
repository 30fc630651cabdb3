"""Tables: bits for programs, rounded numbers and marks for people."""

from __future__ import annotations

import math
import re
import sys
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from helpers.shown_tables import cells_of
from hypothesis import given, settings
from hypothesis import strategies as st

from streameval.drawing.subject import Subject
from streameval.items import kinds
from streameval.items.columns import plain_table, text_frame_table
from streameval.items.dependence.show import (
    layout_class_characteristics,
    layout_stream_characteristics,
)
from streameval.items.examples.show import layout_literature
from streameval.report.results import SURVEY_COLUMNS, above_no_change
from streameval.view.files import write_table
from streameval.view.latex import latex
from streameval.view.markdown import markdown
from streameval.view.numbers import number_text

TABLE2 = kinds()["class_characteristics"].columns
TABLE3 = kinds()["stream_characteristics"].columns
ELECTRICITY = Subject(settings=None, streams={"elec2": "Electricity"})


def write(frame: pd.DataFrame, stem: Path | str, **headers: str) -> None:
    layout = plain_table(frame, headers)
    write_table(frame, stem, caption="A caption", label="tab:a", table=layout)


def characteristics(stream: str, simulated: bool) -> pd.DataFrame:
    values = {"P(c1)": 0.58, "P(c2)": 0.42, "P(c1|c1)": 0.87, "P(c2|c2)": 0.83}
    values |= {"majority_accuracy": 0.58, "no_change_accuracy": 0.85}
    rows = [(stream, simulated, measure, value) for measure, value in values.items()]
    return pd.DataFrame(rows, columns=list(TABLE2))


def literature(measured: bool = True) -> pd.DataFrame:
    rows = [
        ("DDM", 89.6, "Gama et al. 2004", True, False, True),
        ("Persistent (No-Change)", 85.32838983050848, "", False, measured, False),
        ("ASHT", 84.8, "Bifet et al. 2009", False, False, False),
    ]
    return pd.DataFrame(rows, columns=list(SURVEY_COLUMNS))


# ---- numbers


@pytest.mark.parametrize("value", [1e24, -2.5e100, 5e-324, sys.float_info.max])
def test_a_number_of_any_size_is_shown_with_all_its_digits(value: float) -> None:
    whole, _, decimals = number_text(value, 6).replace(",", "").replace("−", "-").partition(".")
    assert decimals == "000000"
    assert int(whole) == int(Decimal(repr(value)))
    assert len(whole.lstrip("-")) == max(math.floor(math.log10(abs(value))), 0) + 1


@pytest.mark.parametrize(
    ("value", "text"),
    [
        *((45312, "45,312"), (np.int64(-2536), "−2,536"), (0.57546, "0.5755"), (-1.5, "−1.5000")),
        *(
            (math.nan, "–"),
            (None, "–"),
            (-math.inf, "−∞"),
            ("text", "text"),
            (12345.6, "12,345.6000"),
        ),
        *((True, "yes"), (np.bool_(False), "no")),
    ],
)
def test_cells_for_people(value: object, text: str) -> None:
    assert number_text(value) == text


def test_subscripts_are_subscripts_in_latex() -> None:
    text = latex(text_frame_table(pd.DataFrame({"a": ["s₀₁₂₃₄₅₆₇₈₉"]}), "l"), "A caption", "tab:a")
    assert "s" + "".join(f"$_{{{i}}}$" for i in range(10)) + r" \\" in text


# ---- files


@settings(max_examples=25)
@given(st.lists(st.floats(allow_nan=False, width=64), min_size=1, max_size=20))
def test_csv_keeps_every_bit(tmp_path_factory: pytest.TempPathFactory, values: list[float]) -> None:
    stem = tmp_path_factory.mktemp("tables") / "table"
    write(pd.DataFrame({"value": values}), stem)
    header, *lines = Path(f"{stem}.csv").read_text().splitlines()
    assert header == "value"
    assert np.array([float(line) for line in lines]).tobytes() == np.array(values).tobytes()


def test_files_are_the_same_each_time_and_nothing_else_is_there(tmp_path: Path) -> None:
    frame = pd.DataFrame({"stream": ["elec2"], "value": [0.1 + 0.2]})
    write(frame, tmp_path / "one" / "rbf_0.001")
    write(frame, str(tmp_path / "other" / "rbf_0.001"))
    digests, *names = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert digests == ".digests"
    assert names == [f"rbf_0.001.{ending}" for ending in ("csv", "html", "json", "md", "tex")]
    for name in names:
        first, second = ((tmp_path / folder / name).read_bytes() for folder in ("one", "other"))
        assert first == second
        assert b"\r" not in first


@settings(max_examples=25)
@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=30))
def test_no_text_breaks_a_table(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    stem = tmp_path_factory.mktemp("tables") / "table"
    write(pd.DataFrame({"text": [text], "value": [1.0]}), stem)
    row = Path(f"{stem}.md").read_text(encoding="utf-8").split("\n")[4]
    assert len(re.findall(r"(?<!\\)\|", row)) == 3
    (line,) = re.findall(
        r"\\midrule\n(.*) \\\\\n\\bottomrule", Path(f"{stem}.tex").read_text("utf-8")
    )
    assert len(re.findall(r"(?<!\\)&", line)) == 1
    assert not re.search(r"(?<!\\)[%#]", line)


# ---- layouts of the papers' tables


def test_table2_has_two_lines_per_stream() -> None:
    table = pd.concat([characteristics("elec2", False), characteristics("markov", True)])
    layout = layout_class_characteristics(table, ELECTRICITY)
    assert cells_of(layout).to_numpy().tolist() == [
        ["Electricity", "P(c)", "0.5800", "0.4200", "–", "Majority", "0.5800"],
        ["", "P(c|c)", "0.8700", "0.8300", "–", "No-Change", "0.8500"],
        ["markov (simulated)", "P(c)", "0.5800", "0.4200", "–", "Majority", "0.5800"],
        ["", "P(c|c)", "0.8700", "0.8300", "–", "No-Change", "0.8500"],
    ]
    assert len(layout.alignment) == len(cells_of(layout).columns)
    assert "not the real one" in layout.notes[0]
    assert layout_class_characteristics(characteristics("elec2", False), ELECTRICITY).notes == ()


def test_table3_has_a_line_per_stream() -> None:
    rows = [("elec2_mlj", False, 45312, 5, 2, 0.57546, 0.8533)]
    rows += [("markov", True, 1000, 8, 2, 0.5, math.nan)]
    layout = layout_stream_characteristics(
        pd.DataFrame(rows, columns=list(TABLE3)),
        Subject(settings=None, streams={"markov": "Markov"}),
    )
    assert cells_of(layout).to_numpy().tolist() == [
        ["elec2_mlj", "45,312", "5", "2", "0.5755", "0.8533"],
        ["Markov (simulated)", "1,000", "8", "2", "0.5000", "–"],
    ]
    assert "Simulated" not in layout.notes[0]
    assert "(simulated)" in layout.notes[0]


def test_literature_marks_our_own_row_and_counts() -> None:
    layout = layout_literature(literature(), ELECTRICITY)
    assert cells_of(layout).to_numpy().tolist() == [
        ["DDM", "89.6*", "Gama et al. 2004"],
        ["Persistent (No-Change), measured here", "85.3", "this run"],
        ["ASHT", "84.8", "Bifet et al. 2009"],
    ]
    assert layout.notes[0].startswith("1 of 2 ")
    assert layout.notes[1].startswith("* tested on a subset")
    assert above_no_change(literature()) == (1, 2)


def test_literature_without_a_run_says_so() -> None:
    layout = layout_literature(literature(measured=False), ELECTRICITY)
    assert "measured here" not in cells_of(layout).to_string()
    assert layout.notes[-1].startswith("No-Change was not run here")


@pytest.mark.parametrize(
    ("lay_out", "columns"),
    [
        (layout_class_characteristics, TABLE2),
        (layout_stream_characteristics, TABLE3),
        (layout_literature, SURVEY_COLUMNS),
    ],
)
def test_tables_without_rows_and_without_columns(lay_out, columns) -> None:  # type: ignore[no-untyped-def]
    layout = lay_out(pd.DataFrame(columns=list(columns)), ELECTRICITY)
    assert cells_of(layout).empty
    assert markdown(layout, "A caption").count("|\n") == 2
    assert r"\midrule" in latex(layout, "A caption", "tab:a")
