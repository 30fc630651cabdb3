"""Choosing the parameters of a learner on the first instances of a stream."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import timedelta
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from streameval.api.evaluate import evaluate_request
from streameval.api.learners import LearnerLike, Recipe, checked_recipe, recipe
from streameval.api.request import Request
from streameval.base.errors import ConfigError, DataError, excerpt, some, visible, warn_caller
from streameval.base.params import LARGEST
from streameval.base.rounding import format_number
from streameval.base.values import check_integer, python_value
from streameval.evaluation.delays import with_delay
from streameval.evaluation.tuning import Trial, Tuned
from streameval.learners.parameters import learner_with, name_with_parameters, row_with
from streameval.learners.registry import LearnerSpec
from streameval.streams.readers.table import StreamWarning
from streameval.streams.stream import NEVER, Stream
from streameval.view.blocks import Table, View, sentence_part, texts_table
from streameval.view.mixin import Viewed

if TYPE_CHECKING:
    import pandas as pd

#: The prefix is this proportion of the stream, if it is not given.
SHARE = 0.2
#: Fewer labels than this choose nothing, and judge nothing.
LEAST = 100
#: Of more settings than this the cost is said before.
MANY = 30


class Tuning(Viewed):
    """The settings of a learner that were tried on a prefix, as `streameval.tune` returns them.

    Attributes
    ----------
    best : Recipe
        The learner with the parameters that did best, for `evaluate` and `compare`. On the stream
        that chose them it is judged on the instances behind the prefix only.
    trials : int
        How many settings were tried.
    instances : int
        So many instances chose.

    Examples
    --------
    >>> import streameval as se
    >>> stream = se.generate("sea", rows=5000)
    >>> tuning = se.tune(stream, "hoeffding_tree", {"grace_period": [50, 200]})
    >>> print(tuning.best.name, tuning.trials)
    hoeffding_tree(grace_period=50) 2
    """

    def __init__(self, best: Recipe, tuned: Tuned) -> None:
        self.best, self.tuned = replace(best, tuned=tuned), tuned
        self.trials, self.instances = len(tuned.trials), tuned.instances

    def __repr__(self) -> str:
        return visible(self.sentences()[0])

    def table(self) -> pd.DataFrame:
        """Frame with a row per setting, in the order of the trials.

        Columns: the parameters; accuracy, or mean_absolute_error, on the prefix; and whether the
        setting was chosen. It says how the choice was made: the value of the best setting is no
        estimate of how good it is, as it was the best by chance, too.

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
                "chosen": place == self.tuned.best,
            }
            for place, trial in enumerate(self.tuned.trials)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: learner, parameters, trials, instances, labels."""
        return self.tuned.to_dict()

    def _view(self) -> View:
        tuned = self.tuned
        sentence = sentence_part([f"{tuned.learner}: {tuned.parameters}, {tuned.method_text}."])
        return View([trials_table(tuned), sentence], tuned.to_dict)


def trials_table(tuned: Tuned) -> Table:
    """Settings of a learner that were tried, the chosen one marked."""
    names, best = list(tuned.trials[0].parameters), tuned.trials[tuned.best]
    digits = 4 if tuned.measure == "accuracy" else 6
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
    prefix: int | float = SHARE,
    *,
    delay: int | str | timedelta | None = None,
    label_first: bool = False,
    ignore_label_times: bool = False,
    seed: int = 1,
    progress: bool | None = None,
) -> Tuning:
    """Choose the parameters of a learner on the first instances of a stream.

    Each combination of values runs over the prefix as `evaluate` does; the most accurate one is
    taken, for a numeric target that of the smallest mean absolute error, and of equal ones the
    first. Only labels that have arrived by the end of the prefix count. `evaluate` and `compare`
    then judge *all* learners on the instances behind the prefix, which had no part in the choice:
    differences are as free of selection as those of learners that nobody tuned, however many
    settings were tried.

    Parameters
    ----------
    stream : Stream
        What `read`, `load`, `from_pandas`, `from_arrays` or `generate` returned.
    learner : object
        One learner with parameters, as for `evaluate`: an id, ``"module:Class"``, what `learner`,
        `retrained`, `augmented` or `corrected` returned, or an estimator of scikit-learn. The
        parameters are its own, or those of the model inside.
    grid : mapping of str to list
        The values of each parameter; every combination is tried.
    prefix : int or float
        Number of instances to tune on, or their proportion of the stream; by default a fifth.
    delay, label_first, ignore_label_times, seed, progress
        As for `evaluate`, which must get the same.

    Returns
    -------
    Tuning
        The best learner, and all that were tried.

    Raises
    ------
    StreamevalError
        If the learner has no such parameter, a value is wrong, there is one setting only, or the
        prefix is too short or has one class only.

    Warns
    -----
    StreamWarning
        Before a search of more than 30 settings, with its cost.

    References
    ----------
    Cawley, Talbot (2010), On over-fitting in model selection and subsequent selection bias in
    performance evaluation, Journal of Machine Learning Research 11, 2079-2107.

    Examples
    --------
    >>> import streameval as se
    >>> stream = se.generate("sea", rows=5000)
    >>> tuning = se.tune(stream, "hoeffding_tree", {"grace_period": [50, 200]})
    >>> found = se.compare(stream, [tuning, "majority"])
    >>> print(found.verdict, found.pretrain)
    beats 1000
    """
    base = recipe(learner)
    request = Request.of(locals() | {"learners": base})
    settings = list(settings_of(grid))
    recipes = {str(place): with_parameters(base, setting) for place, setting in enumerate(settings)}
    instances = instances_of(stream, prefix)
    known = _known(request, instances)
    _check_labels(known, instances)
    if len(settings) > MANY:
        times = format_number(len(settings) * instances / len(stream), ",.1f")
        warn_caller(
            f"{base.name}: {len(settings):,} settings run over {instances:,} instances each, "
            f"{times} times the stream, before the evaluation.",
            StreamWarning,
        )
    late = known.label_time is not None and not request.ignore_label_times
    named = {f"setting {place}": each for place, each in recipes.items()}
    trial = replace(
        request, stream=known, recipes=named, delay=None, every=LARGEST if late else None
    )
    result = evaluate_request(trial, progress=progress)
    measure = request.task.measure
    values = result.measures(measure)[measure].reindex(list(named)).to_numpy(dtype=np.float64)
    if np.isnan(values).all():
        raise DataError(
            f"{base.name}: expected a setting that predicts on the first {instances:,} instances "
            f"of stream {stream.name!r}, found none. Tune on more instances."
        )
    best = int(np.nanargmin([request.task.error(value) for value in values]))
    trials = [Trial(setting, float(value)) for setting, value in zip(settings, values, strict=True)]
    labels = int(np.count_nonzero(known.labelled))
    tuned = Tuned(base.name, best, trials, instances, labels, measure, stream.digest)
    return Tuning(recipes[str(best)], tuned)


def settings_of(grid: Any) -> Iterable[dict[str, Any]]:
    """All combinations of parameter values; the last parameter changes first.

    Raises ConfigError if it is no grid of two settings or more.
    """
    example = "such as {'grace_period': [50, 200]}"
    if not isinstance(grid, Mapping) or not grid:
        raise ConfigError(
            f"grid: expected a mapping of parameters to lists of values, {example}, found "
            f"{excerpt(repr(grid), 60)}."
        )
    values = {}
    for name, several in grid.items():
        is_array = isinstance(several, np.ndarray) and several.ndim == 0
        is_one = is_array or isinstance(several, str | bytes | Mapping)
        if is_one or not isinstance(several, Iterable):
            raise ConfigError(
                f"grid, {name}: expected a list of values, {example}, found "
                f"{excerpt(repr(several), 60)}."
            )
        values[str(name)] = [python_value(value) for value in several]
    settings = [
        dict(zip(values, combination, strict=True)) for combination in product(*values.values())
    ]
    twice = next(
        (setting for place, setting in enumerate(settings) if setting in settings[:place]), None
    )
    if twice is not None:
        raise ConfigError(f"grid: expected each setting once, found {twice} again.")
    if len(settings) < 2:
        raise ConfigError(
            f"grid: expected two settings or more to choose from, found {len(settings)} "
            f"({excerpt(repr(dict(grid)), 60)}). Give a parameter more values, or set it without "
            "tuning."
        )
    return settings


def with_parameters(base: Recipe, parameters: Mapping[str, Any]) -> Recipe:
    """Copy of a recipe with other parameters; for a wrapped learner, of the learner inside.

    Raises ConfigError if it has no such parameter, or it refuses a value.
    """
    source = base.source
    if isinstance(source, Recipe):
        source = with_parameters(source, parameters)
    elif isinstance(source, LearnerSpec):
        source = row_with(source, parameters)
    else:
        source = learner_with(source, parameters)
    name = name_with_parameters(base.name, parameters)
    return checked_recipe(replace(base, name=name, source=source, tuned=None))


def instances_of(stream: Stream, prefix: Any) -> int:
    """Number of instances of a prefix given as a number or a proportion.

    Raises ConfigError if it is neither, or leaves too few instances to choose or to judge.
    """
    if isinstance(prefix, float) and not 0.0 < prefix < 1.0:
        raise ConfigError(
            "prefix (--tune-on): expected a number of instances, or a proportion between 0 and 1, "
            f"found {prefix!r}."
        )
    n = len(stream)
    instances = int(prefix * n) if isinstance(prefix, float) else check_integer(prefix, "prefix")
    if not LEAST <= instances <= n - LEAST:
        raise ConfigError(
            f"prefix (--tune-on): expected at least {LEAST} instances to tune on, and {LEAST} "
            f"to score after them, found a prefix of {instances:,} of the {n:,} instances of "
            f"stream {stream.name!r}. Give another number."
        )
    return instances


def _known(request: Request, instances: int) -> Stream:
    """The first instances, with the labels that have arrived by then."""
    stream = request.stream
    if request.delay is not None:
        stream = with_delay(stream, request.delay)
    sample = stream.first(instances)
    if sample.label_time is None or sample.time is None or request.ignore_label_times:
        return sample
    open_ = sample.label_time > sample.time.max()
    return replace(sample, label_time=np.where(open_, NEVER, sample.label_time), _digest=[])


def _check_labels(known: Stream, instances: int) -> None:
    labels = known.y[known.labelled]
    if len(labels) < LEAST:
        raise DataError(
            f"prefix (--tune-on): expected at least {LEAST} labels that have arrived by its end, "
            f"found {len(labels):,} of the first {instances:,} instances of stream "
            f"{known.name!r}. Tune on more instances."
        )
    if known.schema.classes is not None and (labels == labels[0]).all():
        raise DataError(
            f"prefix (--tune-on): expected labels of at least two classes, found only "
            f"{some([known.schema.classes[int(labels[0])]])} among the first {instances:,} "
            f"instances of stream {known.name!r}. Tune on more instances."
        )
