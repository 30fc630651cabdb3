"""Each kind has what its description promises: a study, and what shows it."""

from __future__ import annotations

import string

import msgspec
import pytest

from streameval.kinds import kind_of, names_of_kinds
from streameval.kinds.kind import function_of

KINDS = [kind_of(name) for name in names_of_kinds()]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_kind_is_computed_and_shown(kind):
    assert kind.is_figure or kind.is_table
    assert callable(function_of(kind.study_module, "study"))
    if kind.is_figure:
        assert callable(function_of(kind.drawing_module, "draw"))
    if kind.is_table and kind.title:
        assert kind.table_frame in ("", *kind.frames)
    assert set(kind.times) <= set(kind.frames)
    assert set(kind.picture_captions) == set(kind.pictures)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_names_of_kinds_are_those_of_their_modules(kind):
    assert kind is kind_of(kind.name)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_caption_is_a_sentence_that_quotes_settings(kind):
    assert kind.caption.endswith((".", "}"))
    quoted = {name for _, name, _, _ in string.Formatter().parse(kind.caption) if name}
    known = {field.name for field in msgspec.structs.fields(kind.settings)}
    words = {"shuffled", "below_no_change"}  # sentences that hold for some settings only
    assert quoted <= known | words
