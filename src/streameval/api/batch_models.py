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
    """Make a learner of a batch model: it is retrained from scratch on the latest labels.

    Retraining is common practice where no stream learner is used, so it serves as a baseline.
    Results show its cost: CPU seconds, and the number of fits.

    Parameters
    ----------
    model : object
        An object with ``fit(X, y)`` and ``predict(X)``, such as an estimator or a pipeline of
        scikit-learn; or its class, or the dotted path of its class. The object is not changed: each
        fit trains an untrained copy, which gets a seed if the model has none. The model learns
        class codes 0, 1, ... (class names if its ``class_weight`` has names). It may predict codes
        or names. A predicted whole number is a code, with one exception: it is a class name if
        ``fit`` ignores its labels, and class names are whole numbers other than the codes.
    every : int
        Number of labels from one fit to the next. The first fit is after 100 labels if `every` is
        larger. Before it there are no predictions.
    window : int
        Number of the latest labelled instances that a fit uses.
    one_hot : bool
        Whether each value of a nominal attribute gets a column of zeros and ones; otherwise its
        code is passed on as a number.
    as_frame : bool
        Whether the model gets a pandas data frame instead of an array, with the names of the
        stream's attributes; nominal values are categories. A ``ColumnTransformer`` that selects
        columns by name or type always gets a frame.

    Returns
    -------
    Recipe
        A learner for `evaluate`, `compare`, `tune`, `augmented` and `corrected`.

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
    non_default = {key: value for key, value in options.items() if value != getattr(Retrained, key)}
    return Recipe(retrained_name(_model_name(model), non_default), Retrained(model, **options))


def _model_name(model: Any) -> str:
    """Class name of a model, or class names of the steps of a pipeline."""
    names = []
    for step in steps_of(model):
        if isinstance(step, Mapping) and step:
            step = next(iter(step))  # the class path in {path: parameters}
        names.append(step.rpartition(".")[2] if isinstance(step, str) else type(step).__name__)
    return " | ".join(names)
