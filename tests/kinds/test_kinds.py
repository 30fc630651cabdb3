"""Kinds of items: what each declares exists, and the pages made from them are up to date."""

from __future__ import annotations

from pathlib import Path

import pytest

from streameval.kinds import document, kind_of, names_of_kinds
from streameval.kinds.kind import function_of
from streameval.kinds.words import words_of
from streameval.pipeline.configuration import complete, merged
from streameval.pipeline.items import items_of
from streameval.settings import ROOT

PAPERS = items_of(complete(merged([]), []))


@pytest.mark.parametrize("name", names_of_kinds())
def test_all_that_a_kind_names_is_there(name):
    kind = kind_of(name)
    assert kind.name == name
    assert kind.is_figure or kind.is_table
    assert bool(kind.of) is (kind.reads == "item") is hasattr(kind.settings, "of")
    assert not kind.of or kind_of(kind.of).is_figure
    assert callable(function_of(kind.study_module, "study"))
    if kind.is_figure:
        assert callable(function_of(kind.drawing_module, "draw"))
    if kind.is_table:
        assert callable(function_of(kind.layout_module, "layout"))
    assert set(kind.times) < {*kind.frames, *kind.parts, ""}
    if kind.parts:
        assert callable(function_of(kind.part_module, "part"))
    assert set(words_of(name).pictures) == set(kind.pictures)
    assert bool(words_of(name).title) is kind.is_table
    assert not kind.table_frame or kind.frames[kind.table_frame] == kind.columns


def test_the_folder_of_kinds_holds_nothing_else():
    folder = ROOT / "src" / "streameval" / "kinds"
    shared = {"__init__", "document", "kind", "recorded", "settings", "words"}
    assert {path.stem for path in folder.glob("*.py")} - shared == set(names_of_kinds())


@pytest.mark.parametrize("item", PAPERS.values(), ids=PAPERS)
def test_settings_survive_as_plain_data(item):
    assert item.kind.settings_from(item.plain()) == item.settings


def test_pages_made_from_kinds_are_up_to_date():  # python -m streameval.kinds.document
    assert Path(document.TEXT).read_text(encoding="utf-8") == document.text()


def test_every_kind_is_used_by_a_study():
    used = {item.kind.name for item in PAPERS.values()}
    assert used == set(names_of_kinds())


def test_settings_are_immutable():
    plain = {"streams": ["a"], "learners": ["b"], "measures": ["kappa"]}
    settings = kind_of("measures").settings_from(plain)
    with pytest.raises(AttributeError):
        settings.window = 3
