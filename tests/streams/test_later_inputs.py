"""Inputs that become known after an instance has arrived."""

from __future__ import annotations

import numpy as np
import pytest

from streameval.base.errors import ConfigError
from streameval.streams.generators.random_tree import RandomTree
from streameval.streams.later_inputs import split_later_inputs
from streameval.streams.stream import NEVER


def test_times_of_attributes_are_no_inputs():
    plain = RandomTree().stream(4)
    names = [attribute.name for attribute in plain.schema.attributes]
    times = np.array([3.0, np.nan, 0.0, 7.0])
    plain.X[:, 1] = times
    base, (block,) = split_later_inputs(plain, {names[0]: names[1]})
    assert [attribute.name for attribute in base.schema.attributes] == names[2:]
    assert block.time.tolist() == [3, NEVER, 0, 7]
    assert block.values.tolist() == plain.X[:, 0].tolist()
    with pytest.raises(ConfigError, match="found none called 'departed'"):
        split_later_inputs(plain, {names[0]: "departed"})
