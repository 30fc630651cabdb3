"""Bars, intervals and lines in cells, and escaped texts."""

from __future__ import annotations

import math
import re

import pytest

from streameval.view import notebook
from streameval.view.parts import Bar, Column, Line, Sentence, Sentences, Table, View

NAN = math.nan


def attribute(html, name):
    return [float(value) for value in re.findall(rf' {name}="(-?[\d.]+)"', html)]


@pytest.mark.parametrize(
    ("value", "low", "x", "width"),
    # 60 pixels: from 0 on, and from the middle to the left, cut at the end.
    [(0.5, 0.0, 0.0, 30.0), (-7, -1, 0.0, 30.0)],
)
def test_a_bar_begins_at_zero(value, low, x, width):
    svg = notebook.draw_svg(Bar(value, low, 1.0))
    assert attribute(svg, "x") == [x]
    assert width in attribute(svg, "width")


@pytest.mark.parametrize(("value", "high"), [(NAN, 1.0), (0.0, 0.0)])
def test_there_is_no_bar_without_a_value_or_a_scale(value, high):
    assert notebook.draw_svg(Bar(value, 0.0, high)) == ""


def test_a_line_has_gaps_where_values_are_unknown():
    svg = notebook.draw_svg(Line([0.2, 0.4, NAN, 0.6, NAN], 0.2, 0.6))
    path = re.findall(r'd="([^"]*)"', svg)[0]
    assert path.count("M") == 2
    assert path.count("L") == 1
    assert notebook.draw_svg(Line([NAN, NAN], 0.0, 1.0)) == ""
    assert "nan" not in notebook.draw_svg(Line([0.3, 0.3], 0.3, 0.3))


def test_names_are_bounded():
    assert len(notebook.name_cell("x" * 1000)) < 100


def test_scales_hold_zero():
    assert notebook.scale([NAN, 2.0, 3.0]) == (0.0, 3.0)
    assert notebook.scale([-1.0, NAN]) == (-1.0, 0.0)
    assert notebook.scale([]) == (0.0, 0.0)


def visible_heads(*names, kept=()):
    table = Table(
        [Column("", ["name"], kind="name")], [{"name": name} for name in names], always_shown=kept
    )
    html = notebook.html(View([table], dict))
    return re.findall("<th>(m[0-9]+)</th>", html), "and 10 more rows" in html


def test_kept_rows_are_shown():
    names = [f"m{i}" for i in range(30)]
    assert visible_heads(*names, kept=["m29"]) == ([*names[:19], "m29"], True)
    assert visible_heads(*names[:20], kept=names[:2]) == (names[:20], False)


def test_findings_stand_beside_their_drawings():
    sentences = Sentences([Sentence("<a> beats b.", [Bar(0.5, 0.0, 1.0)])] * 21, noun="pairs")
    html = notebook.html(View([sentences], dict))
    assert html.count("&lt;a&gt; beats b.") == html.count("<svg") == 20
    assert "and 1 more pairs" in html
