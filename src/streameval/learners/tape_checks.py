"""Checks of a tape before a learner runs over it."""

from __future__ import annotations

from streameval.base.errors import ConfigError, DataError
from streameval.protocols.partial import ActiveLearningTape
from streameval.protocols.tape import LEARN, Tape
from streameval.streams.stream import Stream


def check_tape(stream: Stream, tape: Tape) -> None:
    """Raise an error if the tape is of another stream, learns missing labels, or offers labels."""
    if isinstance(tape, ActiveLearningTape):
        raise ConfigError(
            f"The tape only offers labels, of which the strategy {tape.queries.strategy} chooses "
            "some by class scores. This learner would learn all of them. Evaluate classifiers "
            "with this protocol, or choose the strategy random or every."
        )
    if len(tape) and (tape.row.min() < 0 or tape.row.max() >= len(stream)):
        raise DataError(
            f"The tape refers to rows {tape.row.min()}..{tape.row.max()}, stream "
            f"{stream.name!r} has rows 0..{len(stream) - 1}."
        )
    labelled = stream.labelled
    if not labelled.all():
        # The code of a missing label is negative: a kernel would write outside its arrays.
        learnt = (tape.op & LEARN) != 0
        unlabelled = tape.row[learnt][~labelled[tape.row[learnt]]]
        if len(unlabelled):
            raise DataError(
                f"The tape learns row {stream.file_row_of(unlabelled[0])} of stream "
                f"{stream.name!r}, whose label is missing. Make tapes with a protocol, or leave "
                "such rows out with stream.with_labels()."
            )
