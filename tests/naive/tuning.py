"""Tuning on a prefix, by hand: a run over the first instances for each setting."""

from __future__ import annotations

import numpy as np

from streameval.protocols.prequential import prequential
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.streams.stream import NO_LABEL


def chosen(stream, learners, instances, delay=0):
    """Number of the most accurate learner on the prefix, and all accuracies.

    Labels that arrive behind the prefix are not known.
    """
    events = []
    for row in range(instances):
        if delay:  # the label of row t comes behind the prediction of row t + delay
            events.append((row, PREDICT))
            if row >= delay:
                events.append((row - delay, LEARN))
        else:
            events.append((row, PREDICT | LEARN))
    row, op = np.array(events).T
    tape = Tape(row, op, np.ones(len(row)))
    known = instances - delay
    accuracies = []
    for learner in learners:
        predictions = learner.run(stream, tape)
        right = [
            label == stream.y[at]
            for at, label in zip(predictions.row, predictions.label, strict=True)
            if (at > delay if delay else True) and at < known and stream.y[at] != NO_LABEL
        ]
        accuracies.append(sum(right) / len(right))
    return accuracies.index(max(accuracies)), accuracies


def judged(stream, learner, instances):
    """Accuracy of a learner after the prefix, which it also learns."""
    labels = learner.run(stream, prequential(len(stream))).label
    right = [label == y for label, y in zip(labels, stream.y, strict=True)]
    return sum(right[instances:]) / len(right[instances:])
