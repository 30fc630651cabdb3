"""Class codes in the order in which classes become known, so that predictions ignore spelling.

With equal votes for several classes, or without votes, learners predict the first class, as in MOA.
A table without declared classes orders them by name, so the same data with other names would get
other predictions. In that case learners get codes in the order of the labels that they learn.
Declared classes, as in ARFF files and generators, keep their order, so that predictions equal
those of MOA.
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
    """

    n_classes: int
    seen: list[int] = field(default_factory=list)

    def extended(self, stream: Stream, tape: Tape) -> int:
        """Add the labels of a tape; return the number of predictions before the first label."""
        silent = 0
        if not self.seen:
            learns = ((tape.op & LEARN) != 0) & (tape.weight > 0)
            until = int(learns.argmax()) + 1 if learns.any() else len(tape)
            silent = int(np.count_nonzero(tape.op[:until] & PREDICT))
        for begin in range(0, len(tape), _BLOCK):
            if len(self.seen) == self.n_classes:
                break
            row, op, weight = tape.events(begin, min(begin + _BLOCK, len(tape)))
            self.take(stream.y[row[((op & LEARN) != 0) & (weight > 0)]])
        return silent

    def take(self, labels: Codes) -> None:
        """Add labels in the order in which they are learnt."""
        distinct, first = np.unique(labels, return_index=True)
        in_order = distinct[np.argsort(first)].tolist()
        self.seen += [code for code in in_order if code >= 0 and code not in self.seen]

    @property
    def codes(self) -> Codes:
        """The stream's class code for each of the learner's codes, shape (k,)."""
        rest = [code for code in range(self.n_classes) if code not in self.seen]
        return np.array([*self.seen, *rest], dtype=np.int32)


def needs_learnt_order(learner: AnyLearner[Any], schema: Schema) -> bool:
    """True if classes are ordered by name, and the learner does not depend on the stream's codes.

    Models of other tools and users' classes know the stream's codes, so they keep them.
    """
    while isinstance(inner := getattr(learner, "learner", None), AnyLearner):
        learner = inner
    return schema.sorted_by_name and schema.n_classes > 1 and not learner.knows_codes


def recode_classes(stream: Stream, codes: Codes) -> Stream:
    """Stream with new class codes; `codes` has the present code of each new code."""
    new = np.empty(len(codes) + 1, dtype=stream.y.dtype)
    new[codes] = np.arange(len(codes))
    new[-1] = -1  # the code of a missing label, which remains
    schema = replace(stream.schema, sorted_by_name=False)
    # An empty list: the digest of the new stream is computed when it is needed.
    return replace(stream, y=new[stream.y], schema=schema, _digest=[])


def decode_predictions(predictions: P, codes: Codes, silent: int) -> P:
    """Predictions in the stream's codes; the first `silent` of them precede any label.

    Before any label a learner predicts the first class. This has to be the stream's first class,
    since the learner's first class depends on a later label.
    """
    coded: Any = predictions
    label = np.append(codes, -1).astype(coded.label.dtype)[coded.label]
    label[:silent] = coded.label[:silent]
    scores = coded.scores
    if scores is not None:
        place = np.argsort(codes)
        scores = np.concatenate([scores[:silent], scores[silent:, place]])
    return replace(coded, label=label, scores=scores)
