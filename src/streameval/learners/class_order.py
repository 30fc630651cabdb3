"""Classes in the order in which they become known, so that no prediction follows from spelling.

Where learners have equal votes for several classes, or none at all, they take the first class, as
MOA's do. In a table that declares no classes their order is that of their names, so the same data
under other names would have other predictions. There, learners get classes in the order of the
labels that they learn. Where classes are declared, as in ARFF files and by generators, their order
remains, so that predictions are those of MOA.
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

#: Events that are looked at at a time.
_STRETCH = 1 << 16


@dataclass
class ClassOrder:
    """The codes of classes in the order in which a learner learns the first label of each.

    Classes without a label so far follow in their own order, so a further part of a tape changes
    the codes of no class that has been learnt.
    """

    n_classes: int
    seen: list[int] = field(default_factory=list)

    def extended(self, stream: Stream, tape: Tape) -> int:
        """Take the labels of a tape; return how many predictions come before any label."""
        silent = 0
        if not self.seen:
            learns = ((tape.op & LEARN) != 0) & (tape.weight > 0)
            until = int(learns.argmax()) + 1 if learns.any() else len(tape)
            silent = int(np.count_nonzero(tape.op[:until] & PREDICT))
        for begin in range(0, len(tape), _STRETCH):
            if len(self.seen) == self.n_classes:
                break
            row, op, weight = tape.events(begin, min(begin + _STRETCH, len(tape)))
            self.take(stream.y[row[((op & LEARN) != 0) & (weight > 0)]])
        return silent

    def take(self, labels: Codes) -> None:
        """Take labels in the order in which they are learnt."""
        distinct, first = np.unique(labels, return_index=True)
        in_order = distinct[np.argsort(first)].tolist()
        self.seen += [code for code in in_order if code >= 0 and code not in self.seen]

    @property
    def codes(self) -> Codes:
        """The classes, as the stream has them, by the learner's codes, shape (k,)."""
        rest = [code for code in range(self.n_classes) if code not in self.seen]
        return np.array([*self.seen, *rest], dtype=np.int32)


def needs_learnt_order(learner: AnyLearner[Any], schema: Schema) -> bool:
    """Return whether the order of classes is that of their names and the learner's own matter.

    Models of others, and classes of users, know the stream's codes; they get these.
    """
    while isinstance(inside := getattr(learner, "learner", None), AnyLearner):
        learner = inside
    return schema.spelt and schema.n_classes > 1 and not learner.knows_codes


def recode_classes(stream: Stream, codes: Codes) -> Stream:
    """Return a stream whose classes have other codes: by their new ones, the present ones."""
    new = np.empty(len(codes) + 1, dtype=stream.y.dtype)
    new[codes] = np.arange(len(codes))
    new[-1] = -1  # the code of a missing label, which remains
    schema = replace(stream.schema, spelt=False)
    return replace(stream, y=new[stream.y], schema=schema, _digest=[])


def decode_predictions(predictions: P, codes: Codes, silent: int) -> P:
    """Return predictions in the stream's codes; the first ones come before any label is known.

    For these a learner takes the first class, which is that of the stream: what becomes known later
    must not decide.
    """
    coded: Any = predictions
    label = np.append(codes, -1).astype(coded.label.dtype)[coded.label]
    label[:silent] = coded.label[:silent]
    scores = coded.scores
    if scores is not None:
        place = np.argsort(codes)
        scores = np.concatenate([scores[:silent], scores[silent:, place]])
    return replace(coded, label=label, scores=scores)
