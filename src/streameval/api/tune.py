"""Tuning the parameters of a learner on the first instances of a stream."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import timedelta
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from streameval.api.evaluate import evaluate_request
from streameval.api.learners import LearnerLike, Recipe, check_recipe, recipe
from streameval.api.request import Request
from streameval.base.errors import (
    ConfigError,
    DataError,
    escape_controls,
    excerpt,
    listing,
    warn_caller,
)
from streameval.base.params import LARGEST
from streameval.base.rounding import format_number
from streameval.base.values import check_integer, python_value
from streameval.evaluation.delays import with_delay
from streameval.evaluation.tuning import Trial, TuningOutcome
from streameval.learners.parameters import (
    learner_with_parameters,
    name_with_parameters,
    row_with_parameters,
)
from streameval.learners.registry import LearnerSpec
from streameval.streams.readers.table import StreamWarning
from streameval.streams.stream import NEVER, Stream
from streameval.view.mixin import Viewable
from streameval.view.parts import Table, View, sentence_part, texts_table

if TYPE_CHECKING:
    import pandas as pd

#: Default prefix, as a proportion of the stream.
DEFAULT_PREFIX = 0.2
#: Smallest number of instances and of labels to tune on, and of instances to score afterwards.
MIN_INSTANCES = 100
#: A search of more settings than this warns of its cost.
MANY_SETTINGS = 30


class Tuning(Viewable):
    """Result of tuning a learner on the prefix of a stream; see `streameval.tune`.

    Attributes
    ----------
    best : Recipe
        The learner with the best parameters, for `evaluate` and `compare`. On the same stream it is
        scored only on the instances after the prefix.
    tuned : TuningOutcome
        The settings and their values, and how the best was chosen.
    trials : int
        Number of settings tried.
    instances : int
        Number of instances in the prefix.

    Examples
    --------
    >>> import streameval as se
    >>> stream = se.generate("sea", rows=5000)
    >>> tuning = se.tune(stream, "hoeffding_tree", {"grace_period": [50, 200]})
    >>> print(tuning.best.name, tuning.trials)
    hoeffding_tree(grace_period=50) 2
    """

    def __init__(self, best: Recipe, tuned: TuningOutcome) -> None:
        self.best, self.tuned = replace(best, tuned=tuned), tuned
        self.trials, self.instances = len(tuned.trials), tuned.instances

    def __repr__(self) -> str:
        return escape_controls(self.sentences()[0])

    def table(self) -> pd.DataFrame:
        """Values of all settings on the prefix, in the order of the trials.

        A row for each setting. Columns: the parameters; accuracy, or mean_absolute_error, on the
        prefix; chosen. The value of the chosen setting is too optimistic as an estimate of its
        accuracy, as it was selected for this value.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("sea", rows=5000)
        >>> se.tune(stream, "hoeffding_tree", {"grace_period": [50, 200]}).table()
           grace_period  accuracy  chosen
        0            50     0.842    True
        1           200     0.842   False
        """
        import pandas as pd

        return pd.DataFrame(self._rows())

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                **trial.parameters,
                self.tuned.measure: trial.value,
                "chosen": index == self.tuned.best,
            }
            for index, trial in enumerate(self.tuned.trials)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: learner, parameters, trials, instances and labels."""
        return self.tuned.to_dict()

    def _view(self) -> View:
        tuned = self.tuned
        sentence = sentence_part([f"{tuned.learner}: {tuned.parameters}, {tuned.method_text}."])
        return View([trials_table(tuned), sentence], tuned.to_dict)


def trials_table(tuned: TuningOutcome) -> Table:
    """Table of the settings that were tried; the chosen setting is marked."""
    names, best = list(tuned.trials[0].parameters), tuned.trials[tuned.best]
    digits = 4 if tuned.measure == "accuracy" else 6  # errors have any magnitude
    rows = [
        [
            "chosen" if trial is best else "",
            *(str(trial.parameters[name]) for name in names),
            format_number(trial.value, f".{digits}g"),
        ]
        for trial in tuned.trials
    ]
    title = (
        f"Settings of {tuned.learner} that ran over the first {tuned.instances:,} instances. The "
        "value of the best setting is optimistic, as it was selected for this value."
    )
    return texts_table(title, ["", *names, tuned.measure.replace("_", " ")], rows)


def tune(
    stream: Stream,
    learner: LearnerLike,
    grid: Mapping[str, Iterable[Any]],
    prefix: int | float = DEFAULT_PREFIX,
    *,
    delay: int | str | timedelta | None = None,
    label_first: bool = False,
    ignore_label_times: bool = False,
    seed: int = 1,
    progress: bool | None = None,
) -> Tuning:
    """Tune the parameters of a learner on the first instances of a stream.

    Each combination of values runs over this prefix as with `evaluate`. The most accurate is
    chosen; for a numeric target, the combination with the smallest mean absolute error. If several
    are equal, the first is chosen. Only labels that have arrived by the end of the prefix are used.

    `evaluate` and `compare` then score *all* learners on the instances after the prefix only. These
    were not used for tuning, so the comparison has no selection bias, however many settings were
    tried.

    Parameters
    ----------
    stream : Stream
        A stream from `read`, `load`, `from_pandas`, `from_arrays` or `generate`.
    learner : learner
        A learner with parameters: an id, ``"module:Class"``, a result of `learner`, `retrained`,
        `augmented` or `corrected`, or an estimator of scikit-learn. The parameters of a wrapped or
        retrained learner are those of the model inside.
    grid : mapping of str to list
        Values of each parameter; every combination is tried.
    prefix : int or float
        Number of instances to tune on, or their proportion of the stream; by default 0.2.
    delay, label_first, ignore_label_times, seed, progress
        As for `evaluate`. Give `evaluate` the same values later.

    Returns
    -------
    Tuning
        The best learner, and the values of all settings.

    Raises
    ------
    StreamevalError
        If a parameter is unknown or has an invalid value, the grid has less than two settings, or
        the prefix is too short or has one class only.

    Warns
    -----
    StreamWarning
        Before a search of more than 30 settings, with the number of instances to process.

    References
    ----------
    Cawley, Talbot (2010), On over-fitting in model selection and subsequent selection bias in
    performance evaluation, Journal of Machine Learning Research 11, 2079-2107.

    Examples
    --------
    >>> import streameval as se
    >>> stream = se.generate("sea", rows=5000)
    >>> tuning = se.tune(stream, "hoeffding_tree", {"grace_period": [50, 200]})
    >>> comparison = se.compare(stream, [tuning, "majority"])
    >>> print(comparison.verdict, comparison.pretrain)
    beats 1000
    """
    base = recipe(learner)
    request = Request.of(locals() | {"learners": base})
    settings = list(expand_grid(grid))
    recipes = {
        f"setting {index}": recipe_with_parameters(base, setting)
        for index, setting in enumerate(settings)
    }
    instances = prefix_length(stream, prefix)
    prefix_stream = _prefix_stream(request, instances)
    _check_labels(prefix_stream, instances)
    if len(settings) > MANY_SETTINGS:
        times = format_number(len(settings) * instances / len(stream), ",.1f")
        warn_caller(
            f"{base.name}: {len(settings):,} settings run over {instances:,} instances each, "
            f"{times} times the stream, before the evaluation.",
            StreamWarning,
        )
    is_delayed = prefix_stream.label_time is not None and not request.ignore_label_times
    # `prefix_stream` has the delay already. Only predictions on arrival are needed, so instances
    # are not predicted again.
    every = LARGEST if is_delayed else None
    prefix_request = replace(
        request, stream=prefix_stream, recipes=recipes, delay=None, every=every
    )
    result = evaluate_request(prefix_request, progress=progress)
    measure = request.task.measure
    values = result.measures(measure)[measure].reindex(list(recipes)).to_numpy(dtype=np.float64)
    if np.isnan(values).all():
        raise DataError(
            f"{base.name}: expected predictions on the first {instances:,} instances of stream "
            f"{stream.name!r}, found none with any setting. Tune on more instances."
        )
    best = int(np.nanargmin([request.task.error(value) for value in values]))
    trials = [Trial(setting, float(value)) for setting, value in zip(settings, values, strict=True)]
    n_labels = int(np.count_nonzero(prefix_stream.labelled))
    tuned = TuningOutcome(base.name, best, trials, instances, n_labels, measure, stream.digest)
    return Tuning(recipes[f"setting {best}"], tuned)


def expand_grid(grid: Any) -> Iterable[dict[str, Any]]:
    """All combinations of parameter values; the last parameter varies fastest.

    Raises ConfigError if it is not a grid of at least two different settings.
    """
    example = "such as {'grace_period': [50, 200]}"
    if not isinstance(grid, Mapping) or not grid:
        raise ConfigError(
            f"grid: expected a mapping of parameters to lists of values, {example}, found "
            f"{excerpt(repr(grid), 60)}."
        )
    values = {}
    for name, listed in grid.items():
        is_scalar_array = isinstance(listed, np.ndarray) and listed.ndim == 0
        is_single = is_scalar_array or isinstance(listed, str | bytes | Mapping)
        if is_single or not isinstance(listed, Iterable):
            raise ConfigError(
                f"grid, {name}: expected a list of values, {example}, found "
                f"{excerpt(repr(listed), 60)}."
            )
        values[str(name)] = [python_value(value) for value in listed]
    settings = [
        dict(zip(values, combination, strict=True)) for combination in product(*values.values())
    ]
    repeated = next(
        (setting for index, setting in enumerate(settings) if setting in settings[:index]), None
    )
    if repeated is not None:
        raise ConfigError(f"grid: expected each setting once, found {repeated} again.")
    if len(settings) < 2:
        raise ConfigError(
            f"grid: expected two settings or more to choose from, found {len(settings)} "
            f"({excerpt(repr(dict(grid)), 60)}). Give a parameter more values, or set it without "
            "tuning."
        )
    return settings


def recipe_with_parameters(base: Recipe, parameters: Mapping[str, Any]) -> Recipe:
    """Copy of a recipe with other parameters; a wrapper passes them to its inner learner.

    Raises ConfigError if a parameter is unknown or a value is invalid.
    """
    source = base.source
    if isinstance(source, Recipe):
        source = recipe_with_parameters(source, parameters)
    elif isinstance(source, LearnerSpec):
        source = row_with_parameters(source, parameters)
    else:
        source = learner_with_parameters(source, parameters)
    name = name_with_parameters(base.name, parameters)
    return check_recipe(replace(base, name=name, source=source, tuned=None))


def prefix_length(stream: Stream, prefix: Any) -> int:
    """Number of instances of a prefix given as a number or a proportion.

    Raises ConfigError if it is neither, or leaves too few instances to tune on or to score.
    """
    if isinstance(prefix, float) and not 0.0 < prefix < 1.0:
        raise ConfigError(
            "prefix (--tune-on): expected a number of instances, or a proportion between 0 and 1, "
            f"found {prefix!r}."
        )
    n = len(stream)
    instances = int(prefix * n) if isinstance(prefix, float) else check_integer(prefix, "prefix")
    if not MIN_INSTANCES <= instances <= n - MIN_INSTANCES:
        raise ConfigError(
            f"prefix (--tune-on): expected at least {MIN_INSTANCES} instances to tune on, and "
            f"{MIN_INSTANCES} to score after them, found a prefix of {instances:,} of the {n:,} "
            f"instances of stream {stream.name!r}. Give another number."
        )
    return instances


def _prefix_stream(request: Request, instances: int) -> Stream:
    """Stream of the first instances, with the labels that arrive before its end."""
    stream = request.stream
    if request.delay is not None:
        stream = with_delay(stream, request.delay)
    sample = stream.first(instances)
    if sample.label_time is None or sample.time is None or request.ignore_label_times:
        return sample
    has_not_arrived = sample.label_time > sample.time.max()
    label_time = np.where(has_not_arrived, NEVER, sample.label_time)
    # The digest is computed anew.
    return replace(sample, label_time=label_time)


def _check_labels(sample: Stream, instances: int) -> None:
    labels = sample.y[sample.labelled]
    if len(labels) < MIN_INSTANCES:
        raise DataError(
            f"prefix (--tune-on): expected at least {MIN_INSTANCES} labels that have arrived by "
            f"its end, found {len(labels):,} of the first {instances:,} instances of stream "
            f"{sample.name!r}. Tune on more instances."
        )
    if sample.schema.classes is not None and (labels == labels[0]).all():
        raise DataError(
            f"prefix (--tune-on): expected labels of at least two classes, found only "
            f"{listing([sample.schema.classes[int(labels[0])]])} among the first {instances:,} "
            f"instances of stream {sample.name!r}. Tune on more instances."
        )
