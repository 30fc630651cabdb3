"""Streams in pieces: generated ones of the registry, and those that are in memory."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from streameval.base.errors import ConfigError
from streameval.streams.generators import generate
from streameval.streams.making import synthesise, synthesise_in_pieces
from streameval.streams.pieces import StreamPieces, pieces_of
from streameval.streams.registry import GeneratorSpec, load_registry

GENERATED = {
    key: replace(spec, rows=101)
    for key, spec in load_registry().items()
    if isinstance(spec, GeneratorSpec)
}


@pytest.mark.parametrize("key", GENERATED)
def test_a_stream_of_the_registry_is_the_same_in_pieces(key):
    spec = GENERATED[key]
    if spec.label_delay is not None:
        with pytest.raises(ConfigError, match=f"{key}.*found delayed labels"):
            synthesise_in_pieces(spec)
        return
    whole, found = synthesise(spec), synthesise_in_pieces(spec)
    assert (len(found), found.schema, found.name) == (101, whole.schema, key)
    assert found.smoothing == whole.smoothing
    for _ in range(2):  # as often as needed
        pieces = [*found.pieces(40)]
        assert [len(piece) for piece in pieces] == [40, 40, 21]
        assert {(piece.name, piece.source) for piece in pieces} == {(key, whole.source)}
        for at, piece in zip((0, 40, 80), pieces, strict=True):
            assert piece.digest == whole.take(slice(at, at + 40)).digest


def test_an_entry_that_does_not_fit_its_generator_is_refused():
    spec = GeneratorSpec(id="s", title="S", generator="sea", rows=10, columns=4)
    with pytest.raises(ConfigError, match="'s': columns: expected 4, found 3"):
        synthesise_in_pieces(spec)


def test_the_first_instances_come_in_pieces_too():
    stream = generate("sea", 100)
    for rows in (1, 30, 31, 60, 100, 1000):
        first = pieces_of(stream).first(rows)
        assert len(first) == min(rows, 100)
        found = np.concatenate([piece.X for piece in first.pieces(30)])
        assert found.tolist() == stream.X[:rows].tolist()
    assert [len(piece) for piece in pieces_of(stream).pieces(10**9)] == [100]


def test_pieces_of_wide_streams_are_short():
    narrow, wide = (
        StreamPieces(generate("random_rbf", 1, attributes=m).schema, 10**9, lambda _: ())
        for m in (2, 200)
    )
    assert narrow.rows_of_piece == 100 * wide.rows_of_piece + 44
    assert wide.rows_of_piece * 200 * 8 <= 2**22
