"""Checked arguments of an evaluation: every public function starts from them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from streameval.api.arguments import check_stream
from streameval.api.learners import Recipe, by_name, make_with_baselines, separate_predictions
from streameval.base.arrays import Flags
from streameval.base.errors import ConfigError, excerpt, warn_caller
from streameval.base.values import delay_of, python_value
from streameval.evaluation.delays import (
    Arrival,
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
from streameval.evaluation.tuning import Tuned, count_pretrained, mask_after_prefix, tuned_of
from streameval.learners.learner import AnyLearner, Classifier
from streameval.protocols.protocol import Protocol
from streameval.protocols.reevaluation import Reevaluation
from streameval.protocols.registry import DEFAULT, parse
from streameval.protocols.tape import Tape
from streameval.streams.readers.table import StreamWarning
from streameval.streams.stream import Stream
from streameval.streams.timeline import Timeline

#: Seeds are 64 bits wide, as in compiled learners.
_LARGEST = 2**63
#: The name of a learner that repeats a season.
_SEASON = re.compile(rf"{SEASONAL}:\d+")
#: What a page names of a request, where it is given.
_OPTIONS = (
    *("delay", "every", "label_first", "ignore_label_times"),
    *("pretrain", "seasonal", "intervals", "seed"),
)


class Ready(NamedTuple):
    """The stream, tapes and delays of an evaluation that is ready to run.

    Parameters
    ----------
    stream : Stream
        The stream, with the times that a delay gives it.
    protocol : Protocol
        How instances are predicted and learnt.
    tapes : sequence of Tape
        Its tapes, one for each model.
    waiting : ReevaluationData, optional
        What the predictions are for, where labels are delayed.
    rest : ndarray of bool, shape (n,)
        Which instances are judged by `Request.first`.
    """

    stream: Stream
    protocol: Protocol
    tapes: Sequence[Tape]
    waiting: ReevaluationData | None
    rest: Flags

    @property
    def events(self) -> int:
        """The number of events that each learner handles."""
        return sum(map(len, self.tapes))

    @property
    def judged(self) -> Flags | None:
        """A mask of the predictions, all of one tape, that are judged; None if all are."""
        return None if self.rest.all() else self.rest[self.tapes[0].predict_rows]


@dataclass(frozen=True)
class Request:
    """A stream, learners, and how they are run.

    Parameters
    ----------
    stream : Stream
        As it is given, without the columns that are learners, and the times that a delay gives it.
    recipes : mapping of str to Recipe
        The learners that are given, by name, without baselines.
    protocol : Protocol, optional
        The one that is asked for.
    delay, every, label_first, ignore_label_times, pretrain, seasonal, intervals, seed
        See `streameval.evaluate`.
    more : mapping of str to object
        Arguments of one function only that a page repeats: ``runs``, ``rope`` and ``cores``.
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
    more: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, arguments: Mapping[str, Any], *more: str) -> Request:
        """Checked request from the arguments of a public function.

        `arguments` is ``locals()`` at the beginning of that function. Read are ``stream``,
        ``learners`` if present, the fields of the request, and the names in `more`.

        Raises ConfigError or DataError if one of them is wrong.
        """
        stream = arguments["stream"]
        check_stream(stream)
        check_seed(arguments.get("seed", 1))
        seasons = _seasons(arguments.get("seasonal", ()), stream)
        recipes: Mapping[str, Recipe] = {}
        if "learners" in arguments:
            stream, learners = separate_predictions(stream, arguments["learners"])
            recipes = by_name(learners)
        protocol = arguments.get("protocol")
        options = {name: python_value(arguments[name]) for name in _OPTIONS if name in arguments}
        if "delay" in arguments:
            options["delay"] = delay_of(arguments["delay"])
        return cls(
            stream,
            recipes,
            None if protocol is None else parse(protocol),
            more={
                name: python_value(arguments[name])
                for name in more
                if arguments.get(name) is not None
            },
            **options | {"seasonal": seasons},
        )

    @property
    def task(self) -> Task:
        """Classification or regression."""
        return task_of(self.stream)

    def require_classes(self, what: str) -> None:
        """Refuse a numeric target; `what` needs classes, the subject of the message."""
        if self.task is not CLASSIFICATION_TASK:
            raise ConfigError(
                f"{what}: expected a stream with classes, found the numeric target "
                f"{self.stream.schema.target!r} of stream {self.stream.name!r}. Leave it out, or "
                "choose another stream."
            )

    @property
    def options(self) -> dict[str, Any]:
        """Arguments by name, without defaults; the seed is always included."""
        options = {name: getattr(self, name) for name in _OPTIONS} | {**self.more}
        return {
            name: value
            for name, value in options.items()
            if value is not None and value is not False and value != ()
        }

    def timeline(self, stream: Stream) -> Timeline:
        """Rows, places and dates of the instances of a stream that runs, as the user gave them.

        That is this one with the times that a delay gives it, or its part with labels.
        """
        timeline = Timeline.of(self.stream)
        if len(stream) < len(timeline):
            return timeline.take(np.flatnonzero(self.stream.labelled))
        return timeline

    @cached_property
    def tuned(self) -> dict[str, Tuned]:
        """How learners were tuned on this stream."""
        return tuned_of(self.recipes, self.stream)

    @cached_property
    def first(self) -> int:
        """How many first instances are learnt and not scored."""
        return count_pretrained(self.stream, self.tuned, self.pretrain)

    @cached_property
    def learners(self) -> dict[str, AnyLearner[Any]]:
        """The learners, made for the stream, the baselines behind them."""
        return make_with_baselines(self.stream, self.recipes, self.seasons)

    @cached_property
    def seasons(self) -> list[str]:
        """Names of the seasonal baselines, by the lag that is known on arrival."""
        seasonal_names = [name for name in self.recipes if _SEASON.fullmatch(name)]
        if not self.seasonal and not seasonal_names:
            return []
        stream, protocol = protocol_for(
            *(self.stream, self.protocol, self.delay, self.every),
            *(self.label_first, self.ignore_label_times),
        )
        names = {
            period: seasonal_name(stream, protocol, period, label_first=self.label_first)
            for period in (*self.seasonal, *(int(name.split(":")[1]) for name in seasonal_names))
        }
        for name in seasonal_names:
            if names[period := int(name.split(":")[1])] != name:
                raise ConfigError(
                    f"{name}: expected a lag whose target is known on arrival, found targets that "
                    f"are delayed for longer. Give --seasonal {period}, which takes the latest "
                    "known season, or a longer lag."
                )
        for period, name in names.items():
            if name != f"{SEASONAL}:{period}":
                warn_caller(
                    f"--seasonal {period}: the target {period:,} instances before is not always "
                    f"known on arrival, as targets are delayed. The baseline {name} repeats "
                    f"{self.task.name_in_text(name)}. If targets arrive before an instance of the "
                    "same time, give --label-first.",
                    StreamWarning,
                )
        return list(dict.fromkeys(names[period] for period in self.seasonal))

    @property
    def classifiers(self) -> dict[str, Classifier]:
        """The learners, of a stream that is known to have classes."""
        learners: dict[str, Any] = self.learners
        return learners

    @property
    def ties(self) -> str:
        """Which comes first at equal times, "label" or "instance"."""
        return "label" if self.label_first else "instance"

    def check_usual(self) -> None:
        """Refuse another protocol than the usual one, for a page."""
        if self.protocol is not None and self.protocol != parse(DEFAULT):
            raise ConfigError(
                "report: expected instances that are predicted before their labels are learnt, by "
                f"one model, found the protocol {self.protocol}. Leave it out; for delayed labels "
                "give a delay."
            )

    def arrival(self, *, repeated: bool = False) -> Arrival:
        """Predictions on arrival; see `predictions_on_arrival`."""
        return predictions_on_arrival(
            *(self.stream, self.protocol, self.delay, self.label_first, self.ignore_label_times),
            repeated=repeated,
        )

    def ready(self) -> Ready:
        """The evaluation, ready to run.

        Raises ConfigError if the arguments contradict each other or the stream. Raises DataError if
        nothing could be scored.
        """
        first = self.first
        stream, protocol = protocol_for(
            *(self.stream, self.protocol, self.delay, self.every),
            *(self.label_first, self.ignore_label_times),
        )
        check_label_times(stream, protocol, self.ignore_label_times)
        waiting = None
        if isinstance(protocol, Reevaluation):
            tape, prediction_events = protocol.tape_and_events(stream)
            tapes: Sequence[Tape] = [tape]
            waiting = ReevaluationData(
                protocol, prediction_events, self.learners, delay_in_instances(self.delay)
            )
        else:
            tapes = protocol.tapes(stream)
        if first and protocol.has_folds:
            raise ConfigError(
                f"pretrain: expected a protocol with one model, found {protocol}: with folds, "
                f"learners cannot be judged on what comes after the first {first:,} instances. "
                "Leave the protocol out, or do not tune."
            )
        check_scored(stream, protocol, tapes)
        return Ready(stream, protocol, tapes, waiting, mask_after_prefix(self.stream, first))


def check_seed(seed: Any) -> None:
    """Refuse anything but a whole number of 64 bits."""
    is_whole = isinstance(seed, int | np.integer) and not isinstance(seed, bool)
    if not is_whole or not -_LARGEST <= seed < _LARGEST:
        raise ConfigError(
            "seed: expected a whole number, of 64 bits with its sign, found "
            f"{excerpt(repr(seed), 60)}."
        )


def _seasons(seasonal: Any, stream: Stream) -> tuple[int, ...]:
    """Distinct periods of the seasonal baselines."""
    several: Iterable[Any] = (
        seasonal.tolist() if isinstance(seasonal, np.ndarray | np.generic) else seasonal
    )
    several = several if isinstance(several, list | tuple) else [several]
    for period in several:
        if isinstance(period, bool) or not isinstance(period, int | np.integer):
            raise ConfigError(
                f"seasonal: expected a number of instances, or several, found {seasonal!r}. For "
                "hours, 24 is the same hour of the day before."
            )
        if period >= len(stream) and not stream.n_classes:
            raise ConfigError(
                f"seasonal: expected less than the {len(stream):,} instances of stream "
                f"{stream.name!r}, found {excerpt(period, 40)}."
            )
    if several and stream.n_classes:
        raise ConfigError(
            f"seasonal: expected a numeric target, found {stream.schema.target!r} of stream "
            f"{stream.name!r}, which is nominal. Leave it out."
        )
    return tuple(dict.fromkeys(map(int, several)))
