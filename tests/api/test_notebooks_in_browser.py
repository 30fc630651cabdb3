"""What notebooks show, in a page with the rules of JupyterLab and little room."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from helpers.browsers import PHONE

import streameval as se

pytestmark = pytest.mark.browser

#: With the rule of JupyterLab 4.6 for drawings.
HEAD = (
    '<!doctype html><meta name="viewport" content="width=device-width">'
    "<style>.lab svg { max-width: 100%; height: auto }</style>"
)
WIDTHS = 'return [...document.querySelectorAll("svg")].map(e => e.getBoundingClientRect().width)'


WIDER = "const one = document.querySelector('.wide'); return one.scrollWidth - one.clientWidth"


def open_notebook(reader: Any, html: str, folder: Path) -> None:
    """Show HTML of a notebook on a telephone."""
    (folder / "page.html").write_text(f'{HEAD}<div class="lab">{html}</div>', encoding="utf-8")
    reader.open(folder / "page.html", PHONE)


def test_drawings_beside_a_sentence_keep_their_width(reader: Any, tmp_path: Path) -> None:
    comparison = se.compare(se.generate("sea", rows=2000), ["naive_bayes", "majority"], cores=1)
    open_notebook(reader, comparison._repr_html_(), tmp_path)
    widths = reader.driver.execute_script(WIDTHS)
    assert widths[0] == 90
    assert {*widths} == {60, 90}


def test_a_sentence_with_a_long_name_needs_no_scrolling(reader: Any, tmp_path: Path) -> None:
    names = {f"a_learner_with_a_name_of_{'many_' * 6}{end}": end for end in ("knn", "majority")}
    comparison = se.compare(se.generate("sea", rows=500), names, cores=1)
    open_notebook(reader, comparison._repr_html_(), tmp_path)
    assert reader.driver.execute_script(WIDER) == 0
