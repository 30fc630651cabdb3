"""The base class of protocols: which instances are predicted and learnt, and in which order.

A protocol is a frozen dataclass whose fields are its parameters, so protocols with equal
parameters are equal. Its tapes depend on the number of instances, on their time stamps, on a seed,
and on which instances have labels, but not on inputs or the values of labels. There is one
exception: the exponent of `streameval.protocols.partial` uses classes, to simulate labels that are
not missing at random. Instances without a label are predicted, but never learnt.
"""

from __future__ import annotations

import typing
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Flags, Integers
from streameval.base.errors import DataError
from streameval.base.params import Configurable
from streameval.protocols.tape import LabelledTapes, Tape, predicted_after_training


class Instances(typing.Protocol):
    """The part of a stream of n instances that protocols may use."""

    @property
    def name(self) -> str:
        """Name of the stream, a part of the key of random draws."""

    @property
    def y(self) -> NDArray[Any]:
        """Class codes or numbers, shape (n,); only for the exponent of label budgets."""

    @property
    def n_classes(self) -> int:
        """Declared number of classes; 0 for regression."""

    @property
    def time(self) -> Integers | None:
        """Arrival time of each instance, shape (n,)."""

    @property
    def label_time(self) -> Integers | None:
        """Arrival time of the label of each instance, shape (n,)."""

    @property
    def labelled(self) -> Flags:
        """Mask of the instances with labels, shape (n,); other instances are never learnt."""

    def __len__(self) -> int:
        """Number of instances, n."""


@dataclass(frozen=True)
class Protocol(Configurable, ABC):
    """An evaluation protocol: its parameters, and the tapes that follow from them.

    ``str()`` of a protocol has its name and its parameters as a user types them: ``delayed:48``.
    Trailing parameters with default values are omitted.
    """

    #: Noun for messages.
    noun: ClassVar[str] = "protocol"
    #: Whether there are several tapes, one for each of several models.
    has_folds: ClassVar[bool] = False
    #: Whether the stream must have arrival times of instances and labels.
    needs_times: ClassVar[bool] = False
    #: Reason why results have no intervals; "" if they can have intervals.
    no_interval_reason: ClassVar[str] = ""

    def __str__(self) -> str:
        return ":".join([self.name, *map(_typed, self._values())])

    @property
    def file_form(self) -> str:
        """Name and parameters in the form for file names: ``delayed-48``."""
        return "-".join([self.name, *(_typed(value).replace(".", "_") for value in self._values())])

    def _values(self) -> list[Any]:
        """Values of the parameters, without trailing default values."""
        values = [getattr(self, declared.name) for declared in self.declared_parameters()]
        n_required = sum(declared.is_required for declared in self.declared_parameters())
        while len(values) > n_required and type(self)(*values[:-1]) == self:
            values.pop()
        return values

    @property
    @abstractmethod
    def title(self) -> str:
        """Name of the protocol in captions."""

    def tapes(self, stream: Instances) -> Sequence[Tape]:
        """A tape for each model; without folds there is a single model.

        Parameters
        ----------
        stream : Stream
            The stream to predict and learn.

        Raises
        ------
        DataError
            If the protocol needs time stamps and the stream has none.

        Notes
        -----
        No instance without a label is learnt, whatever the protocol.
        """
        if self.needs_times:
            self._times(stream)
        tapes = self._tapes(stream)
        return tapes if stream.labelled.all() else LabelledTapes(tapes, stream.labelled)

    @property
    def scores_untrained(self) -> bool:
        """Whether class predictions before the first label are scored, as MOA scores them."""
        return False

    def scored_rows(self, stream: Instances, tape: Tape) -> Flags:
        """Mask of the instances whose predictions by a model are scored, if they have labels.

        For all protocols and tasks, a prediction is scored if the model had learnt a label before.
        Protocols of MOA score all class predictions, see `scores_untrained`.

        Parameters
        ----------
        stream : Stream
            The n instances.
        tape : Tape
            The events of the model: one of `tapes`. In active learning, labels that the model did
            not query have the weight 0.

        Returns
        -------
        ndarray of bool, shape (n,)
        """
        if self.scores_untrained and stream.n_classes:
            return np.ones(len(stream), dtype=np.bool_)
        return predicted_after_training(tape, len(stream))

    def _times(self, stream: Instances) -> tuple[Integers, Integers]:
        """Times of instances and labels; DataError if the stream has none."""
        if stream.time is None or stream.label_time is None:
            raise DataError(
                f"Protocol {self.name}: expected times of the instances and of their labels, "
                f"found none in stream {stream.name!r}. Name their columns as time and "
                "label_time in its row of the registry, or choose another protocol."
            )
        return stream.time, stream.label_time

    @abstractmethod
    def _tapes(self, stream: Instances) -> Sequence[Tape]:
        """A tape for each model, for a stream that meets the requirements of the protocol."""


def nothing_to_score_error(stream: str, instances: int) -> DataError:
    """Error for a stream on which no instance is predicted after a label is known."""
    return DataError(
        f"Expected labels before the last instance of stream {stream!r}, found that none of its "
        f"{instances:,} instances is predicted when a label is known, so that there is nothing to "
        "score. Give a shorter delay, more labels, or more instances."
    )


def _typed(value: Any) -> str:
    """A value as a user types it: numbers without exponent, texts and flags in lower case."""
    if isinstance(value, float):
        return np.format_float_positional(value, trim="-")
    return str(value).lower()
