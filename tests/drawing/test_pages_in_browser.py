"""The page about learners as its readers see it: on a desk, on a telephone, and in the dark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from helpers.browsers import DESK, PHONE

import streameval as se
from streameval.drawing.svg import DARK_PAPER
from streameval.pages.report import collect_findings, write_page

pytestmark = pytest.mark.browser

#: Texts of pictures that lie upon each other or outside of their picture, by more than a pixel.
COLLIDING = """
const found = [];
const shown = [...document.querySelectorAll("svg")].filter(one => one.getClientRects().length);
for (const svg of shown) {
  const frame = svg.getBoundingClientRect();
  const boxes = [...svg.querySelectorAll("text")].filter(one => one.textContent.trim())
    .map(one => [one.textContent, one.getBoundingClientRect()]);
  boxes.forEach(([text, a], i) => {
    if (a.left < frame.left - 9 || a.right > frame.right + 9 || a.top < frame.top - 2
        || a.bottom > frame.bottom + 2) found.push(`${text} is outside`);
    for (const [other, b] of boxes.slice(i + 1)) {
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 1 && down > 3) found.push(`${text} / ${other}`);
    }
  });
}
return [shown.length, found];
"""
#: Elements with text that are wider than the window, or cut off by an element around them.
CUT_OFF = """
const wide = [...document.querySelectorAll("h1, h2, h3, p, li, dt, dd, figcaption, caption, pre")]
  .filter(one => one.getClientRects().length)
  .filter(one => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0
    || one.getBoundingClientRect().right > innerWidth);
const tables = [...document.querySelectorAll(".scrolls")]
  .filter(one => one.scrollWidth > one.clientWidth + 1);
const page = document.documentElement;
return [page.scrollWidth - page.clientWidth, wide.map(one => one.textContent), tables.length];
"""
#: The least contrast of a text with the page, of colours that are not transparent.
CONTRAST = """
const light = color => {
  const parts = color.match(/[\\d.]+/g).slice(0, 3).map(Number)
    .map(c => color.startsWith("color(") ? c : c / 255)
    .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
};
const paper = light(getComputedStyle(document.body).backgroundColor);
const texts = [...document.querySelectorAll("h1, h2, p, li, dt, dd, th, td, pre, span, svg text")]
  .filter(one => one.getClientRects().length);
return Math.min(...texts.map(one => {
  const style = getComputedStyle(one);
  const ink = light(one.closest("svg") ? style.fill : style.color);
  return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
}));
"""
#: Whether the paper is darker than the ink.
IS_DARK = """
const style = getComputedStyle(document.body);
const sum = color => color.match(/\\d+/g).slice(0, 3).map(Number).reduce((a, b) => a + b);
return sum(style.backgroundColor) < sum(style.color);
"""


def sees_by(reader: Any, scheme: str) -> None:
    """Set whether pages are shown for light or for dark; one that is open changes its colours."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    reader.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Pages of classifiers, of regressors with long names, of two streams: one late, one short."""
    folder, stream = tmp_path_factory.mktemp("pages"), se.generate("sea", rows=1500)
    learners = ["hoeffding_tree", "naive_bayes", "random_forest"]
    long = {"a_regressor_with_a_name_that_is_much_too_long_for_a_line_of_a_page": "amrules"}
    paths = {name: folder / f"{name}.html" for name in ("plain", "numbers", "two")}
    se.write_report(se.compare(stream, learners), paths["plain"])
    numbers = se.generate("planes", rows=1000)
    se.write_report(se.evaluate(numbers, {**long, "fimt_dd": "fimt_dd"}), paths["numbers"])
    late = se.evaluate(stream, learners[:2], delay=100)
    both = [
        evaluation.request for evaluation in (late, se.evaluate(stream.first(50), "naive_bayes"))
    ]
    write_page(
        [collect_findings(evaluation) for evaluation in both if evaluation is not None],
        paths["two"],
    )
    return paths


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("name", ["plain", "numbers", "two"])
def test_nothing_collides_or_is_cut_off(
    reader: Any, pages: dict[str, Path], name: str, size: tuple[int, int]
) -> None:
    reader.open(pages[name], size)
    for scheme, is_dark in (("light", False), ("dark", True)):
        sees_by(reader, scheme)
        assert reader.driver.execute_script(IS_DARK) is is_dark
        n_drawn, colliding = reader.driver.execute_script(COLLIDING)
        assert n_drawn >= 5
        assert colliding == []
        wider, cut_off, scrolled = reader.driver.execute_script(CUT_OFF)
        assert (wider, cut_off) == (0, [])
        assert scrolled == 0 or size != PHONE  # rows are cards there
        bounded = "return getComputedStyle(document.querySelector('tbody th')).maxWidth != 'none'"
        assert reader.driver.execute_script(bounded) == (size != PHONE)
        assert reader.driver.execute_script(CONTRAST) >= 4.5


def test_the_paper_is_dark_in_the_dark_and_the_first_sentence_is_seen_at_once(
    reader: Any, pages: dict[str, Path]
) -> None:
    sees_by(reader, "dark")
    reader.open(pages["plain"], PHONE)
    background = reader.driver.execute_script(
        "return getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)"
    )
    assert "#" + "".join(f"{part:02x}" for part in background) == DARK_PAPER
    first = reader.one(".sentences li")
    assert reader.sees(first)
    assert "beats" in first.text
