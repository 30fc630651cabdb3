"""Learners: by id, by class, as objects of other packages, and in wrappers."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from streameval import settings
from streameval.errors import ConfigError, excerpt, near, some
from streameval.learners.adapters.plain import METHODS, PlainLearner
from streameval.learners.adapters.river import RiverLearner
from streameval.learners.adapters.sklearn import SklearnLearner, steps_of
from streameval.learners.baselines import Majority, NoChange
from streameval.learners.learner import Learner
from streameval.learners.registry import LearnerSpec, load_learners
from streameval.learners.regression.regressor import Regressor
from streameval.learners.wrappers.registry import wrapped
from streameval.learners.wrappers.temporal_correction import TemporalCorrection
from streameval.learners.wrappers.temporally_augmented import TemporallyAugmented
from streameval.streams.stream import SMOOTHING
from streameval.studies.prediction_table import check_ids
from streameval.studies.roles import AUGMENTED, CORRECTED

_BASELINES: dict[str, type[Learner]] = {NoChange.name: NoChange, Majority.name: Majority}


@dataclass(frozen=True)
class Recipe:
    """How a learner is made for a stream, and what it is called.

    Parameters
    ----------
    name : str
        Its name in results.
    source : LearnerSpec, Learner or Recipe
        What makes it, or the learner itself.
    wrapper : str
        What it is put into, as `streameval.learners.wrappers.registry.wrapped` reads it; nothing if
        empty. ``{smoothing}`` in it stands for that of the stream.
    """

    name: str
    source: LearnerSpec | Learner | Recipe
    wrapper: str = ""

    def make(self, smoothing: float = SMOOTHING) -> Learner:
        """Return the learner for a stream of that smoothing weight."""
        source = self.source
        learner = source if isinstance(source, Learner) else source.make(smoothing)
        return wrapped(learner, self.wrapper.replace("{smoothing}", str(smoothing)) or None)

    @property
    def is_regressor(self) -> bool:
        """Whether it predicts numbers instead of classes."""
        return isinstance(self.source, LearnerSpec) and self.source.is_regressor

    def make_regressor(self) -> Regressor:
        """Return the regressor; see `LearnerSpec.make_regressor`."""
        if not isinstance(self.source, LearnerSpec) or self.wrapper:
            raise ConfigError(f"Expected a regressor, found the classifier {self.name!r}.")
        return self.source.make_regressor()

    def __repr__(self) -> str:
        return f"<learner {self.name!r}>"


#: What `evaluate` takes for a learner: an id, a recipe, a learner, or a class or model of others.
Given: TypeAlias = str | Recipe | LearnerSpec | Learner | Any


def learner(name: str, /, **parameters: Any) -> Recipe:
    """Return a learner of the registry with other parameters, for `evaluate`.

    Or a regressor, for `evaluate_regressors`.

    Parameters
    ----------
    name : str
        An id that ``streameval learners`` lists.
    **parameters
        What differs from the parameters of its row of the registry.

    Returns
    -------
    Recipe
        What `evaluate`, `augmented` and `corrected` take.

    Raises
    ------
    StreamevalError
        If there is no such learner, or it has no such parameter.

    Examples
    --------
    >>> import streameval as se
    >>> stream = se.generate("sea", rows=2000)
    >>> trees = [se.learner("hoeffding_tree", grace_period=n) for n in (50, 200)]
    >>> se.evaluate(stream, trees).measures("accuracy").round(2)
                                      accuracy
    learner
    hoeffding_tree(grace_period=50)       0.86
    hoeffding_tree(grace_period=200)      0.86
    no_change                             0.54
    majority                              0.64
    """
    spec = spec_of(name)
    spec = dataclasses.replace(spec, parameters={**spec.parameters, **parameters})
    return _checked(Recipe(spec.id + _words(parameters), spec))


def augmented(learner: Given, lags: int = 1) -> Recipe:
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
    changed = {} if lags == 1 else {"lags": lags}
    return _wrap(learner, AUGMENTED, f"{TemporallyAugmented.name}:{lags}", changed)


def corrected(learner: Given, smoothing: float | None = None) -> Recipe:
    """Correct a learner's class scores by what follows the latest label (Temporal Correction).

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


def in_wrapper(learner: Given, wrapper: str) -> Recipe:
    """Put a learner into the wrapper that a text describes; see `Recipe`."""
    inside = recipe(learner)
    return _checked(Recipe(f"{inside.name}:{wrapper}", inside, wrapper))


def _wrap(learner: Given, ending: str, wrapper: str, changed: Mapping[str, Any]) -> Recipe:
    inside = recipe(learner)
    return _checked(Recipe(inside.name + ending + _words(changed), inside, wrapper))


def _checked(found: Recipe) -> Recipe:
    """Say what is wrong with a recipe now rather than when it is used."""
    if found.is_regressor and not found.wrapper:
        found.make_regressor()
    else:
        found.make()
    return found


def recipe(given: Given) -> Recipe:
    """Return how a learner is made, and what it is called if it is given no other name.

    Raises
    ------
    ConfigError
        If it is none of those that `Given` names.
    """
    if isinstance(given, Recipe):
        return given
    if isinstance(given, str):
        given = spec_of(given)
    if isinstance(given, LearnerSpec):
        return _checked(Recipe(given.id, given))
    if isinstance(given, type) and issubclass(given, Learner):
        given = _instance(given)
    if isinstance(given, Learner):
        return Recipe(_name_of(given), given)
    if all(hasattr(given, method) for method in ("learn_one", "predict_one")):
        river = RiverLearner(_instance(given))
        return Recipe(excerpt(river.model, 60), river)
    if hasattr(given, "partial_fit") or (hasattr(given, "fit") and hasattr(given, "predict")):
        sklearn = SklearnLearner(_instance(given))
        names = [type(step).__name__ for step in steps_of(sklearn.model)]
        return Recipe(" | ".join(names), sklearn)
    if any(hasattr(given, method) for method in METHODS):
        plain = PlainLearner(given)
        return Recipe((given if isinstance(given, type) else type(given)).__name__, plain)
    raise ConfigError(
        f"Expected a learner, found {excerpt(repr(given))} of type {type(given).__name__}. A "
        "learner is an id of the registry ('hoeffding_tree'), a model of River (learn_one, "
        "predict_one) or scikit-learn (partial_fit, predict), or a class or object with "
        "learn(x, y, w) and predict(x)."
    )


def _instance(given: Any) -> Any:
    """Return an object of a class; all else as it is."""
    if not isinstance(given, type):
        return given
    try:
        return given()
    except Exception as error:
        raise ConfigError(
            f"{given.__name__} cannot be made without parameters: {excerpt(error)}. Give an object "
            "instead of the class."
        ) from error


def spec_of(name: str) -> LearnerSpec:
    """Return a learner of the registry, or the row of a class ``module:Class``."""
    if ":" in name:
        return LearnerSpec(name, name, name)
    learners = load_learners(settings.locate("config/learners.yaml"))
    if name not in learners:
        raise ConfigError(
            f"There is no learner {excerpt(name)!r}. Known: {some(learners)}. "
            f"{near(name, learners)}".rstrip()
        )
    return learners[name]


def named(learners: Given | Iterable[Given] | Mapping[str, Given]) -> dict[str, Recipe]:
    """Return learners by names, the two baselines behind them unless they are there.

    Parameters
    ----------
    learners : object
        One learner, several, or a mapping of names to learners.

    Raises
    ------
    ConfigError
        If there is none, or a name is that of a baseline or of a column.
    """
    if isinstance(learners, Mapping):
        found = {str(name): recipe(given) for name, given in learners.items()}
    else:
        several: Iterable[Any] = learners if isinstance(learners, list | tuple) else [learners]
        found = unique(recipe(given) for given in several)
    if not found:
        raise ConfigError("Expected one learner or more, found none.")
    check_ids(found)
    for name, baseline in _BASELINES.items():
        if name in found and not isinstance(found[name].make(), baseline):
            raise ConfigError(
                f"Expected a name of its own for each learner, found {name!r}, which is that of a "
                "baseline. Give another one: {name: learner}."
            )
    missing = {name: make for name, make in _BASELINES.items() if name not in found}
    return found | {name: Recipe(name, make()) for name, make in missing.items()}


def unique(learners: Iterable[Recipe]) -> dict[str, Recipe]:
    """Return recipes by their names, equal ones with a number."""
    found: dict[str, Recipe] = {}
    for each in learners:
        name, number = each.name, 2
        while name in found:
            name, number = f"{each.name} {number}", number + 1
        found[name] = each
    return found


def _name_of(learner: Learner) -> str:
    """Return the name of a learner of the package, with the parameters that are not usual."""
    changed: dict[str, Any] = {}
    fields: Iterable[Any] = dataclasses.fields(learner) if dataclasses.is_dataclass(learner) else ()
    for field in fields:
        value = getattr(learner, field.name)
        if value != field.default:
            changed[field.name] = _name_of(value) if isinstance(value, Learner) else value
    return getattr(learner, "name", type(learner).__name__) + _words(changed)


def _words(parameters: Mapping[str, Any]) -> str:
    words = ", ".join(f"{name}={excerpt(value, 40)}" for name, value in parameters.items())
    return f"({words})" if words else ""
