r"""Titles and names of any letters come out as text: read back by parsers of each language."""

from __future__ import annotations

import io
import math
import re
import shutil
import subprocess
from pathlib import Path

import pandas as pd
import pytest
from helpers.latex import read_latex
from helpers.shown_tables import Page, page_of
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from matplotlib.figure import Figure
from matplotlib.text import Text

from streameval.drawing import style
from streameval.items.columns import text_frame_table
from streameval.view import notebook
from streameval.view.escape import LATEX_PREAMBLE, foreign_letters, latex_text, markdown_text
from streameval.view.latex import latex
from streameval.view.markdown import markdown
from streameval.view.parts import (
    Code,
    Column,
    Facts,
    Table,
    View,
    Words,
    sentence_part,
    texts_table,
)
from streameval.view.text import fill_lines
from streameval.view.text import text_lines as text_lines

#: What is markup somewhere.
HARD = [
    *("<b>bold</b>", "a & b &amp; c", "a|b", "a_b_c", "κ_t and x_1", "$x$", "5 $", r"\alpha \\ \$"),
    *("100 %", "# 1", "~~a~~", "x^2", "{a}{}", "`code` ``", "*a* **b**", "[a](b) ![c](d)", "a--b"),
    *(
        "[a] first",
        "* first",
        "'' \"quoted\" ,,",
        "<!-- a -->",
        r"\end{tabular}",
        "µ ± 3 ≥ 2, 5 °C",
    ),
    *("Žliobaitė, Ångström", "a\u00a0b", "1. a", "- a", "==", "a\tb", "a\nb", "\\", "{", "}"),
]
TEXTS = st.one_of(
    st.sampled_from(HARD),
    st.text(st.sampled_from("ab 1\n\\&%$#_{}~^|<>`'\"*[]()!-,.=+:κµ"), min_size=1, max_size=12),
)
LATEX = shutil.which("pdflatex")
IN_FIGURES = [*(text for text in HARD if {*text} & {*r"$\^_{}"}), r"$\frac{$", HARD[0]]


def visible_text(text: str) -> str:
    """A text as a reader sees it: blanks are one blank, also no-break spaces."""
    return " ".join(text.split())


@given(TEXTS)
def test_texts_in_pages(text: str) -> None:
    frame = pd.DataFrame({f"h {text}": [f"c {text}"], "b": [f"d {text}"]})
    notes = {"notes": [f"n {text}"], "lead": f"l {text}"}
    page = Page(page_of(frame, "ll", f"t {text}!", csv=text, name=f"x {text}", **notes))
    usual = Page(
        page_of(pd.DataFrame({"a": ["b\nc"], "b": ["d"]}), "ll", "t", csv="c", notes=["n"])
    )
    assert page.elements <= usual.elements  # none is made from a text
    whole = "".join(text.split())
    assert "".join(page.within("h1")) == f"t{whole}!"
    assert "".join(page.within("p")) == f"l{whole}n{whole}"
    assert "".join(page.within("th", "td", "small")) == f"c{whole}d{whole}"
    assert page.within("download") == [f"x{whole}.csv"]


#: The elements of what notebooks show.
IN_NOTEBOOKS = {"div", "style", "p", "table", "thead", "tbody", "tr", "th", "td", "pre"}


@given(TEXTS)
def test_texts_in_notebooks_and_in_lines(text: str) -> None:
    name = Column(f"a {text}", ["name"], kind="name")
    value = Column(f"b {text}", ["value"], lambda _: f"d {text}", reason_key="why")
    row = {"name": f"c {text}", "value": math.nan, "why": f"y {text}"}
    parts = [
        Words([f"e {text}"]),
        sentence_part([f"f {text}"], [f"g {text}"]),
        Table([name, value], [row], f"h {text}", [f"i {text}"]),
        Facts([(f"j {text}", f"k {text}")], f"l {text}"),
        Code(f"m {text}", f"n {text}"),
    ]
    reader = Page(notebook.html(View(parts, dict, f"o {text}")))
    assert reader.elements == IN_NOTEBOOKS
    whole = "".join(text.split())
    assert reader.within("p") == [f"{key}{whole}" for key in "efghilmo"]
    assert reader.within("td", "pre", "title") == [f"{key}{whole}" for key in "ydkn"]
    rows = "\n".join(text_lines(View([Table([name, value], [row, row])], dict))).splitlines()
    assert len(rows) == 3 + len(fill_lines([f"b {text} is undefined: y {text}."]))


@given(TEXTS)
def test_texts_in_markdown(text: str) -> None:
    table = text_frame_table(pd.DataFrame({f"h {text}": [f"c {text}"]}), "l", (f"n {text}",))
    tokens = (
        MarkdownIt("commonmark")
        .enable(["table", "strikethrough"])
        .parse(markdown(table, f"t {text}"))
    )
    inline = [token for token in tokens if token.type == "inline"]
    texts = ["".join(part.content for part in token.children or ()) for token in inline]
    kinds = {part.type for token in inline for part in token.children or ()}
    assert [visible_text(content) for content in texts] == [
        visible_text(f"{key} {text}") for key in "thcn"
    ]
    assert kinds <= {"text", "text_special", "strong_open", "strong_close"}


@given(TEXTS)
def test_dollars_are_no_formulas_in_markdown(text: str) -> None:
    assert not re.search(r"(?<!\\)(\\\\)*\$", markdown_text(text))


@style.styled
def figure_with(text: str) -> Figure:
    figure = style.figure()
    style.add_title(figure, text, simulated=False)
    axes = figure.subplots()
    symbol = style.symbol_text("κ_t")
    axes.set_yticks([0, 1], [text, symbol])
    axes.set_ylabel(f"gain in {symbol}")
    handles = [style.learner_handle("one", text), style.learner_handle("other", symbol)]
    style.legend(figure, handles, columns=2)
    return figure


@pytest.mark.parametrize("text", IN_FIGURES)
def test_texts_in_figures(text: str) -> None:
    """They are written as SVG; as PDF, which takes four times as long, all at once below."""
    figure = figure_with(text)
    style.styled(figure.savefig)(io.BytesIO(), format="svg")
    formulas = {
        artist.get_text()
        for artist in figure.findobj(Text)
        if artist.get_parse_math() and "$" in artist.get_text()
    }
    symbol = style.symbol_text("κ_t")
    assert formulas == {symbol, f"gain in {symbol}"}
    words = [artist.get_text() for artist in figure.findobj(Text)]
    whole = "".join(text.split())
    assert sum("".join(word.split()) == whole for word in words) >= 3  # broken into lines at most


def test_texts_in_files_of_figures(tmp_path: Path) -> None:
    figure = style.styled(style.figure)()
    for text in IN_FIGURES:
        style.styled(figure.text)(0.1, 0.5, text)
    style.save(figure, tmp_path / "figure")
    assert (tmp_path / "figure.svg").read_bytes().endswith(b"</svg>\n")
    assert (tmp_path / "figure.pdf").read_bytes().startswith(b"%PDF")


@given(TEXTS)
def test_texts_in_latex(text: str) -> None:
    assert visible_text(read_latex(latex_text(text))) == visible_text(text)


@given(TEXTS)
def test_texts_in_tables_of_latex(text: str) -> None:
    cells = pd.DataFrame({f"{text} 1": [text, "2"], f"{text} 2": ["1", text]})
    table = latex(text_frame_table(cells, "lr", (text,)), text, "tab:a")
    read_latex(table)
    rows = [line for line in table.split("\n") if line.endswith(r"\\")]
    assert [len(re.findall(r"(?<!\\)&", row)) for row in rows] == [1, 1, 1]
    assert not any(row.startswith(("[", "*")) for row in rows)


def test_foreign_letters_are_declared() -> None:
    assert foreign_letters("κ ± ė 東京 ħ 東") == "ħ京東"
    table = latex(text_frame_table(pd.DataFrame({"a": ["東"]}), "l", ("京",)), "A caption", "tab:a")
    first, second, *rest = table.split("\n")
    assert first == f"% {LATEX_PREAMBLE}"
    assert second == "% These letters need LuaLaTeX and a font that has them: 京東"
    assert "東 \\\\" in rest


@pytest.mark.parametrize(("rows", "parts"), [(40, "table adjustbox tabular"), (41, "longtable")])
def test_wide_tables_are_set_smaller_and_long_ones_break(rows: int, parts: str) -> None:
    cells = pd.DataFrame({name: ["1" * 40] * rows for name in "abc"})
    table = latex(text_frame_table(cells, "rrr"), "A caption", "tab:a")
    assert re.findall(r"\\begin\{(\w+)\}", table) == parts.split()


def test_long_texts_have_a_column_of_lines() -> None:
    cells = pd.DataFrame({"a": ["x " * 15], "b": ["x " * 16], "c": ["1" * 31]})
    table = latex(text_frame_table(cells, "llr"), "A caption", "tab:a")
    assert r"\begin{tabular}{l>{\raggedright\arraybackslash}p{12em}r}" in table


MARKS = [["best", "alike"], ["", "best"]]


@pytest.mark.skipif(LATEX is None, reason="needs pdflatex")
def test_latex_sets_hard_texts_and_long_tables(tmp_path: Path) -> None:
    few = pd.DataFrame({f"head {i}: {text}": [text] * 2 for i, text in enumerate(HARD[:4])})
    all_of_them = pd.DataFrame({"text": HARD * 3, "number": ["1,000.00"] * 3 * len(HARD)})
    wide = pd.DataFrame({f"column {i}": ["0.1234 (0.1 to 0.2)"] for i in range(7)})
    groups = ("", "", "", "g: one", "g: two", "g: two", "")
    tables = [
        latex(text_frame_table(few, "llll", tuple(HARD)), HARD[0], "tab:a"),
        latex(text_frame_table(all_of_them, "lr", ("a note " * 60,)), "long " * 40, "tab:b"),
        latex(text_frame_table(wide, "r" * 7, groups=groups), "wide", "tab:c"),
        latex(texts_table("", ["a", "b"], [HARD[:2]] * 2, marks=MARKS), "marked", "tab:d"),
    ]
    text = "\n".join(tables)
    assert all(f"\\begin{{{name}}}" in text for name in ("longtable", "tabular", "adjustbox"))
    document = rf"\documentclass{{article}}{LATEX_PREAMBLE}\begin{{document}}{text}\end{{document}}"
    (tmp_path / "all.tex").write_text(document, encoding="utf-8")
    process = subprocess.run(
        [str(LATEX), "-interaction=nonstopmode", "-halt-on-error", "all.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    assert process.returncode == 0, process.stdout[-2000:]
    assert not re.findall(r"^.*Missing character.*$", process.stdout, re.M)
    assert not re.findall(r"^Overfull.*$", process.stdout, re.M)
