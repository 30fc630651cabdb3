"""What tests against MOA's own numbers have in common."""

from __future__ import annotations

from functools import cache

import numpy as np

from streameval.learners import registry
from streameval.learners.ensembles.adaptive_random_forest import AdaptiveRandomForest
from streameval.learners.tasks import CLASSIFICATION
from streameval.streams.generators import generate_instances
from streameval.streams.generators.sea import Sea
from streameval.streams.stream import Stream

LEARNERS = {name: registry.LEARNERS[name]() for name in registry.built_in_learners(CLASSIFICATION)}
#: AdaptiveRandomForest -s 5 -o (Specified m (integer value)) -m 2, as in its unit test.
LEARNERS["small_forest"] = AdaptiveRandomForest(members=5, subspace_mode="size", subspace=2)


HYPERPLANE = {"generator": "hyperplane", "drifting": 10, "magnitude": 0.001}


def percent(values):
    """Accuracy, kappa, kappa temporal and kappa M in percent, shape (s, 4)."""
    return 100 * np.stack(values, axis=1)


@cache
def sea_blocks():
    parts = [Sea(function).stream(5000) for function in (1, 2, 3, 4)]
    X, y = (np.concatenate([getattr(part, name) for part in parts]) for name in ("X", "y"))
    return Stream(X, y, parts[0].schema)


def drift(before, after, position, width):
    """A concept drift as a part of another one."""
    parts = {"before": before, "after": after}
    return {"generator": "concept_drift", "position": position, "width": width} | parts


def generated(n, generator, **parameters):
    return generate_instances(generator, n, **parameters)


def clouds(seed):
    """A stream of which some eager trees depend on the last bit of one exponential."""
    return generated(2000, generator="random_rbf", seed=seed, classes=5, attributes=4)


@cache
def nested_drifts(n):
    drifting = {"generator": "sea", "function": 4}
    for function in (3, 2, 1):
        drifting = drift({"generator": "sea", "function": function}, drifting, 5000, 50)
    return generated(n, **drifting)
