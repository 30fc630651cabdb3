"""The fast engine of Naive Bayes: the labels of `exact`, several times as fast.

**What it does.** `exact` multiplies densities, with an exponential for each value and class. The
engine adds logarithms: it keeps the terms of each class that do not depend on the instance
(`terms`), renews them only when they could be wrong by more than a thousandth, and adds up eight
attributes at a time (`labels`), or scores eight models at a time (`scoreboard`).

**Why the label is the same.** Each score comes with a bound on its error: of the approximate
logarithms, and of terms that have not been renewed. A class is predicted only if its lead over
each other class exceeds the bounds of both, and if no product of its densities could leave the
range of normal doubles, where multiplication rounds otherwise or gives 0, an infinity or NaN. If
not, terms are renewed; if that does not help, or a value is missing, `exact.label` decides. Ties
are always decided there.

**What proves it.** `tests/learners/bayes/engine` compares labels with `exact` after each instance
of random streams, with many classes, ties, missing values, tiny variances and extreme weights;
the tests of Naive Bayes, trees and ensembles compare whole runs with twins in plain Python.

Other modules use the names below, never a module of this package.
"""

from streameval.learners.bayes.engine.instance import fetch as fetch
from streameval.learners.bayes.engine.instance import load as load
from streameval.learners.bayes.engine.instance import observe as observe
from streameval.learners.bayes.engine.instance import observe_extremes as observe_extremes
from streameval.learners.bayes.engine.labels import FEW as FEW
from streameval.learners.bayes.engine.labels import label as label
from streameval.learners.bayes.engine.scoreboard import Scores as Scores
from streameval.learners.bayes.engine.scoreboard import candidate as candidate
from streameval.learners.bayes.engine.scoreboard import forget as forget
from streameval.learners.bayes.engine.scoreboard import make_scores as make_scores
from streameval.learners.bayes.engine.scoreboard import name_likeliest as name_likeliest
from streameval.learners.bayes.engine.scoreboard import score_class as score_class
from streameval.learners.bayes.engine.scoreboard import score_classes as score_classes
from streameval.learners.bayes.engine.scoreboard import weigh_classes as weigh_classes
from streameval.learners.bayes.engine.scoreboard import write_probabilities as write_probabilities
from streameval.learners.bayes.engine.terms import staleness as staleness
