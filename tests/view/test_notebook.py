"""Bars, intervals and lines in cells, and what becomes of texts."""

from __future__ import annotations

import math
import re

import pytest

from streameval.api.result_view import Column, Gap, View, result_html
from streameval.view import notebook

NAN = math.nan


def attribute(html, name):
    return [float(value) for value in re.findall(rf' {name}="(-?[\d.]+)"', html)]


@pytest.mark.parametrize(
    ("value", "low", "x", "width"),
    # 60 pixels: from 0 on, from the middle to the right and to the left, and cut at the end.
    [(0.5, 0.0, 0.0, 30.0), (0.5, -1.0, 30.0, 15.0), (-0.5, -1.0, 15.0, 15.0), (-7, -1, 0.0, 30.0)],
)
def test_a_bar_begins_at_zero(value, low, x, width):
    drawn = notebook.bar(value, low, 1.0)
    assert attribute(drawn, "x") == [x]
    assert width in attribute(drawn, "width")


@pytest.mark.parametrize(("value", "high"), [(NAN, 1.0), (0.0, 0.0)])
def test_there_is_no_bar_without_a_value_or_a_scale(value, high):
    assert notebook.bar(value, 0.0, high) == ""


@pytest.mark.parametrize(
    ("ends", "color"),
    [((1, 3), "#2a8ad4"), ((-3, -1), "#d8692a"), ((-1, 3), None), ((NAN, NAN), None)],
)
def test_an_interval_has_a_colour_where_it_excludes_zero(ends, color):
    drawn = notebook.interval(2.0, ends, -4.0, 4.0)
    assert attribute(drawn, "cx") == [67.5]  # 6 of 8 parts of 90 pixels
    assert set(re.findall("#[0-9a-f]{6}", drawn)) == ({color} if color else set())
    assert drawn.count("stroke-width") == (not math.isnan(ends[0]))


def test_what_is_practically_none_is_grey():
    drawn = notebook.interval(2.0, (1.0, 3.0), -4.0, 4.0, no=1.0)
    assert attribute(drawn, "x")[0] == 33.8  # (4 - 1) / 8 of 90 pixels
    assert 22.5 in attribute(drawn, "width")


def test_a_line_has_gaps_where_values_are_unknown():
    drawn = notebook.line([0.2, 0.4, NAN, 0.6, NAN], 0.2, 0.6)
    path = re.findall(r'd="([^"]*)"', drawn)[0]
    assert path.count("M") == 2
    assert path.count("L") == 1
    assert notebook.line([NAN, NAN], 0.0, 1.0) == ""
    assert "nan" not in notebook.line([0.3, 0.3], 0.3, 0.3)


def test_texts_are_escaped_and_bounded():
    assert notebook.name("<i>") == "<th>&lt;i&gt;</th>"
    assert len(notebook.name("x" * 1000)) < 100
    assert notebook.cell("<i>", why='"<') == '<td title="&quot;&lt;">&lt;i&gt;</td>'
    assert "<b>" not in notebook.fragment(notebook.table(("<b>",), [], "<b>"))


def test_scales_hold_zero():
    assert notebook.scale([NAN, 2.0, 3.0]) == (0.0, 3.0)
    assert notebook.scale([-1.0, NAN]) == (-1.0, 0.0)
    assert notebook.scale([]) == (0.0, 0.0)


def test_those_that_are_kept_are_shown():
    names = [f"m{i}" for i in range(30)]
    assert notebook.chosen(names, ["m29"]) == [*names[:19], "m29"]
    assert notebook.chosen(names[:20], names[:2]) == names[:20]


def test_many_reasons_are_tips_only():
    gaps = {name: Gap(0.1, NAN, NAN, "+0.10", f"reason {name}") for name in "abc"}
    column = Column("accuracy", [0.5, 0.6, 0.7], [""] * 3, 1.0)
    html = result_html(View("", list("abc"), [], [column], {"over": gaps}, "", {}, []))
    assert "the tip of each cell says why" in html
    assert all(f'title="reason {name}"' in html for name in "abc")
