"""Recipes of learners from ids, classes, foreign objects, wrappers and stored predictions."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np
import pyarrow as pa

from streameval.api.arguments import check_text
from streameval.base import settings
from streameval.base.errors import ConfigError, excerpt, unknown
from streameval.base.matrices import select_columns
from streameval.base.other_tools import construct
from streameval.base.values import python_value
from streameval.evaluation.predictions import check_ids
from streameval.evaluation.tuning import Tuned
from streameval.learners.adapters.estimators import has_learnt, steps_of, warn_of_training
from streameval.learners.adapters.one_by_one import REQUIRED_METHODS, PlainLearner
from streameval.learners.adapters.predictions_file import (
    ROW,
    PredictionsFile,
    index_of,
    predictions_table,
)
from streameval.learners.adapters.river import RiverLearner, river_has_learnt
from streameval.learners.adapters.sklearn import SklearnLearner
from streameval.learners.baselines import with_comparators
from streameval.learners.learner import AnyLearner, wrong_target_error
from streameval.learners.parameters import (
    RETRAINED,
    class_row,
    parameters_in_brackets,
    parse_value,
    retrained_row,
    row_with,
    split_text,
)
from streameval.learners.registry import LearnerSpec, class_place, load_learners
from streameval.learners.regression.baselines import Seasonal, with_baselines
from streameval.learners.tasks import Tasks, task_name
from streameval.learners.wrappers.registry import WRAPPERS, wrap_learner
from streameval.streams.stream import SMOOTHING, Stream

if TYPE_CHECKING:
    import pandas as pd


T = TypeVar("T")

#: What frames, columns and arrays have: predictions in memory.
_IN_MEMORY = ("__array__", "__arrow_c_stream__", "__arrow_c_array__")
#: A file with predictions, and a column of it.
_FILE = re.compile(r"(.+\.(?:csv(?:\.(?:gz|bz2|xz|zip))?|parquet))(?::(.+))?", re.DOTALL)
#: In front of a column of the stream that has predictions.
_COLUMN = "column"


@dataclass(frozen=True)
class Recipe:
    """A recipe of a learner for any stream, with its name.

    Parameters
    ----------
    name : str
        Its name in results.
    source : LearnerSpec, AnyLearner or Recipe
        What makes it, or the learner itself.
    wrapper : str
        Specification of the wrapper, as `streameval.learners.wrappers.registry.wrap_learner` reads
        it; empty for none. ``{smoothing}`` is replaced by the smoothing weight of the stream.
    tuned : Tuned, optional
        How its parameters were chosen, if they were.
    """

    name: str
    source: LearnerSpec | AnyLearner[Any] | Recipe
    wrapper: str = ""
    tuned: Tuned | None = None

    def make(self, smoothing: float = SMOOTHING) -> AnyLearner[Any]:
        """Make the learner for a stream with this smoothing weight."""
        source = self.source
        learner = source if isinstance(source, AnyLearner) else source.make(smoothing)
        return wrap_learner(learner, self.wrapper.replace("{smoothing}", str(smoothing)) or None)

    def make_for(self, stream: Stream) -> AnyLearner[Any]:
        """Make the learner for a stream.

        Raises DataError if it cannot predict the target.
        """
        learner = self.make(stream.smoothing)
        if task_name(stream) not in learner.possible_tasks:
            raise wrong_target_error(self.name, stream)
        return learner

    @property
    def tasks(self) -> Tasks:
        """The tasks that the learner can predict."""
        source = self.source
        tasks = source.possible_tasks if isinstance(source, AnyLearner) else source.tasks
        if not self.wrapper:
            return tasks
        wrapper = WRAPPERS[self.wrapper.partition(":")[0]]
        return tuple(task for task in tasks if task in wrapper.tasks)

    @property
    def learns(self) -> bool:
        """Whether it is a learner, not predictions that are there already."""
        if isinstance(self.source, LearnerSpec):
            return self.source.learner != PredictionsFile.name
        return not isinstance(self.source, AnyLearner) or self.source.learns

    def __repr__(self) -> str:
        return f"<learner {self.name!r}>"


#: What `evaluate` takes for a learner: an id, a recipe, a learner, or a class or model of others.
LearnerLike: TypeAlias = str | Recipe | LearnerSpec | AnyLearner[Any] | Any
#: One learner, several, or some by name.
Learners: TypeAlias = LearnerLike | Iterable[LearnerLike] | Mapping[str, LearnerLike]


def learner(name: str, /, **parameters: Any) -> Recipe:
    """Make a variant of a registered learner with other parameters, for `evaluate`.

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
    values = {name: python_value(value) for name, value in parameters.items()}
    return checked_recipe(recipe(row_with(learner_spec(name), values)))


def checked_recipe(candidate: Recipe) -> Recipe:
    """Check a recipe when it is made rather than when it is used."""
    candidate.make()
    return candidate


def recipe(source: LearnerLike) -> Recipe:
    """Recipe of a learner, with its default name.

    Raises ConfigError if it is none of those that `LearnerLike` names.
    """
    if isinstance(best := getattr(source, "best", source), Recipe):
        return best  # the best one of a `Tuning`, too
    if isinstance(source, str):
        source = learner_spec(source)
    if isinstance(source, LearnerSpec):
        return checked_recipe(Recipe(source.id, source))
    if any(hasattr(source, method) for method in _IN_MEMORY):
        return _of_predictions(
            "predictions", predictions_table(source, "predictions"), index=index_of(source)
        )
    if isinstance(source, type) and issubclass(source, AnyLearner):
        source = _instance(source)
    if isinstance(source, AnyLearner):
        return Recipe(_name_of(source), source)
    if all(hasattr(source, method) for method in ("learn_one", "predict_one")):
        model = _instance(source)
        if river_has_learnt(model):
            warn_of_training(model)
        return Recipe(excerpt(model, 60), RiverLearner(model))
    if hasattr(source, "partial_fit") or (hasattr(source, "fit") and hasattr(source, "predict")):
        model = _instance(source)
        if has_learnt(model):
            warn_of_training(model)
        names = [type(step).__name__ for step in steps_of(model)]
        return Recipe(" | ".join(names), SklearnLearner(model))
    if any(hasattr(source, method) for method in REQUIRED_METHODS):
        name = (source if isinstance(source, type) else type(source)).__name__
        return Recipe(name, PlainLearner(source))
    raise ConfigError(
        f"Expected a learner, found {excerpt(repr(source))} of type {type(source).__name__}. A "
        "learner is an id of the registry ('hoeffding_tree'), a model of River (learn_one, "
        "predict_one) or scikit-learn (partial_fit, predict), a class or object with "
        "learn(x, y, w) and predict(x), or predictions, one for each row: a file "
        "('predictions.csv') or a column."
    )


def _of_predictions(
    name: str, table: Any, labels: Any = "names", index: pd.Index | None = None
) -> Recipe:
    """The recipe of predictions that are there already."""
    return Recipe(name, PredictionsFile(name, labels, table=table, index=index))


def separate_predictions(stream: Stream, learners: T) -> tuple[Stream, T | dict[str, Recipe]]:
    """Move columns of predictions from the inputs of a stream to learners.

    Raises ConfigError if the stream has no such column.
    """
    recipes = by_name(learners)
    asked = {
        name: each.source.parameters
        for name, each in recipes.items()
        if isinstance(each.source, LearnerSpec) and each.source.parameters.get("file") == ""
    }
    if not asked:
        return stream, learners
    attributes = stream.schema.attributes
    places = {attribute.name: j for j, attribute in enumerate(attributes)}
    for name, parameters in asked.items():
        if (column := parameters["column"]) not in places:
            raise ConfigError(f"{name}: there is {unknown('column', column, places)}")
        values, x = attributes[places[column]].values, stream.X[:, places[column]]
        named = x if values is None else [None if i != i else values[int(i)] for i in x.tolist()]
        table = predictions_table(named, name).append_column(ROW, pa.array(stream.file_rows))
        if stream.source_rows is not None:  # a row that was taken twice has one value
            table = table.take(np.unique(stream.file_rows, return_index=True)[1])
        recipes[name] = _of_predictions(name, table, parameters.get("labels", "names"))
    kept = [
        j
        for name, j in places.items()
        if name not in {options["column"] for options in asked.values()}
    ]
    schema = dataclasses.replace(stream.schema, attributes=tuple(attributes[j] for j in kept))
    inputs = select_columns(stream.X, kept)
    return dataclasses.replace(stream, X=inputs, schema=schema, _digest=[]), recipes


def _instance(model: Any) -> Any:
    """Instance of a class; other objects are returned unchanged."""
    return construct(model) if isinstance(model, type) else model


def learner_spec(name: str) -> LearnerSpec:
    """Registry entry of a learner id, of an id with parameters, or of a class.

    See `streameval.learners.parameters`; ``seasonal:P`` is a baseline, ``module:Class`` or
    ``module.Class`` a class, ``FILE.csv:COLUMN`` has predictions, as ``column:NAME`` of the stream.
    """
    bare, written = split_text(check_text(name, "name"))
    if written:
        return row_with(
            learner_spec(bare), {key: parse_value(value) for key, value in written.items()}
        )
    first, _, period = name.partition(":")
    if first == RETRAINED:
        return retrained_row(name)
    if first == Seasonal.name and period.isdecimal():
        return LearnerSpec(name, first, name, {"period": int(period)})
    if match := _FILE.fullmatch(name):
        written = {"file": match[1], "column": match[2] or ""}
        return LearnerSpec(name, PredictionsFile.name, name, written)
    if first == _COLUMN and period:
        return LearnerSpec(name, PredictionsFile.name, name, {"file": "", "column": period})
    learners = load_learners(settings.locate("config/learners.yaml"))
    if name not in learners and class_place(name)[0]:
        return class_row(name)
    if name not in learners:
        raise ConfigError(f"There is {unknown('learner', name, learners)}")
    return learners[name]


def make_with_baselines(
    stream: Stream, recipes: Mapping[str, Recipe], seasons: Iterable[str] = ()
) -> dict[str, AnyLearner[Any]]:
    """Make the learners for a stream, followed by the baselines not among them.

    The `seasons` are names of further baselines of numbers; see `seasonal_name`.

    Raises ConfigError if a learner predicts something else, or has the name of a baseline.
    """
    learners = {name: each.make_for(stream) for name, each in recipes.items()}
    usual: Any = with_comparators({}) if stream.n_classes else with_baselines({})
    baselines: dict[str, AnyLearner[Any]] = usual
    baselines |= {name: Seasonal(int(name.split(":")[1])) for name in seasons}
    for name, baseline in baselines.items():
        if name in learners and learners[name] != baseline:
            raise ConfigError(
                f"Expected a name of its own for each learner, found {name!r}, which is that of a "
                "baseline. Give another one: {name: learner}."
            )
    return {
        **learners,
        **{name: baseline for name, baseline in baselines.items() if name not in learners},
    }


def by_name(learners: Learners) -> dict[str, Recipe]:
    """Recipes of the requested learners by name, without baselines."""
    # Some of River's models are mappings themselves, of their parts.
    if isinstance(learners, Mapping) and not hasattr(learners, "learn_one"):
        recipes = {str(name): recipe(each) for name, each in learners.items()}
    else:
        several: Iterable[Any] = learners if isinstance(learners, list | tuple) else [learners]
        recipes = unique_recipes(recipe(each) for each in several)
    if not recipes:
        raise ConfigError("Expected one learner or more, found none.")
    check_ids(recipes)
    return recipes


def unique_recipes(learners: Iterable[Recipe]) -> dict[str, Recipe]:
    """Recipes by name; repeated names get a number."""
    recipes_by_name: dict[str, Recipe] = {}
    for each in learners:
        name, number = each.name, 2
        while name in recipes_by_name:
            name, number = f"{each.name} {number}", number + 1
        recipes_by_name[name] = each
    return recipes_by_name


def _name_of(learner: AnyLearner[Any]) -> str:
    """Name of a learner of the package, with its non-default parameters."""
    changed: dict[str, Any] = {}
    fields: Iterable[Any] = dataclasses.fields(learner) if dataclasses.is_dataclass(learner) else ()
    for field in fields:
        value = getattr(learner, field.name)
        if value != field.default:
            changed[field.name] = _name_of(value) if isinstance(value, AnyLearner) else value
    return getattr(learner, "name", type(learner).__name__) + parameters_in_brackets(changed)
