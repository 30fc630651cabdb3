"""k-fold distributed validation: k models run in parallel, each trained on different instances."""

from __future__ import annotations

import typing
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, overload

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from streameval.base.arrays import Flags, Integers
from streameval.base.errors import ConfigError
from streameval.base.memory import check_room
from streameval.base.params import Whole, parameter
from streameval.base.seeds import generator
from streameval.protocols.protocol import Instances, Protocol
from streameval.protocols.tape import LEARN, PREDICT, Tape

#: Test instances of a fold: all instances, the instances that it does not learn, or the instances
#: that it learns.
Tested = Literal["all", "held_out", "learnt"]


class Allotment(typing.Protocol):
    """The assignment of instances to folds."""

    def assign(self, n: int, folds: int) -> Integers:
        """The fold of each of `n` instances, shape (n,)."""

    def weights(self, n: int, folds: int) -> NDArray[np.uint8]:
        """A Poisson(1) number for each instance in each fold, shape (folds, n)."""


@dataclass(frozen=True)
class RandomAllotment:
    """Uniformly random assignment of each instance to a fold, as in Bifet et al. (2015).

    Parameters
    ----------
    key : tuple of str and int
        Key of the random draws, for example study, stream and run; see `streameval.base.seeds`.
    """

    key: tuple[str | int, ...]

    def assign(self, n: int, folds: int) -> Integers:
        """See `Allotment`."""
        return generator(*self.key, "folds").integers(folds, size=n)

    def weights(self, n: int, folds: int) -> NDArray[np.uint8]:
        """See `Allotment`."""
        rng = generator(*self.key, "weights")
        return np.stack([rng.poisson(1.0, n).astype(np.uint8) for _ in range(folds)])


@dataclass(frozen=True)
class RoundRobinAllotment:
    """Assignment of instances to folds 0, 1, ..., k - 1, 0, ..., as in MOA's EvaluatePrequentialCV.

    Weights are drawn in MOA's order: for all folds of an instance, then for the next instance.

    Parameters
    ----------
    seed : int
        Seed of the weights: MOA's option ``-r``.
    """

    seed: int = 1

    def assign(self, n: int, folds: int) -> Integers:
        """See `Allotment`."""
        return np.arange(n) % folds

    def weights(self, n: int, folds: int) -> NDArray[np.uint8]:
        """See `Allotment`."""
        from streameval.protocols.poisson_weights import poisson_weights  # loads numba

        return poisson_weights(n, folds, self.seed)


@dataclass(frozen=True)
class Folds(Sequence[Tape]):
    """The tapes of all folds, each computed on access.

    Parameters
    ----------
    weight : ndarray of uint8, shape (k, n)
        Weight with which each of k folds learns each of n instances; 0 if it does not learn it.
    tested : {"all", "held_out", "learnt"}
        Test instances of a fold; each is predicted before it is learnt.

    Raises
    ------
    ConfigError
        If `tested` has another value.
    """

    weight: NDArray[np.uint8]
    tested: Tested

    def __post_init__(self) -> None:
        if self.tested not in _TEST_MASKS:
            raise ConfigError(
                f"Folds: expected tested to be one of {', '.join(_TEST_MASKS)}, "
                f"found {self.tested!r}."
            )

    def __len__(self) -> int:
        return len(self.weight)

    @overload
    def __getitem__(self, fold: int) -> Tape: ...

    @overload
    def __getitem__(self, fold: slice) -> Folds: ...

    def __getitem__(self, fold: int | slice) -> Tape | Folds:
        """The tape of a fold, with events in stream order; or the folds of a slice."""
        if isinstance(fold, slice):
            return Folds(self.weight[fold], self.tested)
        weight = self.weight[fold]
        learns = weight > 0
        is_test = _TEST_MASKS[self.tested](learns)
        op = PREDICT * is_test + LEARN * learns  # the two bits of an event
        if op.all():  # no instance is left out
            return Tape(np.arange(len(op), dtype=np.int32), op, weight)
        row = np.flatnonzero(op).astype(np.int32)
        return Tape(row, op[row], weight[row])


#: Functions that turn the mask of the instances that a fold learns into the mask of its test
#: instances.
_TEST_MASKS: dict[str, Callable[[Flags], Flags]] = {
    "all": np.ones_like,
    "held_out": np.logical_not,
    "learnt": np.copy,
}


def cross_validation(
    n: int, folds: int = 10, *, allotment: Allotment, tested: Tested = "all"
) -> Folds:
    """Folds of cross-validation: each instance is learnt by all folds except its own.

    Parameters
    ----------
    n : int
        Length of the stream.
    folds : int
        Number of folds, k; at least 2.
    allotment : Allotment
        `RandomAllotment` as in the paper, or `RoundRobinAllotment` as in MOA.
    tested : {"all", "held_out", "learnt"}
        Test instances of a fold: "held_out" is the paper's scheme, "learnt" its prequential
        version; "all" combines both and is MOA's scheme.

    Returns
    -------
    Folds
        A tape for each fold.

    Raises
    ------
    ConfigError
        If a parameter is out of range.

    References
    ----------
    Bifet et al. (2015), Efficient online evaluation of big data stream classifiers, Section 3.
    """
    _check(n, folds)
    return Folds(1 - _own_weight(n, folds, allotment), tested)


def split_validation(
    n: int, folds: int = 10, *, allotment: Allotment, tested: Tested = "all"
) -> Folds:
    """Folds of split validation: each instance is learnt by its own fold only.

    See `cross_validation` for the parameters.
    """
    _check(n, folds)
    return Folds(_own_weight(n, folds, allotment), tested)


def bootstrap_validation(
    n: int, folds: int = 10, *, allotment: Allotment, tested: Tested = "all"
) -> Folds:
    """Folds of bootstrap validation: each fold learns each instance with weight Poisson(1).

    A fold learns a fraction 1 - 1/e of the instances, about 63 %. See `cross_validation` for the
    parameters.
    """
    _check(n, folds)
    return Folds(allotment.weights(n, folds), tested)


#: The validation schemes by name.
SCHEMES: dict[str, Callable[..., Folds]] = {
    "cross_validation": cross_validation,
    "split_validation": split_validation,
    "bootstrap_validation": bootstrap_validation,
}


def _check(n: int, folds: int) -> None:
    if n < 0 or folds < 2:
        raise ConfigError(
            f"Folds: expected a length of at least 0 and at least 2 folds, found {n} and {folds}."
        )


def _own_weight(n: int, folds: int, allotment: Allotment) -> NDArray[np.uint8]:
    """1 for each instance in the fold to which it is assigned, otherwise 0, shape (k, n)."""
    is_own = np.arange(folds)[:, None] == allotment.assign(n, folds)
    return is_own.view(np.uint8)


@dataclass(frozen=True)
class FoldProtocol(Protocol):
    """Base class of the k-fold schemes, with the parameters that they share."""

    folds: Annotated[int, Meta(ge=2)] = parameter(
        "number of models, each with instances of its own", 10
    )
    tested: Tested | None = parameter(
        "test instances of a model: learnt, the instances that it learns, each before it is "
        "learnt; held_out, the instances that it does not learn; or all. Default: learnt with "
        "at_random, all with in_turn",
        None,
    )
    allotment: Literal["at_random", "in_turn"] = parameter(
        "assignment of instances to folds: at_random as in Bifet et al. (2015), or in_turn as in "
        "MOA, which tests on all instances",
        "at_random",
    )
    seed: Whole = parameter("seed of the random draws", 1)

    reference: ClassVar[str] = "Bifet et al. (2015), Section 3"
    has_folds: ClassVar[bool] = True
    _scheme_title: ClassVar[str]

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.tested is None:
            object.__setattr__(self, "tested", "all" if self.is_in_turn else "learnt")

    @property
    def is_in_turn(self) -> bool:
        """Whether folds are as in MOA, where all models of a learner have the same seed."""
        return self.allotment == "in_turn"

    @property
    def scores_untrained(self) -> bool:
        """Whether predictions before the first label are scored, see `Protocol`; MOA does so."""
        return self.is_in_turn

    @property
    def title(self) -> str:
        """Name of the protocol in captions."""
        test_phrases: dict[Tested | None, str] = {
            "all": "",
            "held_out": ", tested on held-out instances",
            "learnt": ", tested on instances before they are learnt",
        }
        in_turn = ", instances allotted in turn" if self.is_in_turn else ""
        return f"{self.folds}-fold {self._scheme_title}{test_phrases[self.tested]}{in_turn}"

    def _tapes(self, stream: Instances) -> Folds:
        check_room(
            2 * self.folds * len(stream),  # bytes: the weights, and a copy of them
            f"Weights of {len(stream):,} instances in each of {self.folds:,} folds",
            "Take fewer folds, or free memory.",
        )
        at_random = RandomAllotment(("protocol", stream.name, self.seed))
        allotment: Allotment = RoundRobinAllotment(self.seed) if self.is_in_turn else at_random
        return SCHEMES[self.name](len(stream), self.folds, allotment=allotment, tested=self.tested)


@dataclass(frozen=True)
class CrossValidation(FoldProtocol):
    """k-fold cross-validation: each instance is learnt by all models but one."""

    name: ClassVar[str] = "cross_validation"
    _scheme_title: ClassVar[str] = "cross-validation"


@dataclass(frozen=True)
class SplitValidation(FoldProtocol):
    """k-fold split validation: each instance is learnt by a single model."""

    name: ClassVar[str] = "split_validation"
    _scheme_title: ClassVar[str] = "split validation"


@dataclass(frozen=True)
class BootstrapValidation(FoldProtocol):
    """k-fold bootstrap validation: each model learns each instance with weight Poisson(1)."""

    name: ClassVar[str] = "bootstrap_validation"
    _scheme_title: ClassVar[str] = "bootstrap validation"
