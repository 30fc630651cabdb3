"""Checked arguments of the public functions that run learners.

A `Request` has a stream and a `Recipe` for each learner: a named learner that can be made for any
stream. `Request.prepare` makes a `PreparedRun` of the request, with a `Tape` for each model of a
learner. A tape is a sequence of events: predict or learn an instance, or both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from streameval.api.arguments import check_stream
from streameval.api.learners import (
    Recipe,
    make_with_baselines,
    recipes_by_name,
    separate_predictions,
)
from streameval.base.arrays import Flags
from streameval.base.errors import ConfigError, excerpt, warn_caller
from streameval.base.values import delay_of, python_value
from streameval.evaluation.delays import (
    ArrivalPredictions,
    ReevaluationData,
    check_label_times,
    check_scored,
    delay_in_instances,
    predictions_on_arrival,
    protocol_for,
)
from streameval.evaluation.roles import SEASONAL
from streameval.evaluation.seasons import seasonal_name
from streameval.evaluation.task import CLASSIFICATION_TASK, Task, task_of
from streameval.evaluation.tuning import (
    TuningOutcome,
    count_pretrained,
    mask_after_pretraining,
    tuning_outcomes,
)
from streameval.learners.learner import AnyLearner, Classifier
from streameval.protocols.protocol import Protocol
from streameval.protocols.reevaluation import Reevaluation
from streameval.protocols.registry import DEFAULT, parse
from streameval.protocols.tape import Tape
from streameval.streams.readers.table import StreamWarning
from streameval.streams.stream import Stream
from streameval.streams.timeline import Timeline

#: Seeds are signed 64-bit integers, as in compiled learners: from -2**63 to 2**63 - 1.
_SEED_LIMIT = 2**63
#: Pattern of the names of seasonal learners: ``seasonal:LAG``.
_SEASON = re.compile(rf"{SEASONAL}:\d+")
#: Fields of a request that HTML pages (`streameval.pages`) list if they are not the default.
_OPTIONS = (
    "delay",
    "every",
    "label_first",
    "ignore_label_times",
    "pretrain",
    "seasonal",
    "intervals",
    "seed",
)


class PreparedRun(NamedTuple):
    """The stream, protocol and tapes over which learners can run.

    Parameters
    ----------
    stream : Stream
        The stream, with label times that follow from the delay, if one was given.
    protocol : Protocol
        The evaluation protocol.
    tapes : sequence of Tape
        Tapes of the protocol, one for each model of a learner.
    reevaluation : ReevaluationData, optional
        For the protocol `Reevaluation`, which predicts an instance repeatedly until its label
        arrives: the instance, time and kind (first, repeated or last) of each prediction.
    after_pretraining : ndarray of bool, shape (n,)
        Mask of the instances that may be scored: all but the first `Request.n_pretrain`.
    """

    stream: Stream
    protocol: Protocol
    tapes: Sequence[Tape]
    reevaluation: ReevaluationData | None
    after_pretraining: Flags

    @property
    def events(self) -> int:
        """Number of events of each learner, over all its models."""
        return sum(map(len, self.tapes))

    @property
    def scored_mask(self) -> Flags | None:
        """Mask of the scored predictions; None if all are scored.

        With pretraining there is only one tape, see `Request.prepare`.
        """
        if self.after_pretraining.all():
            return None
        return self.after_pretraining[self.tapes[0].predict_rows]


@dataclass(frozen=True)
class Request:
    """Checked arguments: a stream, learners, and how they run.

    Parameters
    ----------
    stream : Stream
        The stream as given, without the columns that ``column:NAME`` requests as learners: they
        have predictions of another system. The label times that follow from `delay` are not set.
    recipes : mapping of str to Recipe
        The requested learners by name, without baselines.
    protocol : Protocol, optional
        The requested protocol.
    delay : int or str, optional
        Label delay: a number of instances, or a length of time. For this argument and the following
        ones see `streameval.evaluate`.
    every : int, optional
        Number of labels from one prediction of an instance to the next, until its label arrives.
    label_first : bool
        Whether to learn a label before an instance with the same time.
    ignore_label_times : bool
        Whether to use each label before the next instance, even if it arrives later.
    pretrain : int, optional
        Number of instances at the start that are learnt and not scored.
    seasonal : tuple of int
        Periods of the seasonal baselines, in instances.
    intervals : float or str, optional
        Nominal coverage of prediction intervals.
    seed : int
        Seed of random learners.
    further : mapping of str to object
        Arguments that only some functions have, and that pages list: ``runs``, ``rope`` (the region
        of practical equivalence) and ``cores``.
    """

    stream: Stream
    recipes: Mapping[str, Recipe]
    protocol: Protocol | None = None
    delay: int | str | None = None
    every: int | None = None
    label_first: bool = False
    ignore_label_times: bool = False
    pretrain: int | None = None
    seasonal: tuple[int, ...] = ()
    intervals: float | str | None = None
    seed: int = 1
    further: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, arguments: Mapping[str, Any], *further: str) -> Request:
        """Checked request from the arguments of a public function.

        `arguments` is ``locals()`` at the beginning of that function. The request uses ``stream``,
        the other fields that are present, and the names in `further`.

        Raises ConfigError or DataError if an argument is invalid.
        """
        stream = arguments["stream"]
        check_stream(stream)
        check_seed(arguments.get("seed", 1))
        periods = _seasonal_periods(arguments.get("seasonal", ()), stream)
        recipes: Mapping[str, Recipe] = {}
        if "learners" in arguments:
            stream, learners = separate_predictions(stream, arguments["learners"])
            recipes = recipes_by_name(learners)
        protocol = arguments.get("protocol")
        options = {name: python_value(arguments[name]) for name in _OPTIONS if name in arguments}
        if "delay" in arguments:
            options["delay"] = delay_of(arguments["delay"])
        return cls(
            stream,
            recipes,
            None if protocol is None else parse(protocol),
            further={
                name: python_value(arguments[name])
                for name in further
                if arguments.get(name) is not None
            },
            **options | {"seasonal": periods},
        )

    @property
    def task(self) -> Task:
        """Classification or regression."""
        return task_of(self.stream)

    def require_classes(self, feature: str) -> None:
        """Raise ConfigError for a numeric target; `feature` is the first word of the message."""
        if self.task is not CLASSIFICATION_TASK:
            raise ConfigError(
                f"{feature}: expected a stream with classes, found the numeric target "
                f"{self.stream.schema.target!r} of stream {self.stream.name!r}. Leave it out, or "
                "choose another stream."
            )

    @property
    def options(self) -> dict[str, Any]:
        """Arguments by name, without defaults; the seed is always included."""
        options = {name: getattr(self, name) for name in _OPTIONS} | {**self.further}
        return {
            name: value
            for name, value in options.items()
            if value is not None and value is not False and value != ()
        }

    def timeline(self, stream: Stream) -> Timeline:
        """Rows, positions and dates of the instances of `stream`, as the user gave them.

        `stream` is the stream of this request, with or without the label times of a delay, or its
        part with labels.
        """
        timeline = Timeline.of(self.stream)
        if len(stream) < len(timeline):  # it is the part with labels
            return timeline.take(np.flatnonzero(self.stream.labelled))
        return timeline

    @cached_property
    def tuned(self) -> dict[str, TuningOutcome]:
        """How learners were tuned on this stream, by name."""
        return tuning_outcomes(self.recipes, self.stream)

    @cached_property
    def n_pretrain(self) -> int:
        """Number of instances at the start that are learnt and not scored."""
        return count_pretrained(self.stream, self.tuned, self.pretrain)

    @cached_property
    def learners(self) -> dict[str, AnyLearner[Any]]:
        """The learners, made for the stream, followed by the baselines."""
        return make_with_baselines(self.stream, self.recipes, self.seasonal_baselines)

    @cached_property
    def seasonal_baselines(self) -> list[str]:
        """Names of the seasonal baselines, ``seasonal:LAG``, for the requested periods.

        LAG is the period. If the target one period earlier is not known on arrival, as targets are
        delayed, LAG is the smallest multiple of the period with a known target. If this multiple
        differs by instance, the name is ``seasonal:PERIOD:latest``. Warns if LAG is not the period.

        Raises ConfigError if a requested learner ``seasonal:LAG`` needs a target that is not known
        on arrival.
        """
        lags_of_learners = {
            name: int(name.split(":")[1]) for name in self.recipes if _SEASON.fullmatch(name)
        }
        if not self.seasonal and not lags_of_learners:
            return []
        stream, protocol = self._stream_and_protocol()
        name_of_period = {
            period: seasonal_name(stream, protocol, period, label_first=self.label_first)
            for period in (*self.seasonal, *lags_of_learners.values())
        }
        for name, lag in lags_of_learners.items():
            if name_of_period[lag] != name:
                raise ConfigError(
                    f"{name}: expected a lag whose target is known on arrival, found targets that "
                    f"are delayed for longer. Give --seasonal {lag}, which uses the latest known "
                    "season, or a longer lag."
                )
        for period, name in name_of_period.items():
            if name != f"{SEASONAL}:{period}":
                warn_caller(
                    f"--seasonal {period}: the target {period:,} instances before is not always "
                    f"known on arrival, as targets are delayed. The baseline {name} repeats "
                    f"{self.task.name_in_text(name)}. If targets arrive before an instance of the "
                    "same time, give --label-first.",
                    StreamWarning,
                )
        return list(dict.fromkeys(name_of_period[period] for period in self.seasonal))

    def _stream_and_protocol(self) -> tuple[Stream, Protocol]:
        """The stream with the label times of the delay, and the protocol that runs."""
        return protocol_for(
            self.stream,
            self.protocol,
            self.delay,
            self.every,
            self.label_first,
            self.ignore_label_times,
        )

    @property
    def classifiers(self) -> dict[str, Classifier]:
        """The learners, typed as classifiers; the caller has checked the target."""
        learners: dict[str, Any] = self.learners
        return learners

    @property
    def ties(self) -> str:
        """Protocol parameter ``ties``: whether "label" or "instance" comes first at equal times."""
        return "label" if self.label_first else "instance"

    def check_for_report(self) -> None:
        """Raise ConfigError unless the protocol is the default, prequential, which pages need."""
        if self.protocol is not None and self.protocol != parse(DEFAULT):
            raise ConfigError(
                "report: expected instances that are predicted before their labels are learnt, by "
                f"one model, found the protocol {self.protocol}. Leave it out; for delayed labels "
                "give a delay."
            )

    def arrival(self, *, repeated: bool = False) -> ArrivalPredictions:
        """Predictions on arrival, or if `repeated` all predictions until the label arrives."""
        return predictions_on_arrival(
            self.stream,
            self.protocol,
            self.delay,
            self.label_first,
            self.ignore_label_times,
            repeated=repeated,
        )

    def prepare(self) -> PreparedRun:
        """Stream, protocol and tapes over which the learners can run.

        Raises ConfigError if the arguments contradict each other or the stream. Raises DataError if
        no instance could be scored.
        """
        n_pretrain = self.n_pretrain
        stream, protocol = self._stream_and_protocol()
        check_label_times(stream, protocol, self.ignore_label_times)
        reevaluation = None
        if isinstance(protocol, Reevaluation):
            tape, prediction_events = protocol.tape_and_events(stream)
            tapes: Sequence[Tape] = [tape]
            reevaluation = ReevaluationData(
                protocol, prediction_events, self.learners, delay_in_instances(self.delay)
            )
        else:
            tapes = protocol.tapes(stream)
        # `n_pretrain` comes from the argument `pretrain`, or from learners that were tuned.
        if n_pretrain and protocol.has_folds:
            raise ConfigError(
                f"pretrain: expected a protocol with one model, found {protocol}. With folds, "
                f"instances after the first {n_pretrain:,} cannot be scored alone. "
                "Leave the protocol out, or do not tune."
            )
        check_scored(stream, protocol, tapes)
        return PreparedRun(
            stream, protocol, tapes, reevaluation, mask_after_pretraining(self.stream, n_pretrain)
        )


def check_seed(seed: Any) -> None:
    """Raise ConfigError if the seed is not a signed whole number of 64 bits."""
    is_whole = isinstance(seed, int | np.integer) and not isinstance(seed, bool)
    if not is_whole or not -_SEED_LIMIT <= seed < _SEED_LIMIT:
        raise ConfigError(
            f"seed: expected a whole number of 64 bits, with sign, found {excerpt(repr(seed), 60)}."
        )


def _seasonal_periods(seasonal: Any, stream: Stream) -> tuple[int, ...]:
    """Distinct periods of the seasonal baselines."""
    if isinstance(seasonal, np.ndarray | np.generic):
        seasonal = seasonal.tolist()
    periods: Iterable[Any] = seasonal if isinstance(seasonal, list | tuple) else [seasonal]
    for period in periods:
        if isinstance(period, bool) or not isinstance(period, int | np.integer):
            raise ConfigError(
                f"seasonal: expected a number of instances, or several, found {seasonal!r}. For "
                "hours, 24 is the same hour of the day before."
            )
        if period >= len(stream) and not stream.n_classes:  # 0 for a numeric target
            raise ConfigError(
                f"seasonal: expected less than the {len(stream):,} instances of stream "
                f"{stream.name!r}, found {excerpt(period, 40)}."
            )
    if periods and stream.n_classes:
        raise ConfigError(
            f"seasonal: expected a numeric target, found {stream.schema.target!r} of stream "
            f"{stream.name!r}, which is nominal. Leave it out."
        )
    return tuple(dict.fromkeys(map(int, periods)))
