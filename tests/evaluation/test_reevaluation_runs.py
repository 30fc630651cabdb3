"""A stream as far as an item asks for it: the tape ends, and its predictions are the same."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.binned import binned_labels, until
from hypothesis import given
from hypothesis import strategies as st

from streameval.base.errors import DataError
from streameval.evaluation.reevaluation import reevaluate
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.protocols.reevaluation import LAST
from streameval.streams.generators.random_tree import RandomTree
from streameval.streams.stream import NEVER, Stream

N = 60


@st.composite
def delayed(draw):
    """A stream with times; arrivals may be equal, and labels may never arrive."""
    plain = RandomTree().stream(N)
    time = np.array(draw(st.lists(st.integers(0, 40), min_size=N, max_size=N)))
    waits = draw(st.lists(st.none() | st.integers(0, 30), min_size=N, max_size=N))
    label_time = [NEVER if wait is None else t + wait for t, wait in zip(time, waits, strict=True)]
    return Stream(plain.X, plain.y, plain.schema, time=time, label_time=np.array(label_time))


def counting(reevaluated):
    """What counts by bin, and the true labels."""
    label = NaiveBayes().run(reevaluated.stream, reevaluated.tape).label
    return binned_labels(reevaluated.prediction_events, label, 5), reevaluated.stream.y[
        reevaluated.prediction_events.labelled_rows
    ]


@given(
    stream=delayed(),
    labels=st.integers(1, N),
    every=st.integers(1, 5),
    ties=st.sampled_from(["instance", "label"]),
)
def test_stopping_early_gives_the_first_labels_of_the_whole(stream, labels, every, ties):
    whole = reevaluate(stream, every, ties)
    part = reevaluate(stream, every, ties, labels=labels)
    (expected, true), (part_bins, found_true) = counting(whole), counting(part)
    expected = until(expected, labels)
    assert len(part.stream) <= N
    # Of instances that wait when it stops, labels are learnt or known no more.
    assert len(part.prediction_events.labelled_rows) == min(
        labels, len(whole.prediction_events.labelled_rows)
    )
    assert np.count_nonzero(part.stream.label_time != NEVER) == len(
        part.prediction_events.labelled_rows
    )
    if labels < len(whole.prediction_events.labelled_rows):
        assert part.prediction_events.kind[-1] == LAST
    assert found_true.tolist() == true[:labels].tolist()
    assert part_bins.values.tolist() == expected.values.tolist()
    assert part_bins.is_new.tolist() == expected.is_new.tolist()


def test_either_times_or_a_delay_are_needed():
    stream = RandomTree().stream(20)
    with pytest.raises(DataError, match="`delay`, found none"):
        reevaluate(stream, 2)
    timed = reevaluate(stream, 2, delay=3).stream
    assert timed.time.tolist() == list(range(20))
    assert timed.label_time.tolist() == list(range(3, 23))
    with pytest.raises(DataError, match=r"both times .*delay of 4"):
        reevaluate(timed, 2, delay=4)
