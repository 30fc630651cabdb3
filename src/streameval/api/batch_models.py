"""Batch models, such as those of scikit-learn, as learners for `evaluate`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from streameval.api.learners import Recipe
from streameval.base.other_tools import construct
from streameval.base.values import check_integer, flag_of
from streameval.learners.adapters.estimators import has_learnt, steps_of, warn_of_training
from streameval.learners.adapters.retrained import Retrained
from streameval.learners.parameters import retrained_name


def retrained(
    model: Any, every: int = 1000, window: int = 5000, one_hot: bool = True, as_frame: bool = False
) -> Recipe:
    """Retrain a batch model from scratch every few labels on the latest ones, for `evaluate`.

    This is the baseline of users who have no learner for streams: train anew from time to time on
    recent data. Its cost is shown: CPU seconds, and the number of fits.

    Parameters
    ----------
    model : object
        Anything with ``fit(X, y)`` and ``predict(X)``: an estimator or a pipeline of scikit-learn
        or of another package, or a class of your own; or such a class, or its dotted path. It is
        left alone: each fit begins with an untrained copy, with a seed of its own where the model
        has none. It learns class codes, or class names if its ``class_weight`` has some, and may
        predict either. Whole numbers of a model whose ``fit`` ignores the labels are names, if
        classes are whole numbers other than 0, 1, ...
    every : int
        After so many labels the model is fitted anew; the first time after 100, if that is
        earlier. Until then there is no prediction.
    window : int
        It is fitted on the last so many labelled instances.
    one_hot : bool
        Whether each value of a nominal attribute gets a column of zeros and ones; otherwise its
        code is passed on as a number.
    as_frame : bool
        Whether the model gets a frame of pandas with the stream's names instead, in which nominal
        values are categories. A ``ColumnTransformer`` that names its columns, or chooses them by
        their types, gets one anyway.

    Returns
    -------
    Recipe
        What `evaluate`, `compare`, `tune`, `augmented` and `corrected` take.

    Raises
    ------
    StreamevalError
        If the model has no fit, cannot be copied, or a number is out of range.

    References
    ----------
    Read, Žliobaitė (2022), Learning from data streams: an overview and update, arXiv 2212.14720.

    Examples
    --------
    >>> import streameval as se
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> tree = se.retrained(DecisionTreeClassifier(max_depth=5), every=500)
    >>> result = se.evaluate(se.generate("sea", rows=2000), tree)
    >>> result.measures("accuracy").round(2)
                                                  accuracy
    learner
    retrained(DecisionTreeClassifier, every=500)      0.79
    no_change                                         0.54
    majority                                          0.64
    >>> int(result.costs["fits"].iloc[0])
    4
    """
    if isinstance(model, type):
        model = construct(model)
    if has_learnt(model):
        warn_of_training(model)
    options: dict[str, Any] = {
        "every": check_integer(every, "every"),
        "window": check_integer(window, "window"),
        "one_hot": flag_of(one_hot, "one_hot"),
        "as_frame": flag_of(as_frame, "as_frame"),
    }
    changed = {key: value for key, value in options.items() if value != getattr(Retrained, key)}
    return Recipe(retrained_name(_called(model), changed), Retrained(model, **options))


def _called(model: Any) -> str:
    """Name of a model or of the description of one."""
    names = []
    for step in steps_of(model):
        if isinstance(step, Mapping) and step:
            step = next(iter(step))
        names.append(step.rpartition(".")[2] if isinstance(step, str) else type(step).__name__)
    return " | ".join(names)
