"""The fast engine of Naive Bayes: the labels of `exact`, several times as fast.

**What it does.** `exact` multiplies densities, with an exponential for each value and class. The
engine adds logarithms. It stores the terms of each class that do not depend on the instance
(`terms`), and updates them only when their relative error could exceed a thousandth. It adds the
logarithms of eight attributes at a time (`labels`). For ensembles, it computes the scores of eight
models at a time (`scoreboard`), and sums their votes (`rough_votes`).

**Why the label is the same.** Each score has a bound on its error, which comes from approximate
logarithms and from terms that have not been updated. A class is predicted only if its lead over
each other class exceeds the bounds of both. Also, no product of its densities may leave the range
of normal doubles, where multiplication rounds differently or gives 0, an infinity or NaN.
Otherwise, terms are updated. If that does not help, or a value is missing, `exact.label` decides.
Ties are always decided there.

**How it is tested.** `tests/learners/bayes/engine` compares labels with `exact` after each instance
of random streams, with many classes, ties, missing values, tiny variances and extreme weights.
`tests/learners/ensembles` compares votes with exact votes. The tests of Naive Bayes, trees and
ensembles also compare whole runs with reference implementations in plain Python.

Other modules use the names below, never a module of this package. An instance is loaded once by
`load_instance`, and by `load_inputs` if slots observe different attributes. Then any model can
predict its label (`predict_label`) or learn it (`learn_instance`). An ensemble uses the `Scores` of
its members instead.
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
    find_top_classes,
    rough_winner,
)
from streameval.learners.bayes.engine.scoreboard import (
    Scores,
    find_likeliest,
    make_scores,
    reset_candidates,
    score_class,
    score_classes,
    store_class_weights,
)
from streameval.learners.bayes.engine.terms import staleness

__all__ = [
    "FEW_CLASSES",
    "ROUNDING",
    "Scores",
    "add_rough_votes",
    "common_class",
    "find_likeliest",
    "find_top_classes",
    "learn_instance",
    "load_inputs",
    "load_instance",
    "make_scores",
    "observe_extremes",
    "predict_label",
    "reset_candidates",
    "rough_winner",
    "score_class",
    "score_classes",
    "staleness",
    "store_class_weights",
]
