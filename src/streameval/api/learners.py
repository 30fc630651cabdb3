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
from streameval.base.errors import ConfigError, excerpt, unknown_name_text
from streameval.base.matrices import select_columns
from streameval.base.other_tools import construct
from streameval.base.values import python_value
from streameval.evaluation.predictions import check_ids
from streameval.evaluation.tuning import TuningOutcome
from streameval.learners.adapters.estimators import has_learnt, steps_of, warn_of_training
from streameval.learners.adapters.one_by_one import REQUIRED_METHODS, CustomLearner
from streameval.learners.adapters.predictions_file import (
    ROW,
    PredictionsFile,
    index_of,
    predictions_table,
)
from streameval.learners.adapters.river import RiverLearner, river_has_learnt
from streameval.learners.adapters.sklearn import SklearnLearner
from streameval.learners.baselines import with_classification_baselines
from streameval.learners.learner import AnyLearner, wrong_target_error
from streameval.learners.parameters import (
    RETRAINED,
    class_row,
    parameters_in_brackets,
    parse_value,
    retrained_row,
    row_with_parameters,
    split_specification,
)
from streameval.learners.registry import LearnerSpec, load_learners, split_class_path
from streameval.learners.regression.baselines import Seasonal, with_regression_baselines
from streameval.learners.tasks import Tasks, task_name
from streameval.learners.wrappers.registry import WRAPPERS, wrap_learner
from streameval.streams.stream import SMOOTHING, Stream

if TYPE_CHECKING:
    import pandas as pd


T = TypeVar("T")

#: An object with any of these methods holds predictions in memory: a data frame, column or array.
_TABLE_METHODS = ("__array__", "__arrow_c_stream__", "__arrow_c_array__")
#: Pattern of a file with predictions, and the column of the file.
_FILE = re.compile(r"(.+\.(?:csv(?:\.(?:gz|bz2|xz|zip))?|parquet))(?::(.+))?", re.DOTALL)
#: Prefix of predictions in a column of the stream: ``column:NAME``.
_COLUMN = "column"


@dataclass(frozen=True)
class Recipe:
    """A named learner that can be made for any stream.

    Parameters
    ----------
    name : str
        Name of the learner in results.
    source : LearnerSpec, AnyLearner or Recipe
        The learner, or a row of the registry or another recipe that makes it.
    wrapper : str
        Specification of the wrapper, as `streameval.learners.wrappers.registry.wrap_learner` reads
        it; empty for none. ``{smoothing}`` is replaced by the smoothing weight of the stream.
    tuned : TuningOutcome, optional
        How the parameters were tuned, if they were.
    """

    name: str
    source: LearnerSpec | AnyLearner[Any] | Recipe
    wrapper: str = ""
    tuned: TuningOutcome | None = None

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
        """Tasks of the learner: classification, regression or both."""
        source = self.source
        tasks = source.possible_tasks if isinstance(source, AnyLearner) else source.tasks
        if not self.wrapper:
            return tasks
        wrapper = WRAPPERS[self.wrapper.partition(":")[0]]
        return tuple(task for task in tasks if task in wrapper.tasks)

    @property
    def learns(self) -> bool:
        """Whether it is a learner; False for stored predictions."""
        if isinstance(self.source, LearnerSpec):
            return self.source.learner != PredictionsFile.name
        return not isinstance(self.source, AnyLearner) or self.source.learns

    def __repr__(self) -> str:
        return f"<learner {self.name!r}>"


#: A learner for `evaluate`: an id, a recipe, a learner, or a class or model of another package.
LearnerLike: TypeAlias = str | Recipe | LearnerSpec | AnyLearner[Any] | Any
#: One learner, several, or a mapping from names to learners.
Learners: TypeAlias = LearnerLike | Iterable[LearnerLike] | Mapping[str, LearnerLike]


def learner(name: str, /, **parameters: Any) -> Recipe:
    """Make a variant of a registered learner with other parameters.

    Parameters
    ----------
    name : str
        An id that ``streameval learners`` lists.
    **parameters
        Parameters that differ from those in the registry.

    Returns
    -------
    Recipe
        A learner for `evaluate`, `compare`, `augmented` and `corrected`.

    Raises
    ------
    StreamevalError
        If the learner or a parameter is unknown, or a value is invalid.

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
    return check_recipe(recipe(row_with_parameters(learner_spec(name), values)))


def check_recipe(candidate: Recipe) -> Recipe:
    """Make the learner of a recipe once, so that invalid parameters raise an error at once."""
    candidate.make()
    return candidate


def recipe(source: LearnerLike) -> Recipe:
    """Recipe of a learner, with its default name.

    Raises ConfigError if the source is not a `LearnerLike`.
    """
    if isinstance(best := getattr(source, "best", source), Recipe):
        return best  # the recipe itself, or the best recipe of a `Tuning`
    if isinstance(source, str):
        source = learner_spec(source)
    if isinstance(source, LearnerSpec):
        return check_recipe(Recipe(source.id, source))
    if any(hasattr(source, method) for method in _TABLE_METHODS):
        return _predictions_recipe(
            "predictions", predictions_table(source, "predictions"), index=index_of(source)
        )
    if isinstance(source, type) and issubclass(source, AnyLearner):
        source = _instance(source)
    if isinstance(source, AnyLearner):
        return Recipe(_learner_name(source), source)
    if all(hasattr(source, method) for method in ("learn_one", "predict_one")):
        model = _instance(source)
        if river_has_learnt(model):
            warn_of_training(model)
        return Recipe(excerpt(model, 60), RiverLearner(model))
    if hasattr(source, "partial_fit") or (hasattr(source, "fit") and hasattr(source, "predict")):
        model = _instance(
            source
        )  # `SklearnLearner` refuses models without partial_fit, with advice
        if has_learnt(model):
            warn_of_training(model)
        names = [type(step).__name__ for step in steps_of(model)]
        return Recipe(" | ".join(names), SklearnLearner(model))
    if any(hasattr(source, method) for method in REQUIRED_METHODS):
        name = (source if isinstance(source, type) else type(source)).__name__
        return Recipe(name, CustomLearner(source))
    raise ConfigError(
        f"Expected a learner, found {excerpt(repr(source))} of type {type(source).__name__}. A "
        "learner is an id of the registry ('hoeffding_tree'), a model of River (learn_one, "
        "predict_one) or scikit-learn (partial_fit, predict), a class or object with "
        "learn(x, y, w) and predict(x), or predictions, one for each row: a file "
        "('predictions.csv') or a column."
    )


def _predictions_recipe(
    name: str, table: Any, labels: Any = "names", index: pd.Index | None = None
) -> Recipe:
    """Recipe of stored predictions; `labels` says if they are class "names" or "codes"."""
    return Recipe(name, PredictionsFile(name, labels, table=table, index=index))


def separate_predictions(stream: Stream, learners: T) -> tuple[Stream, T | dict[str, Recipe]]:
    """Make learners ``column:NAME`` of columns of the stream, which are then not inputs.

    Raises ConfigError if the stream has no such column.
    """
    recipes = recipes_by_name(learners)
    # A column of the stream is stored predictions without a file, see `learner_spec`.
    parameters_by_name = {
        name: each.source.parameters
        for name, each in recipes.items()
        if isinstance(each.source, LearnerSpec) and each.source.parameters.get("file") == ""
    }
    if not parameters_by_name:
        return stream, learners
    attributes = stream.schema.attributes
    index = {attribute.name: j for j, attribute in enumerate(attributes)}
    for name, parameters in parameters_by_name.items():
        if (column := parameters["column"]) not in index:
            raise ConfigError(f"{name}: there is {unknown_name_text('column', column, index)}")
        values, x = attributes[index[column]].values, stream.X[:, index[column]]
        predicted: Any = x
        if values is not None:  # i != i: NaN, a missing value
            predicted = [None if i != i else values[int(i)] for i in x.tolist()]
        table = predictions_table(predicted, name).append_column(ROW, pa.array(stream.file_rows))
        if stream.source_rows is not None:  # the stream may repeat rows, the table must not
            table = table.take(np.unique(stream.file_rows, return_index=True)[1])
        recipes[name] = _predictions_recipe(name, table, parameters.get("labels", "names"))
    prediction_columns = {parameters["column"] for parameters in parameters_by_name.values()}
    inputs = [j for name, j in index.items() if name not in prediction_columns]
    schema = dataclasses.replace(stream.schema, attributes=tuple(attributes[j] for j in inputs))
    matrix = select_columns(stream.X, inputs)
    # The digest of the old inputs is dropped; it is computed when needed.
    return dataclasses.replace(stream, X=matrix, schema=schema), recipes


def _instance(model: Any) -> Any:
    """Instance of a class; other objects are returned unchanged."""
    return construct(model) if isinstance(model, type) else model


def learner_spec(name: str) -> LearnerSpec:
    """Registry entry of a learner that is given as text.

    The text is an id of the registry, or one of

    - ``ID(PARAMETER=VALUE, ...)``, see `streameval.learners.parameters`;
    - ``retrained:...``, a batch model;
    - ``seasonal:PERIOD``, a baseline for numeric targets;
    - ``FILE.csv:COLUMN`` or ``FILE.parquet:COLUMN``, stored predictions;
    - ``column:NAME``, predictions in a column of the stream;
    - ``module:Class`` or ``module.Class``.
    """
    id_, parameter_texts = split_specification(check_text(name, "name"))
    if parameter_texts:
        parameters = {key: parse_value(text) for key, text in parameter_texts.items()}
        return row_with_parameters(learner_spec(id_), parameters)
    prefix, _, rest = name.partition(":")
    if prefix == RETRAINED:
        return retrained_row(name)
    if prefix == Seasonal.name and rest.isdecimal():
        return _unregistered_spec(name, Seasonal.name, {"period": int(rest)})
    if match := _FILE.fullmatch(name):
        file, column = match.groups(default="")
        return _unregistered_spec(name, PredictionsFile.name, {"file": file, "column": column})
    if prefix == _COLUMN and rest:
        return _unregistered_spec(name, PredictionsFile.name, {"file": "", "column": rest})
    learners = load_learners(settings.locate("config/learners.yaml"))
    module, _ = split_class_path(name)
    if name not in learners and module:
        return class_row(name)
    if name not in learners:
        raise ConfigError(f"There is {unknown_name_text('learner', name, learners)}")
    return learners[name]


def _unregistered_spec(name: str, learner: str, parameters: Mapping[str, Any]) -> LearnerSpec:
    """Registry entry of a learner that is not in the registry; its name is also its title."""
    return LearnerSpec(name, learner, title=name, parameters=parameters)


def make_with_baselines(
    stream: Stream, recipes: Mapping[str, Recipe], seasons: Iterable[str] = ()
) -> dict[str, AnyLearner[Any]]:
    """Make the learners for a stream, followed by the baselines not among them.

    The `seasons` are names of seasonal baselines for regression; see `seasonal_name`.

    Raises DataError if a learner does not suit the target, ConfigError if another learner has the
    name of a baseline.
    """
    learners = {name: each.make_for(stream) for name, each in recipes.items()}
    default: Any = (
        with_classification_baselines({}) if stream.n_classes else with_regression_baselines({})
    )
    baselines: dict[str, AnyLearner[Any]] = default
    baselines |= {name: Seasonal(int(name.split(":")[1])) for name in seasons}
    for name, baseline in baselines.items():
        if name in learners and learners[name] != baseline:
            raise ConfigError(
                f"Expected a different name for each learner, found {name!r}, the name of a "
                "baseline. Give another name: {name: learner}."
            )
    return {
        **learners,
        **{name: baseline for name, baseline in baselines.items() if name not in learners},
    }


def recipes_by_name(learners: Learners) -> dict[str, Recipe]:
    """Recipes of the requested learners by name, without baselines."""
    # Some of River's models, such as pipelines, are mappings of their parts.
    if isinstance(learners, Mapping) and not hasattr(learners, "learn_one"):
        recipes = {str(name): recipe(each) for name, each in learners.items()}
    else:
        # Other iterables count as one learner: a pipeline or an array of predictions, for example.
        listed: Iterable[Any] = learners if isinstance(learners, list | tuple) else [learners]
        recipes = unique_recipes(recipe(each) for each in listed)
    if not recipes:
        raise ConfigError("Expected one learner or more, found none.")
    check_ids(recipes)
    return recipes


def unique_recipes(learners: Iterable[Recipe]) -> dict[str, Recipe]:
    """Recipes by name; repeated names get a number."""
    unique: dict[str, Recipe] = {}
    for each in learners:
        name, number = each.name, 2
        while name in unique:
            name, number = f"{each.name} {number}", number + 1
        unique[name] = each
    return unique


def _learner_name(learner: AnyLearner[Any]) -> str:
    """Name of a learner of the package, with its non-default parameters."""
    non_default: dict[str, Any] = {}
    fields: Iterable[Any] = dataclasses.fields(learner) if dataclasses.is_dataclass(learner) else ()
    for field in fields:
        value = getattr(learner, field.name)
        if value != field.default:
            non_default[field.name] = (
                _learner_name(value) if isinstance(value, AnyLearner) else value
            )
    return getattr(learner, "name", type(learner).__name__) + parameters_in_brackets(non_default)
