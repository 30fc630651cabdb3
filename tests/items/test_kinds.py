"""Kinds of items: all declared names exist, and the pages made from them are up to date."""

from __future__ import annotations

import pytest
from helpers import example_studies
from helpers.all_kinds import VALIDATION, all_kinds

from streameval.base.settings import ROOT
from streameval.base.sources import closure
from streameval.items import document, kind_at
from streameval.items.kind import function_of, texts_of
from streameval.pipeline.configuration import complete, merge_files
from streameval.pipeline.items import items_of

PAPERS = items_of(complete({**merge_files([]), "studies": "all"}))


@pytest.mark.parametrize("kind", all_kinds().values(), ids=all_kinds())
def test_all_that_a_kind_names_is_there(kind):
    assert kind_at(**kind.import_arguments) == kind
    assert kind.is_figure or kind.is_table
    assert bool(kind.source_kind) is hasattr(kind.settings, "of")
    assert not kind.source_kind or all_kinds()[kind.source_kind].is_figure
    assert callable(function_of(kind, "study"))
    if kind.is_figure:
        assert callable(function_of(kind, "draw"))
    if kind.is_table:
        assert callable(function_of(kind, "layout"))
    assert set(kind.times) < {*kind.frames, *kind.parts, ""}
    if kind.parts:
        assert callable(function_of(kind, "part"))
    assert set(texts_of(kind).pictures) == set(kind.pictures)
    assert bool(texts_of(kind).title) is kind.is_table
    assert bool(kind.table_frame) is (kind.is_table and kind.is_figure)


@pytest.mark.parametrize("item", PAPERS.values(), ids=PAPERS)
def test_settings_survive_as_plain_data(item):
    assert item.kind.settings_from(item.plain_settings()) == item.settings


def test_no_module_that_shows_is_a_source_of_a_study_with_frames():
    figures = [kind for kind in all_kinds().values() if kind.is_figure]
    script = ROOT / "workflow" / "scripts" / "run_study.py"
    code = [path for kind in figures for path in kind.code(kind.study_module)]
    modules = [kind.study_module for kind in figures if not kind.folder]
    files = [*code, *closure(script, modules=modules, code=code)]
    assert modules
    assert code
    assert not [path for path in files if path.name == "show.py"]


@pytest.mark.parametrize("folder", [document.FOLDER, VALIDATION], ids=lambda path: path.name)
def test_pages_made_from_kinds_are_up_to_date(folder):
    """Each is written by python -m streameval.items.document, FOLDER."""
    assert (folder / document.PAGE).read_text(encoding="utf-8") == document.kinds_page(folder)


def test_every_kind_is_used_by_a_study_or_an_example():
    used = {item.kind.name for item in PAPERS.values()}
    assert used | example_studies.KINDS >= set(all_kinds())
