"""Numbers of additional predictions, counted one by one."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from streameval.items.reevaluation.repredictions import reprediction_counts
from streameval.protocols.reevaluation import NEVER, reevaluation


def counted(prediction_events, window):
    """The numbers after each label, from lists of single predictions."""
    waiting, by_label, of_labelled, rows = {}, [], 0, []
    n_predictions = 0
    for row, which in zip(
        prediction_events.row.tolist(), prediction_events.kind.tolist(), strict=True
    ):
        if which == 1:
            waiting[row] = waiting.get(row, 0) + 1
            n_predictions += 1
        if which == 2:
            of_labelled += waiting.pop(row, 0)
            by_label.append(n_predictions)
            n_predictions = 0
            n = len(by_label)
            over = sum(by_label[-window:]) if n >= window else None
            rows.append((n, over, sum(waiting.values()), of_labelled / n))
    return rows


@given(
    waits=st.lists(st.none() | st.integers(0, 30), min_size=1, max_size=40).filter(
        lambda waits: any(wait is not None for wait in waits)
    ),
    every=st.integers(1, 4),
    window=st.integers(1, 10),
)
def test_equal_those_counted_one_by_one(waits, every, window):
    due = [NEVER if wait is None else t + wait for t, wait in enumerate(waits)]
    _, prediction_events = reevaluation(np.arange(len(waits)), due, every, pending=True)
    counts = reprediction_counts(prediction_events, window, 1000)
    rows = [
        (int(n), None if np.isnan(count) else count, buffered, mean)
        for n, count, buffered, mean in counts.to_numpy().tolist()
    ]
    assert rows == counted(prediction_events, window)


def test_the_last_label_is_always_shown():
    _, prediction_events = reevaluation(np.arange(100), np.arange(100) + 7, 2, pending=True)
    counts = reprediction_counts(prediction_events, 10, 5)
    assert len(counts) <= 5
    assert counts["labels"].iloc[-1] == 100
