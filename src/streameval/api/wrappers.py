"""Wrapped learners for evaluations."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from streameval.api.learners import LearnerLike, Recipe, checked_recipe, recipe
from streameval.base.errors import ConfigError, excerpt
from streameval.base.values import check_integer, flag_of
from streameval.evaluation.roles import AUGMENTED, CORRECTED
from streameval.learners.parameters import parameters_in_brackets
from streameval.learners.regression.baselines import PreviousTarget
from streameval.learners.wrappers.conformal import Conformal
from streameval.learners.wrappers.registry import wrap_learner
from streameval.learners.wrappers.temporal_correction import TemporalCorrection
from streameval.learners.wrappers.temporally_augmented import TemporallyAugmented
from streameval.streams.stream import Stream


def augmented(learner: LearnerLike, lags: int = 1) -> Recipe:
    """Give a learner the latest labels as further inputs (Temporally Augmented).

    Parameters
    ----------
    learner : object
        Whatever `evaluate` takes for one learner.
    lags : int
        How many labels.

    Returns
    -------
    Recipe
        What `evaluate`, `augmented` and `corrected` take.

    References
    ----------
    Bifet et al. (2013), Section 4; Žliobaitė et al. (2015), Section 6.2.

    Examples
    --------
    >>> import streameval as se
    >>> stream = se.generate("markov", rows=2000, priors=[0.6, 0.4], persistence=0.8, attributes=2)
    >>> result = se.evaluate(stream, ["naive_bayes", se.augmented("naive_bayes")])
    >>> result.measures("kappa_temporal").round(2)
                           kappa_temporal
    learner
    naive_bayes                     -0.36
    naive_bayes_augmented            0.13
    no_change                        0.00
    majority                        -1.10
    """
    changed = {} if check_integer(lags, "lags") == 1 else {"lags": lags}
    return _wrap(learner, AUGMENTED, f"{TemporallyAugmented.name}:{lags}", changed)


def corrected(learner: LearnerLike, smoothing: float | None = None) -> Recipe:
    """Correct a learner's class scores by transitions from the latest label (Temporal Correction).

    Parameters
    ----------
    learner : object
        Whatever `evaluate` takes for one learner. It must give class scores.
    smoothing : float, optional
        Smoothing weight of the newest label, by default that of the stream.

    Returns
    -------
    Recipe
        What `evaluate`, `augmented` and `corrected` take.

    References
    ----------
    Žliobaitė et al. (2015), Section 6.3.

    Examples
    --------
    >>> import streameval as se
    >>> stream = se.generate("markov", rows=2000, priors=[0.6, 0.4], persistence=0.8, attributes=2)
    >>> result = se.evaluate(stream, se.corrected("naive_bayes", smoothing=0.01))
    >>> result.measures("kappa_temporal").round(2)
                                           kappa_temporal
    learner
    naive_bayes_corrected(smoothing=0.01)            0.13
    no_change                                        0.00
    majority                                        -1.10
    """
    changed = {} if smoothing is None else {"smoothing": smoothing}
    written = "{smoothing}" if smoothing is None else smoothing
    return _wrap(learner, CORRECTED, f"{TemporalCorrection.name}:{written}", changed)


def conformal(
    learner: LearnerLike,
    coverage: float = 0.9,
    gamma: float = 0.005,
    window: int = 500,
    *,
    infinite: bool = False,
) -> Recipe:
    """Give a regressor prediction intervals: its errors so far, adapted to their coverage.

    Parameters
    ----------
    learner : object
        Whatever `evaluate` takes for one regressor.
    coverage : float
        Nominal coverage: the proportion of targets that the intervals are to contain.
    gamma : float
        Step by which each target within its interval, or outside, moves the level; 0 for none.
    window : int
        Number of latest absolute errors of which the intervals are quantiles.
    infinite : bool
        Whether intervals are infinite, or empty, where the errors so far are not large, or small,
        enough; by default they are then limited to the largest, or smallest, one.

    Returns
    -------
    Recipe
        What `evaluate` takes.

    References
    ----------
    Gibbs, Candès (2021), Adaptive conformal inference under distribution shift.

    Examples
    --------
    >>> import streameval as se
    >>> stream = se.generate("planes", rows=2000)
    >>> result = se.evaluate(stream, se.conformal("amrules", coverage=0.8))
    >>> result.measures("interval_coverage", "mean_interval_width").round(2)
                                     interval_coverage  mean_interval_width
    learner
    amrules_conformal(coverage=0.8)                0.8                 4.34
    previous_target                                0.8                16.05
    target_mean                                    0.8                11.91
    """
    options = {
        "coverage": _number(coverage, "coverage"),
        "gamma": _number(gamma, "gamma"),
        "window": check_integer(window, "window"),
        "infinite": flag_of(infinite, "infinite"),
    }
    usual = {field.name: field.default for field in dataclasses.fields(Conformal)}
    changed = {name: value for name, value in options.items() if value != usual[name]}
    written = ":".join(
        str(int(value) if isinstance(value, bool) else value) for value in options.values()
    )
    return _wrap(learner, f"_{Conformal.name}", f"{Conformal.name}:{written}", changed)


#: Larger parameters would be infinite.
_LARGEST = 1e300


def _number(value: Any, name: str) -> float:
    known = isinstance(value, int | float | np.integer | np.floating)
    if known and not isinstance(value, bool) and -_LARGEST < value < _LARGEST:
        return float(value)
    raise ConfigError(f"{name}: expected a number, found {excerpt(repr(value), 60)}.")


def in_wrapper(learner: LearnerLike, wrapper: str) -> Recipe:
    """Put a learner into the wrapper that a text describes; see `Recipe`."""
    inside = recipe(learner)
    return checked_recipe(Recipe(f"{inside.name}:{wrapper}", inside, wrapper, tuned=inside.tuned))


def _wrap(learner: LearnerLike, ending: str, wrapper: str, changed: Mapping[str, Any]) -> Recipe:
    inside = recipe(learner)
    name = inside.name + ending + parameters_in_brackets(changed)
    return checked_recipe(Recipe(name, inside, wrapper, tuned=inside.tuned))


def intervals_around(
    intervals: float | str | None, learners: Mapping[str, Any], stream: Stream
) -> Conformal | None:
    """Wrapper that adds intervals to learners without them; None if none is asked for.

    `intervals` is a nominal coverage, or a text such as ``"0.9:0.01:1000"``. If it is None, the
    result is the wrapper of the first learner that has intervals.

    Raises ConfigError if `intervals` is invalid, the nominal coverage of a learner differs, or the
    target is nominal.
    """
    if intervals is not None and stream.n_classes:
        raise ConfigError(
            f"intervals: expected a numeric target, found {stream.schema.target!r} of stream "
            f"{stream.name!r}, which is nominal. Leave it out."
        )
    conformals = [each for each in learners.values() if isinstance(each, Conformal)]
    wrapper = conformals[0] if conformals else None
    if intervals is not None:
        conformal = wrap_learner(PreviousTarget(), f"{Conformal.name}:{intervals}")
        wrapper = conformal if isinstance(conformal, Conformal) else None
    coverages = {each.coverage for each in (*conformals, *([wrapper] if wrapper else []))}
    if len(coverages) > 1:
        raise ConfigError(
            "Intervals: expected the same nominal coverage for all learners, "
            f"found {' and '.join(map(str, sorted(coverages)))}. Evaluate them separately."
        )
    return wrapper


def with_names(learners: Sequence[Recipe], names: Sequence[str] | None) -> list[Recipe]:
    """Rename learners as ``--name`` asks."""
    if names is None:
        return [*learners]
    if "" in names:
        raise ConfigError("--name: expected a name, found nothing. Write it after the option.")
    if len(names) != len(learners):
        raise ConfigError(
            f"--name: expected one for each --learner, in their order, found {len(names)} for "
            f"{len(learners)}. Leave it out, or name all of them."
        )
    return [
        dataclasses.replace(learner, name=name)
        for learner, name in zip(learners, names, strict=True)
    ]
