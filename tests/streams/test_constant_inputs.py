"""Constant inputs are appended to the inputs of the stream."""

from __future__ import annotations

from streameval.streams.added_inputs import with_constant_inputs
from streameval.streams.generators.random_tree import RandomTree


def test_the_other_inputs_stay_as_they_are():
    stream = RandomTree().stream(50)
    extended = with_constant_inputs(stream, 2)
    m = stream.schema.n_attributes
    assert extended.schema.attributes[:m] == stream.schema.attributes
    assert [attribute.name for attribute in extended.schema.attributes[m:]] == [
        "constant 1",
        "constant 2",
    ]
    assert extended.X[:, :m].tolist() == stream.X.tolist()
    assert (extended.X[:, m:] == 0).all()
    assert extended.digest != stream.digest
    assert with_constant_inputs(stream, 0) is stream
