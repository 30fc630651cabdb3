"""The protocol for the label delays of a stream, and its predictions before labels arrive.

A *tape* lists the events of one model in order: which instance is predicted or learnt.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Flags, Integers
from streameval.base.errors import ConfigError, excerpt, listing, warn_caller
from streameval.base.params import LARGEST
from streameval.base.values import flag_of, parse_duration
from streameval.protocols.prequential import Delayed, delays_in_instances, typical_delay
from streameval.protocols.protocol import Protocol, nothing_to_score_error
from streameval.protocols.registry import DEFAULT, parse
from streameval.protocols.tape import Tape
from streameval.streams.readers.table import StreamWarning
from streameval.streams.stream import MISSING, NEVER, Stream

if TYPE_CHECKING:
    from streameval.learners.learner import AnyLearner
    from streameval.protocols.bins import BinnedPredictions
    from streameval.protocols.reevaluation import PredictionEvents, Reevaluation

#: Learners that always have votes (weights of classes) in MOA (Massive Online Analysis), even
#: before the first label: a vote for class 0, or a vote of weight 0 for each class. Other learners
#: predict class 0 without votes then. Such a prediction may have no weight in a bin, a part of the
#: time until the label arrives; see `without_votes` of `streameval.protocols.bins.bin_predictions`.
#: Table 1 of Grzenda et al. (2019) depends on it: in bin 45 of the stream Agrawal, Naive Bayes has
#: no votes, but the Hoeffding tree has.
ALWAYS_VOTING = frozenset({"no_change", "knn", "hoeffding_tree"})


def protocol_for(
    stream: Stream,
    protocol: str | Mapping[str, Any] | Protocol | None,
    delay: int | str | None = None,
    every: int | None = None,
    label_first: bool = False,
    ignore_label_times: bool = False,
) -> tuple[Stream, Protocol]:
    """Stream with the times that the evaluation needs, and the protocol.

    The default protocol is re-evaluation if labels are delayed, else prequential. Re-evaluation
    predicts an instance repeatedly until its label arrives. A `delay` is a number of instances, or
    a length of time such as "30 days". `every` is the number of labels between two predictions of
    an instance, by default 10. With `label_first` a label comes before an instance of
    the same time. With `ignore_label_times` labels are available before the next instance.
    """
    label_first = flag_of(label_first, "label_first")
    requested = {"delay": delay is not None, "every": every is not None, "label_first": label_first}
    parsed_protocol = None if protocol is None else parse(protocol)
    if parsed_protocol is not None:
        # A delay sets the label times that such a protocol needs; the other arguments are among the
        # parameters of the protocol itself.
        if parsed_protocol.needs_times:
            del requested["delay"]
        if any(requested.values()):
            raise ConfigError(
                f"Expected either the protocol {parsed_protocol} or {_listed(requested)}, found "
                "both. Leave one out: without a protocol, delayed labels are learnt when they "
                "arrive."
            )
    if flag_of(ignore_label_times, "ignore_label_times"):
        if stream.label_time is None:
            raise ConfigError(
                f"Expected times of labels for ignore_label_times, found none in stream "
                f"{stream.name!r}. Leave it out."
            )
        if any(requested.values()) or (parsed_protocol is not None and parsed_protocol.needs_times):
            raise ConfigError(
                "Expected either ignore_label_times or an evaluation under the delay of labels, "
                "found both. Leave one of the two out."
            )
        return stream, parse(DEFAULT) if parsed_protocol is None else parsed_protocol
    if delay is not None:
        stream = with_delay(stream, delay)
    if parsed_protocol is not None:
        return stream, parsed_protocol
    if stream.label_time is None:
        if any(requested.values()):
            raise ConfigError(
                f"Expected delayed labels for {_listed(requested)}, found none in stream "
                f"{stream.name!r}. Give a delay (--delay N), or name the columns that say when "
                "instances and labels arrive (--time COLUMN --label-time COLUMN)."
            )
        return stream, parse(DEFAULT)
    # Parsed by name, since its module imports numba, which other streams do not need.
    settings: dict[str, Any] = {} if every is None else {"every": every}
    ties = "label" if label_first else "instance"
    return stream, parse({"name": "reevaluation", **settings, "ties": ties})


def check_label_times(
    stream: Stream, protocol: Protocol, ignore: bool = False, advice: str = ""
) -> None:
    """Refuse protocols that use labels before they arrive, unless times are to be ignored.

    A protocol with a fixed delay is allowed, with a warning about labels that it uses too early.
    """
    if stream.label_time is None or protocol.needs_times or ignore:
        return
    delay = typical_delay(stream)
    other = f", with --protocol delayed:{delay} (one delay for all)" if delay else ""
    protocols = f"Evaluate with --protocol reevaluation{other}"
    assumed_delay = getattr(protocol, "delay", 0)
    if not assumed_delay:
        raise ConfigError(
            f"The labels of {stream.name!r} arrive later than their instances, but the protocol "
            f"{protocol} uses each label before the next instance, which makes learners and "
            f"baselines look better than they are. {advice or protocols}, or ignore the times of "
            "labels with --ignore-label-times (in Python ignore_label_times=True)."
        )
    n_early = int(np.count_nonzero(delays_in_instances(stream)[stream.labelled] > assumed_delay))
    # The median delay, which the messages advise, is accepted, although some labels arrive later.
    if n_early and delay is not None and delay > assumed_delay:
        warn_caller(
            f"The protocol {protocol} uses {n_early:,} labels of {stream.name!r} before they "
            f"arrive. The median delay of labels is {delay:,} instances. {protocols}.",
            StreamWarning,
        )


def check_scored(stream: Stream, protocol: Protocol, tapes: Sequence[Tape]) -> None:
    """Refuse tapes without any scored prediction of an instance with a label.

    A stream without any label is accepted: its measures are NaN, and the result says that the
    labels are missing.
    """

    def has_scored(tape: Tape) -> bool:
        is_scored = protocol.scored_rows(stream, tape) & stream.labelled
        return bool(is_scored[tape.predict_rows].any())

    if stream.labelled.any() and not any(map(has_scored, tapes)):
        raise nothing_to_score_error(stream.name, len(stream))


def first_label_line(predictions: int, *, has_folds: bool = False) -> str:
    """Sentence on the predictions before the first label; "" if there are none."""
    if not predictions:
        return ""
    is_plural = predictions > 1
    if has_folds:
        verb = "s were" if is_plural else " was"
        models = "their models" if is_plural else "its model"
        return (
            f"{predictions:,} prediction{verb} made before the first label of {models}, and "
            f"{'are' if is_plural else 'is'} not scored."
        )
    return (
        f"{predictions:,} instance{'s' * is_plural} arrived before the first label. No learner can "
        f"predict yet, so {'they are' if is_plural else 'it is'} not scored."
    )


class ArrivalPredictions(NamedTuple):
    """Predictions on arrival, one for each scored instance.

    With delayed labels, the stream has label times; otherwise it has only instances with labels.
    """

    stream: Stream
    protocol: Protocol
    tape: Tape
    scored: Flags  # (p,), mask of the predictions on arrival among all predictions of the tape
    prediction_events: PredictionEvents | None = None  # None without delayed labels
    before_first_label: int = 0  # number of predictions that are not scored


def predictions_on_arrival(
    stream: Stream,
    protocol: Protocol | None = None,
    delay: int | str | None = None,
    label_first: bool = False,
    ignore: bool = False,
    *,
    repeated: bool = False,
) -> ArrivalPredictions:
    """Predictions on arrival of a stream; see `protocol_for`.

    Unless the protocol needs label times, the tape is that of a single prequential model. This
    replaces folds, which the caller runs itself: the result has the requested protocol. If
    `repeated`, instances are predicted repeatedly until their labels arrive.
    """
    stream, protocol = protocol_for(
        stream, protocol, delay, label_first=label_first, ignore_label_times=ignore
    )
    advice = "Leave the protocol out, which compares predictions on arrival"
    check_label_times(stream, protocol, ignore, advice)
    if not protocol.needs_times:
        stream = stream.with_labels()
        if stream.label_time is not None:
            stream = replace(stream, label_time=None)
        prequential = parse(DEFAULT)
        (tape,) = prequential.tapes(stream)
        check_scored(stream, prequential, [tape])
        scored = prequential.scored_rows(stream, tape)[tape.predict_rows]
        n_unscored = int(np.count_nonzero(~scored))
        return ArrivalPredictions(stream, protocol, tape, scored, before_first_label=n_unscored)
    from streameval.protocols.reevaluation import FIRST, Reevaluation

    if not isinstance(protocol, Reevaluation):
        raise TypeError(f"Expected a re-evaluation, found {protocol}.")
    # A prediction after `LARGEST` labels is never due, so no instance is predicted again.
    reevaluation = protocol if repeated else replace(protocol, every=LARGEST)
    tape, prediction_events = reevaluation.tape_and_events(stream)
    check_scored(stream, reevaluation, [tape])
    is_scored = reevaluation.scored_rows(stream, tape)
    rows = prediction_events.row
    scored = prediction_events.kind == FIRST
    scored &= np.isin(rows, prediction_events.labelled_rows) & is_scored[rows]
    n_unscored = int(np.count_nonzero(~is_scored))
    return ArrivalPredictions(stream, protocol, tape, scored, prediction_events, n_unscored)


@dataclass(frozen=True)
class ReevaluationData:
    """The predictions and learners of a re-evaluation."""

    protocol: Reevaluation
    prediction_events: PredictionEvents
    learners: Mapping[str, AnyLearner[Any]]
    delay: int | None = None  # requested delay of all labels in instances, if there is one
    selected: Flags | None = None  # (n,), mask of the rows that count; None for all rows

    def select(self, rows: Flags) -> ReevaluationData:
        """The re-evaluation limited to a mask of the stream's rows."""
        return replace(
            self, prediction_events=self.prediction_events.select_rows(rows), selected=rows
        )

    def first_with_label(self) -> Flags:
        """Mask of the first predictions of instances whose labels arrive."""
        from streameval.protocols.reevaluation import FIRST

        first: Flags = self.prediction_events.kind == FIRST
        return first & np.isin(self.prediction_events.row, self.prediction_events.labelled_rows)

    def pending(self, stream: Stream) -> Integers:
        """Arrival times of the instances whose labels have not arrived."""
        arrivals: Integers = np.asarray(stream.time, dtype=np.int64)
        if stream.unlabelled_kind == MISSING:  # missing labels never arrive
            return arrivals[:0]
        is_pending = ~np.isin(np.arange(len(stream)), self.prediction_events.labelled_rows)
        return arrivals[is_pending if self.selected is None else is_pending & self.selected]

    def in_bins(
        self,
        learner: str,
        predicted: NDArray[Any],
        binnings: Sequence[tuple[int, str]],
        n_classes: int = 0,
    ) -> list[BinnedPredictions]:
        """Predictions of a learner that count in each bin, for several binnings.

        A binning is a number of bins and a rule, "paper" or "published", that decides which
        prediction counts in a bin; see `streameval.protocols.bins`. `n_classes` is 0 in regression.
        """
        from streameval.protocols.bins import bin_predictions

        # False: all predictions have votes. None: those before the first label have none.
        # Regression has no votes, and ignores the argument.
        always_votes = self.learners[learner].name in ALWAYS_VOTING
        without_votes = False if n_classes and always_votes else None
        return bin_predictions(
            self.prediction_events, predicted, binnings, n_classes, without_votes=without_votes
        )

    def delay_summary(self, stream: Stream) -> dict[str, int]:
        """Counts and delays of labels; see `Result.delays`."""
        labels, wait = len(self.prediction_events.labelled_rows), median_wait(stream)
        return {
            "every": self.protocol.every,
            "labels": labels,
            "pending": len(self.pending(stream)),
            "delay": (typical_delay(stream) or 0) if self.delay is None else self.delay,
            **({} if wait is None else {"seconds": round(wait)}),
        }


def delay_in_instances(delay: int | str | None) -> int | None:
    """The delay if it is a number of instances; None for a length of time."""
    return None if isinstance(delay, str) else delay


def median_wait(stream: Stream) -> float | None:
    """Median time in seconds from an instance to its label; None without dates.

    Labels that never arrive are left out. `Stream.ticks` is the number of time units per second, 0
    if times are not dates.
    """
    if not stream.ticks or stream.time is None or stream.label_time is None:
        return None
    arrives = stream.label_time != NEVER
    waits = stream.label_time[arrives] - stream.time[arrives]
    return float(np.median(waits)) / stream.ticks if len(waits) else None


def target_line(stream: Stream) -> str:
    """Sentence on the target, since an ARFF file may have another target than the user expects."""
    schema = stream.schema
    description = (
        "a number"
        if schema.classes is None
        else f"with {len(schema.classes):,} class{'es' * (len(schema.classes) != 1)}: "
        + listing(schema.classes)
    )
    line = f"The target of {excerpt(stream.name)} is {excerpt(schema.target)!r}, {description}."
    return "\n".join(wrap(line, 100, subsequent_indent="  "))


def stream_entry(stream: Stream) -> dict[str, Any]:
    """Fields of a stream in JSON."""
    return {"n": len(stream), "target": stream.schema.target, **unlabelled_counts(stream)}


def unlabelled_counts(stream: Stream) -> dict[str, int]:
    """JSON field with the number of missing or pending labels; empty if there are none."""
    return {f"labels_{stream.unlabelled_kind}": stream.n_unlabelled} if stream.n_unlabelled else {}


def missing_labels_line(stream: Stream) -> str:
    """Sentence on missing labels; "" if none is missing."""
    if not (text := stream.unlabelled_text):
        return ""
    subject = "these instances are" if stream.n_unlabelled > 1 else "this instance is"
    line = f"{text}; {subject} neither scored nor learnt."
    return "\n".join(wrap(line, 100, subsequent_indent="  "))


def same_time_line(stream: Stream) -> str:
    """Hint if instances share an arrival time but are learnt one by one; otherwise ""."""
    if stream.time is None or stream.label_time is not None:
        return ""
    ordered = np.sort(stream.time)
    repeats = int(np.count_nonzero(ordered[1:] == ordered[:-1]))
    if not repeats:
        return ""
    remedy = "a delay (--delay '0 seconds')" if stream.ticks else "times of labels (--label-time)"
    line = (
        f"{repeats:,} of {len(stream):,} instances arrive at the same time as the previous "
        "instance, and are predicted when its label is known. If labels of the same time come "
        f"later, give {remedy}."
    )
    return "\n".join(wrap(line, 100, subsequent_indent="  "))


def _listed(requested: Mapping[str, bool]) -> str:
    """Names of the requested arguments with commas; `listing` cuts a long list."""
    return listing([name for name, is_requested in requested.items() if is_requested])


def with_delay(stream: Stream, delay: int | str) -> Stream:
    """Copy of a stream with a fixed label delay: a number of instances or a length of time.

    For a number, the arrival times of instances become 0, 1, 2, ..., in the order of their previous
    times if there are any. The last labels arrive after the last instance.
    """
    if stream.label_time is not None:
        raise ConfigError(
            f"Expected either a delay or label times, found both: stream {stream.name!r} has times "
            "of its labels. Leave the delay out, or the column of label times (label_time)."
        )
    if isinstance(delay, str):
        return _with_duration(stream, delay)
    instances = Delayed(delay).delay  # the protocol checks the number
    time = np.arange(len(stream))
    if stream.time is not None:
        time = np.argsort(np.argsort(stream.time, kind="stable"), kind="stable")  # ranks
    label_time = np.where(stream.labelled, time + instances, NEVER)
    return replace(stream, time=time, label_time=label_time, ticks=0)


def _with_duration(stream: Stream, delay: str) -> Stream:
    """Copy of a stream with labels that arrive a length of time after their instances."""
    seconds = parse_duration(delay, "delay")
    if stream.time is None or not stream.ticks:
        raise ConfigError(
            f"delay: expected dates of the instances for {delay!r}, found none in stream "
            f"{stream.name!r}. Name the column that says when each instance arrives (--time "
            "COLUMN; in Python read(..., time=COLUMN)), or give a number of instances."
        )
    later = stream.time + round(seconds * stream.ticks)
    label_time = np.where(stream.labelled, later, NEVER)
    return replace(stream, label_time=label_time)
