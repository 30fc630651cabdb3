"""The table of delay conventions in docs/delays.md, checked event by event."""

from __future__ import annotations

import numpy as np
import pytest

from streameval.evaluation.delays import with_delay
from streameval.protocols.prequential import delayed
from streameval.protocols.reevaluation import FIRST, LAST, reevaluation
from streameval.protocols.tape import LEARN, PREDICT
from streameval.streams.generators.sea import Sea

N = 6

#: What the programs did over six instances, as docs/delays.md says: P predicts, L learns. Labels
#: that would come after the last instance are left out.
MOA = {  # EvaluatePrequentialDelayed -k of MOA 24.07
    1: "P0 L0 P1 L1 P2 L2 P3 L3 P4 L4 P5",
    2: "P0 P1 L0 P2 L1 P3 L2 P4 L3 P5",
    3: "P0 P1 P2 L0 P3 L1 P4 L2 P5",
}
RIVER = {0: MOA[1], 1: MOA[1], 2: MOA[2], 3: MOA[3]}  # progressive_val_score of River 0.26
CAPYMOA = {  # prequential_ssl_evaluation, compiled, of CapyMOA 0.15.1
    0: "P0 L0 P1 L1 P2 L2 P3 L3 P4 L4 P5",
    1: "P0 P1 L0 P2 L1 P3 L2 P4 L3 P5",
    2: "P0 P1 P2 L0 P3 L1 P4 L2 P5",
    3: "P0 P1 P2 P3 L0 P4 L1 P5",
}
#: The column "d here".
ROWS = [
    *((MOA[k], k - 1) for k in MOA),
    *((RIVER[k], max(k - 1, 0)) for k in RIVER),
    *((CAPYMOA[k], k) for k in CAPYMOA),
]


def events(rows, predicts, learns):
    """Events in the notation of the programs, up to the last prediction."""
    words = []
    for row, does_predict, does_learn in zip(rows, predicts, learns, strict=True):
        words += [f"P{row}"] * bool(does_predict) + [f"L{row}"] * bool(does_learn)
    while words[-1].startswith("L"):
        words.pop()
    return " ".join(words)


@pytest.mark.parametrize(("theirs", "d"), ROWS)
def test_their_numbers_mean_what_the_table_says(theirs, d):
    tape = delayed(N, d)
    assert events(tape.row, tape.op & PREDICT, tape.op & LEARN) == theirs


def over_times(stream, ties="instance"):
    tape, prediction_events = reevaluation(stream.time, stream.label_time, N, ties)
    return events(tape.row, prediction_events.kind == FIRST, prediction_events.kind == LAST)


@pytest.mark.parametrize("d", [0, 1, 2, 3])
def test_re_evaluation_counts_as_all_else(d):
    tape = delayed(N, d)
    expected = events(tape.row, tape.op & PREDICT, tape.op & LEARN)
    assert over_times(with_delay(Sea().stream(N), d)) == expected
    # One instance per unit of time: L units are L instances, or one fewer if labels come first.
    assert over_times(with_delay(Sea().stream(N), d + 1), "label") == expected


@pytest.mark.parametrize("k", [0, 1, 2, 3])
def test_river_counts_as_the_table_says(k):
    stream = pytest.importorskip("river.stream", reason="River is not installed")
    pairs = ((number, number) for number in range(N))
    asked = [(row, label is None) for row, _, label, *_ in stream.simulate_qa(pairs, None, k)]
    rows, predicts = (np.array(part) for part in zip(*asked, strict=True))
    assert events(rows, predicts, ~predicts) == RIVER[k]
