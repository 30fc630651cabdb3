"""Run the re-evaluation of an item, and find the dates of labels."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from streameval.base.params import LARGEST
from streameval.evaluation.reevaluation import ReevaluatedStream, reevaluate
from streameval.items.frame_dates import date_columns
from streameval.items.inputs import StreamInput
from streameval.streams.making import synthesise
from streameval.streams.stream import Stream
from streameval.streams.timeline import Timeline

#: With so many labels between two predictions of an instance, there are only two: on arrival, and
#: just before its label.
FIRST_AND_LAST = LARGEST


def reevaluate_input(
    stream_input: StreamInput[Any],
    every: int = FIRST_AND_LAST,
    *,
    all_labels: bool = False,
) -> ReevaluatedStream:
    """The re-evaluation that the settings of an item describe.

    `every` is the number of labels between two predictions of an instance. With `all_labels` the
    re-evaluation runs to the stream's last label, even if the settings stop it earlier.
    """
    settings: Any = stream_input.settings
    return reevaluate(
        stream_input.stream if stream_input.spec is None else synthesise(stream_input.spec),
        every,
        ties="label" if stream_input.name in settings.label_first else "instance",
        labels=None if all_labels else settings.labels.get(stream_input.name),
        delay=settings.delay.get(stream_input.name),
    )


def label_dates(stream: Stream, instances: NDArray[Any]) -> dict[str, Any]:
    """The columns of a frame with the dates at which the labels of its rows arrive.

    `instances` are indices in the stream. Without dates of labels there are no columns.
    """
    labels = Timeline.of(stream).label_timeline(stream)
    return {} if labels is None else date_columns(labels.take(instances))
