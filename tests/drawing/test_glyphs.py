"""Names in any script: fonts that are installed, or one line that says which has none."""

from __future__ import annotations

import warnings

import pytest
from matplotlib.font_manager import fontManager

import streameval as se
from streameval.drawing import glyphs, style
from streameval.streams.readers.table import StreamWarning

NAME = "\u5b66\u7fd2\u5668"


def test_characters_without_a_font_are_named_in_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(style, "font_families", lambda: [glyphs.MAIN_FONT])
    result = se.evaluate(se.generate("sea", rows=300), {NAME: "naive_bayes"})
    figure = result.plot().figure  # the layout needs the glyphs, too, and says nothing
    with pytest.warns(StreamWarning) as caught:
        style.save(figure, tmp_path / "a")
    assert {str(warning.message).partition(":")[0] for warning in caught} == {
        f"No installed font has the characters of {NAME}"
    }
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = style.figure()
        style.add_title(figure, "Naive Bayes, κ", simulated=False)
        style.save(figure, tmp_path / "b")


def test_installed_fonts_stand_behind_the_first_one(monkeypatch):
    names = {font.name for font in fontManager.ttflist}
    monkeypatch.setattr(glyphs, "FALLBACK_FONTS", ("none such", "STIXGeneral"))
    glyphs.font_families.cache_clear()
    try:
        assert glyphs.font_families() == [glyphs.MAIN_FONT, "STIXGeneral"]
        assert {*glyphs.font_families()} <= names
    finally:
        glyphs.font_families.cache_clear()
