"""The fast engine of Naive Bayes: the labels of `exact`, several times as fast.

**What it does.** `exact` multiplies densities, with an exponential for each value and class. The
engine adds logarithms: it keeps the terms of each class that do not depend on the instance
(`terms`), renews them only when they could be wrong by more than a thousandth, and adds up eight
attributes at a time (`labels`), or scores eight models at a time (`scoreboard`), whose votes it
sums (`rough_votes`).

**Why the label is the same.** Each score comes with a bound on its error: of the approximate
logarithms, and of terms that have not been renewed. A class is predicted only if its lead over
each other class exceeds the bounds of both, and if no product of its densities could leave the
range of normal doubles, where multiplication rounds otherwise or gives 0, an infinity or NaN. If
not, terms are renewed; if that does not help, or a value is missing, `exact.label` decides. Ties
are always decided there.

**What proves it.** `tests/learners/bayes/engine` compares labels with `exact` after each instance
of random streams, with many classes, ties, missing values, tiny variances and extreme weights;
`tests/learners/ensembles` compares votes with exact ones. The tests of Naive Bayes, trees and
ensembles also compare whole runs with twins in plain Python.

Other modules use the names below, never a module of this package. An instance is loaded once
(`load_instance`, and `load_inputs` where slots observe different attributes); then any model
predicts its label (`predict_label`) or learns it (`learn_instance`). An ensemble keeps the `Scores`
of its members instead.
"""

from streameval.learners.bayes.engine.instance import (
    learn_instance,
    load_inputs,
    load_instance,
    observe_extremes,
)
from streameval.learners.bayes.engine.labels import FEW_CLASSES, predict_label
from streameval.learners.bayes.engine.rough_votes import (
    ROUNDING,
    add_rough_votes,
    common_class,
    name_classes,
    rough_winner,
)
from streameval.learners.bayes.engine.scoreboard import (
    Scores,
    forget,
    make_scores,
    name_likeliest,
    score_class,
    score_classes,
    weigh_classes,
)
from streameval.learners.bayes.engine.terms import staleness

__all__ = [
    "FEW_CLASSES",
    "ROUNDING",
    "Scores",
    "add_rough_votes",
    "common_class",
    "forget",
    "learn_instance",
    "load_inputs",
    "load_instance",
    "make_scores",
    "name_classes",
    "name_likeliest",
    "observe_extremes",
    "predict_label",
    "rough_winner",
    "score_class",
    "score_classes",
    "staleness",
    "weigh_classes",
]
