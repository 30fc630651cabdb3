"""Checks of a tape before a learner runs over it."""

from __future__ import annotations

from streameval.base.errors import ConfigError, DataError
from streameval.protocols.partial import OfferedTape
from streameval.protocols.tape import LEARN, Tape
from streameval.streams.stream import Stream


def check_tape(stream: Stream, tape: Tape) -> None:
    """Refuse tapes of another stream, and tapes that learn missing or merely offered labels."""
    if isinstance(tape, OfferedTape):
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
        # In a kernel, the code of a missing label would be an index outside its arrays.
        learnt = (tape.op & LEARN) != 0
        wrong = tape.row[learnt][~labelled[tape.row[learnt]]]
        if len(wrong):
            raise DataError(
                f"The tape learns row {stream.file_row_of(wrong[0])} of stream {stream.name!r}, "
                "whose label is missing. Make tapes with a protocol, or leave such rows out with "
                "stream.with_labels()."
            )
