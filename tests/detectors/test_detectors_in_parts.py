"""A detector gives the same signals however its input sequence is divided."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive.detectors import inputs

from streameval.base.errors import DataError
from streameval.detectors.alarms import CHANGE, QUIET
from streameval.detectors.registry import DETECTORS, parse

WRITTEN = [{"every": "every:7", "chance": "chance:0.02:3"}.get(name, name) for name in DETECTORS]


@settings(deadline=None, max_examples=30)
@given(st.sampled_from(WRITTEN), st.integers(1, 9), st.lists(st.integers(1, 400), max_size=40))
def test_parts_give_the_signals_of_the_whole(written, seed, lengths):
    values = np.array(list(inputs(seed, (0.1, 0.6, 0.2), 900)))
    whole = parse(written).run(values, seed)
    feed, at, changes = parse(written).begin(seed), 0, []
    for length in [*lengths, *[len(values)] * (len(whole.changes) + 1)]:
        part = values[at : at + length]
        signals = feed(part)
        assert (signals[:-1] != CHANGE).all()
        assert len(signals) == len(part) or signals[-1] == CHANGE
        at += len(signals)
        if len(signals) and signals[-1] == CHANGE:
            changes.append(at - 1)
    assert at == len(values)
    assert changes == whole.changes.tolist()


def test_parts_are_checked():
    with pytest.raises(DataError, match="DDM"):
        parse("ddm").begin()([0.0, 3.0])
    assert parse("never").begin()([]).tolist() == []
    assert parse("every:2").begin()([5.0, 5.0, 5.0]).tolist() == [QUIET, CHANGE]
