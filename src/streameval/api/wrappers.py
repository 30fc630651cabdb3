"""Wrapped learners: with latest labels as inputs, corrected scores, or prediction intervals."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from streameval.api.learners import LearnerLike, Recipe, check_recipe, recipe
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
    learner : learner
        A learner as for `evaluate`.
    lags : int
        Number of the latest labels that become inputs.

    Returns
    -------
    Recipe
        A learner for `evaluate`, `compare`, `augmented` and `corrected`.

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
    # The name of the learner has the parameters that are not the default.
    non_default = {} if check_integer(lags, "lags") == 1 else {"lags": lags}
    return _wrap(learner, AUGMENTED, f"{TemporallyAugmented.name}:{lags}", non_default)


def corrected(learner: LearnerLike, smoothing: float | None = None) -> Recipe:
    """Correct a learner's class scores by transitions from the latest label (Temporal Correction).

    Parameters
    ----------
    learner : learner
        A learner as for `evaluate`. It must give class scores.
    smoothing : float, optional
        Smoothing weight of the newest label; by default the stream's smoothing weight.

    Returns
    -------
    Recipe
        A learner for `evaluate`, `compare`, `augmented` and `corrected`.

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
    non_default = {} if smoothing is None else {"smoothing": smoothing}
    # `Recipe.make` replaces {smoothing} by the smoothing weight of the stream.
    value = "{smoothing}" if smoothing is None else smoothing
    return _wrap(learner, CORRECTED, f"{TemporalCorrection.name}:{value}", non_default)


def conformal(
    learner: LearnerLike,
    coverage: float = 0.9,
    gamma: float = 0.005,
    window: int = 500,
    *,
    infinite: bool = False,
) -> Recipe:
    """Give a regressor prediction intervals that adapt to their coverage so far.

    Half the width of an interval is a quantile of the latest absolute errors. The level of the
    quantile rises after a target outside its interval, and falls after a target inside.

    Parameters
    ----------
    learner : learner
        A regressor as for `evaluate`.
    coverage : float
        Nominal coverage: the proportion of targets that the intervals should contain.
    gamma : float
        Step by which the level adapts; 0 for a constant level.
    window : int
        Number of the latest absolute errors.
    infinite : bool
        Whether intervals are infinite if the level is above 1, and empty if it is below 0. By
        default the largest, or smallest, of the errors is used.

    Returns
    -------
    Recipe
        A learner for `evaluate` and `compare`.

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
    defaults = {field.name: field.default for field in dataclasses.fields(Conformal)}
    non_default = {name: value for name, value in options.items() if value != defaults[name]}
    # Texts of wrappers have 0 and 1 for truth values, see `wrap_learner`.
    values = ":".join(
        str(int(value) if isinstance(value, bool) else value) for value in options.values()
    )
    return _wrap(learner, f"_{Conformal.name}", f"{Conformal.name}:{values}", non_default)


#: Bound on the parameters of `conformal`; sums of larger floats may be infinite.
_LARGEST = 1e300


def _number(value: Any, name: str) -> float:
    is_number = isinstance(value, int | float | np.integer | np.floating)
    if is_number and not isinstance(value, bool) and -_LARGEST < value < _LARGEST:
        return float(value)
    raise ConfigError(f"{name}: expected a number, found {excerpt(repr(value), 60)}.")


def wrap_by_text(learner: LearnerLike, wrapper: str) -> Recipe:
    """Recipe of a learner in a wrapper given as text, such as ``temporally_augmented:2``."""
    inner = recipe(learner)
    return check_recipe(Recipe(f"{inner.name}:{wrapper}", inner, wrapper, tuned=inner.tuned))


def _wrap(
    learner: LearnerLike, suffix: str, wrapper: str, non_default: Mapping[str, Any]
) -> Recipe:
    """Recipe of a wrapped learner; its name gets a suffix and the non-default parameters."""
    inner = recipe(learner)
    name = inner.name + suffix + parameters_in_brackets(non_default)
    return check_recipe(Recipe(name, inner, wrapper, tuned=inner.tuned))


def interval_wrapper(
    intervals: float | str | None, learners: Mapping[str, Any], stream: Stream
) -> Conformal | None:
    """Wrapper that gives intervals to learners without them; None without `intervals`.

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
    conformals = [learner for learner in learners.values() if isinstance(learner, Conformal)]
    wrapper = conformals[0] if conformals else None
    if intervals is not None:
        # Any regressor can be inside: `intervals` is parsed, and only the parameters are used.
        parsed = wrap_learner(PreviousTarget(), f"{Conformal.name}:{intervals}")
        wrapper = parsed if isinstance(parsed, Conformal) else None
    coverages = {learner.coverage for learner in (*conformals, *([wrapper] if wrapper else []))}
    if len(coverages) > 1:
        raise ConfigError(
            "Intervals: expected the same nominal coverage for all learners, "
            f"found {' and '.join(map(str, sorted(coverages)))}. Evaluate them separately."
        )
    return wrapper


def rename_recipes(learners: Sequence[Recipe], names: Sequence[str] | None) -> list[Recipe]:
    """Recipes with the names that are given by ``--name``."""
    if names is None:
        return [*learners]
    if "" in names:
        raise ConfigError("--name: expected a name, found nothing. Write it after the option.")
    if len(names) != len(learners):
        raise ConfigError(
            f"--name: expected one name for each --learner, in the same order, found {len(names)} "
            f"for {len(learners)}. Leave --name out, or name all of them."
        )
    return [
        dataclasses.replace(learner, name=name)
        for learner, name in zip(learners, names, strict=True)
    ]
