"""Class codes in the order of the labels learnt, so that predictions do not depend on class names.

With equal votes for several classes, or without votes, learners predict the first class, as in MOA.
A table without declared classes orders them by name, so the same data with other names would get
other predictions. In that case learners get codes in the order of the labels that they learn.
Declared classes, as in ARFF files and generators, keep their order, so that predictions equal
MOA's predictions.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from streameval.base.arrays import Codes
from streameval.learners.learner import AnyLearner
from streameval.learners.predictions import P
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.streams.stream import Schema, Stream

#: Number of events that are read at a time.
_BLOCK = 1 << 16


@dataclass
class ClassOrder:
    """The codes of classes in the order in which a learner learns the first label of each.

    Classes without a label so far follow in the stream's order, so later parts of a tape do not
    change the codes of classes that have been learnt.

    Parameters
    ----------
    n_classes : int
        Number of classes of the stream, k.
    learnt_classes : list of int
        Stream codes of the classes learnt so far, in this order.
    """

    n_classes: int
    learnt_classes: list[int] = field(default_factory=list)

    def add_labels(self, stream: Stream, tape: Tape) -> int:
        """Add the labels of a tape; return the number of predictions before the first label."""
        n_before_label = 0
        if not self.learnt_classes:
            learns = ((tape.op & LEARN) != 0) & (tape.weight > 0)
            # The event that learns the first label may predict its instance before.
            end = int(learns.argmax()) + 1 if learns.any() else len(tape)
            n_before_label = int(np.count_nonzero(tape.op[:end] & PREDICT))
        for begin in range(0, len(tape), _BLOCK):
            if len(self.learnt_classes) == self.n_classes:
                break
            row, op, weight = tape.events(begin, min(begin + _BLOCK, len(tape)))
            self._add(stream.y[row[((op & LEARN) != 0) & (weight > 0)]])
        return n_before_label

    def _add(self, labels: Codes) -> None:
        """Add labels in the order in which they are learnt."""
        distinct, first = np.unique(labels, return_index=True)
        in_order = distinct[np.argsort(first)].tolist()
        self.learnt_classes += [
            code for code in in_order if code >= 0 and code not in self.learnt_classes
        ]

    @property
    def codes(self) -> Codes:
        """The stream's class code for each of the learner's codes, shape (k,)."""
        rest = [code for code in range(self.n_classes) if code not in self.learnt_classes]
        return np.array([*self.learnt_classes, *rest], dtype=np.int32)


def needs_learnt_order(learner: AnyLearner[Any], schema: Schema) -> bool:
    """True if classes are ordered by name, and the learner does not depend on the stream's codes.

    Models of other tools and users' classes may refer to the stream's codes, which therefore stay.
    """
    while isinstance(inner := getattr(learner, "learner", None), AnyLearner):  # a wrapper
        learner = inner
    return schema.sorted_by_name and schema.n_classes > 1 and not learner.uses_class_codes


def recode_classes(stream: Stream, codes: Codes) -> Stream:
    """Stream with new class codes; `codes[i]` is the old code of the class with the new code i."""
    new = np.empty(len(codes) + 1, dtype=stream.y.dtype)
    new[codes] = np.arange(len(codes))
    new[-1] = -1  # the code of a missing label, which remains
    schema = replace(stream.schema, sorted_by_name=False)
    # With an empty list, the digest of the new stream is computed when it is needed.
    return replace(stream, y=new[stream.y], schema=schema)


def decode_predictions(predictions: P, codes: Codes, n_before_label: int) -> P:
    """Predictions in the stream's codes, of a learner with the codes of `recode_classes`.

    Before the first label a learner predicts the class 0. This has to be the stream's class 0,
    since the learner's class 0 depends on a later label. So the first `n_before_label` predictions
    keep their codes.
    """
    recoded: Any = predictions
    # -1 stands for no prediction, and is the last index.
    label = np.append(codes, -1).astype(recoded.label.dtype)[recoded.label]
    label[:n_before_label] = recoded.label[:n_before_label]
    scores = recoded.scores
    if scores is not None:
        new_code = np.argsort(codes)  # the learner's code of each of the stream's codes
        scores = np.concatenate([scores[:n_before_label], scores[n_before_label:, new_code]])
    return replace(recoded, label=label, scores=scores)
