"""The skeleton of pages: numbers, escaping, and figures as elements."""

from __future__ import annotations

import re

import pytest
from matplotlib.figure import Figure

from streameval.base.values import enumeration
from streameval.drawing.canvas import canvas
from streameval.drawing.looks import CLASS_LOOKS, LEARNER_LOOKS, REGRESSOR_LOOKS
from streameval.drawing.scales import ROW_COLOR
from streameval.drawing.svg import DARK_PAPER, LEAST_CONTRAST, color_rules, contrast, dark_color
from streameval.pages.page import (
    Chapter,
    Page,
    Section,
    format_text,
    format_verdict,
    picture,
    replace_hyphens,
)
from streameval.view.parts import Code, Facts, Sentence, Sentences, Words, texts_table


def test_numbers_have_a_real_minus_and_lists_an_and():
    assert (
        replace_hyphens("a-3 is -3 or [-3, (-3) of knn(k=-1)")
        == "a-3 is −3 or [−3, (−3) of knn(k=-1)"
    )
    assert enumeration(["a"]) == "a"
    assert enumeration(["a", "b", "c"]) == "a, b and c"


def test_intervals_are_set_back_and_all_else_is_escaped():
    assert format_text("<i> & [1, 2]") == '&lt;i&gt; &amp; <span class="interval">[1, 2]</span>'
    assert format_text("95 %") == "95\N{NO-BREAK SPACE}%"
    assert format_verdict("a beats <b>") == "a <strong>beats</strong> &lt;b&gt;"
    assert format_verdict("my_knn beats b").startswith("my_<wbr>knn <strong>")


@pytest.mark.parametrize("look", [*LEARNER_LOOKS.values(), *REGRESSOR_LOOKS.values(), *CLASS_LOOKS])
def test_colours_can_be_seen_in_the_dark(look):
    """Greys are between paper and ink; WCAG 2.1 asks for a contrast of 3 of graphical objects."""
    is_grey = len({look.color[i : i + 2] for i in (1, 3, 5)}) == 1
    least = 3.0 if is_grey else LEAST_CONTRAST
    assert contrast(dark_color(look.color), DARK_PAPER) >= least


def test_bands_behind_rows_are_as_faint_in_the_dark():
    assert contrast(ROW_COLOR, "#ffffff") < 1.2
    assert contrast(dark_color(ROW_COLOR), DARK_PAPER) < 1.2


def test_greys_are_turned_over_in_the_dark():
    """White is the paper; by WCAG's formula the contrast of black and white is 21."""
    assert dark_color("#ffffff") == DARK_PAPER
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast(dark_color("#000000"), DARK_PAPER) > 12


def drawn(width: int) -> Figure:
    figure = canvas(width, 100)
    axes = figure.subplots()
    axes.plot([0, 1], [0, 1], color="#0072b2", marker="o")
    axes.fill_between([0, 1], [0, 0], [1, 1], color="#0072b2", alpha=0.2)
    axes.set_title("<b> $x$ & 1")
    return figure


def test_figures_are_elements_with_names_of_their_own():
    first, second = (picture(name, '"a" <b>', "c", drawn) for name in ("one", "two"))
    assert first.wide.startswith('<svg viewBox="0 0 720 100" role="img"')
    assert 'aria-label="&quot;a&quot; &lt;b&gt;"' in first.wide
    assert "&lt;b&gt; $x$ &amp; 1" in first.wide
    texts = [first.wide, first.narrow, second.wide, second.narrow]
    ids = [name for text in texts for name in re.findall(r' id="([^"]*)"', text)]
    assert len(ids) == len({*ids}) > 0
    assert all("xmlns" not in text and "#0072b2" not in text for text in texts)
    light, dark = color_rules(texts)
    assert "--c-0072b2:#0072b2;" in light
    assert f"--c-ffffff:{DARK_PAPER};" in dark
    assert picture("one", '"a" <b>', "c", drawn) == first


def test_all_parts_of_a_page_are_escaped():
    bad = "<i>"
    parts = [
        Sentences([Sentence(bad, tone="good")]),
        Words([bad]),
        Code(bad, bad),
        Facts([(bad, bad)]),
        texts_table(bad, [bad, bad], [[bad, bad]]),
    ]
    chapter = Chapter("a", bad, bad, [Section("b", bad, parts)])
    for chapters in ([chapter], [chapter, Chapter("c", bad, bad, [])]):
        text = Page(bad, bad, chapters).html()
        assert bad not in text
        assert text.count("&lt;i&gt;") >= 14


def test_what_is_black_is_light_in_the_dark():
    """SVG does not name black where it fills: it is the colour of what has none."""

    def draw(width):
        figure = canvas(width, 100)
        figure.subplots().plot([0.5], [0.5], "o", color="#000000", markeredgewidth=0.0)
        return figure

    dot = picture("dot", "A dot", "", draw)
    marker = re.search(r"<path[^>]*id=[^>]*>", dot.wide)[0]
    assert "fill" not in marker
    assert re.match(r'<svg [^>]*style="fill:var\(--c-000000\)"', dot.wide)
    assert f"--c-000000:{dark_color('#000000')}" in color_rules([dot.wide])[1]
