"""Functions that compile kernels outside the learners, for `warm_up`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from streameval.detectors.registry import DETECTORS
from streameval.learners.baselines import NoChange
from streameval.learners.wrappers.temporal_correction import TemporalCorrection
from streameval.measures.counting import tally
from streameval.measures.fading import smoothed_kappas
from streameval.measures.forecasts import checked_forecasts
from streameval.measures.moa import moa_evaluate
from streameval.measures.scores import faded_scores, overall_scores
from streameval.measures.tallies_over_time import fading_tallies, window_tallies
from streameval.pipeline.warm_up import INSTANCES
from streameval.protocols.folds import RoundRobinAllotment, bootstrap_validation
from streameval.protocols.prequential import prequential
from streameval.streams.generators import GENERATORS, make_generator
from streameval.streams.generators.sea import Sea

#: Values for the generators' parameters that have no default.
_PARAMETERS = {
    "concept_drift": {
        "before": {"generator": "sea"},
        "after": {"generator": "sea", "function": 2},
        "position": 5,
        "width": 2,
    },
    "markov": {"priors": [0.5, 0.5], "persistence": 0.6, "attributes": 2},
}


def non_learner_parts() -> dict[str, Callable[[], object]]:
    """Functions that compile kernels, by the name of a part of the package.

    Each runs its part on a few instances. The parts are wrappers, folds, measures, generators and
    detectors with kernels of their own.
    """
    parts: dict[str, Callable[[], object]] = {
        "wrapper temporal_correction": _correct,
        # Other kinds of folds have no kernel; the bootstrap has `poisson_weights`.
        "folds": partial(bootstrap_validation, INSTANCES, allotment=RoundRobinAllotment()),
        "measures": _measure,
        "measures of scores": _measure_scores,
    }
    parts |= {f"generator {name}": partial(_generate, name) for name in GENERATORS}
    return parts | {f"detector {name}": partial(_detect, name) for name in DETECTORS}


def _generate(name: str) -> None:
    generator = make_generator(name, _PARAMETERS.get(name, {}))
    generator.stream(INSTANCES)
    generator.draw_from_concepts(INSTANCES, np.arange(INSTANCES), seed=1)


def _detect(name: str) -> None:
    detector = DETECTORS[name]
    # Any valid value will do, since compilation depends only on types.
    required_values = [1 for parameter in detector.declared_parameters() if parameter.is_required]
    detector(*required_values).run([0.0] * INSTANCES)


def _correct() -> None:
    TemporalCorrection(NoChange()).run(Sea().stream(INSTANCES), prequential(INSTANCES))


# Any fading and smoothing will do in the measures, since compilation depends only on types.
def _measure() -> None:
    labels, positions = Sea().stream(INSTANCES).y, np.array([INSTANCES])
    baselines = {"no_change": labels, "majority": labels}
    tally(labels, labels, 2, **baselines)
    window_tallies(labels, labels, 2, window=5, positions=positions, **baselines)
    fading_tallies(labels, labels, 2, fading=0.1, positions=positions, **baselines)
    smoothed_kappas(labels, labels, 2, smoothing=0.1, positions=positions)
    moa_evaluate(labels, labels, 2, positions=positions)


def _measure_scores() -> None:
    scores = np.full((INSTANCES, 2), 0.5, dtype=np.float32)  # learners' scores are of this type
    forecasts = checked_forecasts(np.arange(INSTANCES) % 2, scores)
    overall_scores(forecasts)
    faded_scores(forecasts, ["brier"], fading=0.1, positions=np.array([INSTANCES]))
