"""No-Change, Majority and Moving Majority predict as their slow twins."""

from __future__ import annotations

import numpy as np
from helpers import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import learners as naive

from streameval.learners.baselines import Majority, MovingMajority, NoChange
from streameval.protocols.prequential import prequential
from streameval.streams.stream import Stream

learners = st.one_of(
    st.just(NoChange()), st.just(Majority()), st.builds(MovingMajority, st.integers(1, 30))
)


@settings(max_examples=60)
@given(strategies.cases(), learners)
def test_equal_their_naive_twins(case, learner):
    stream, tape = case
    expected = naive.run(naive.twin(learner, stream), stream, tape)
    assert learner.run(stream, tape).label.tolist() == expected


def labels(y, learner):
    stream = Stream(np.zeros((len(y), 1)), np.array(y), strategies.schema(3, [0]))
    return learner.run(stream, prequential(len(y))).label.tolist()


def test_by_hand():
    y = [2, 2, 1, 1, 1, 0, 0]
    assert labels(y, NoChange()) == [0, 2, 2, 1, 1, 1, 0]
    # After four labels classes 1 and 2 are level: the lower code wins.
    assert labels(y, Majority()) == [0, 2, 2, 2, 1, 1, 1]
    assert labels(y, MovingMajority(2)) == [0, 2, 2, 1, 1, 1, 0]
