"""Learners with a role: the comparators of measures, and learners in their wrappers."""

from __future__ import annotations

#: The learners that κ_t and κ_m compare with. They run beside any others.
COMPARATORS = NO_CHANGE, MAJORITY = ("no_change", "majority")
#: The baselines of class scores. They run beside any others where scores are asked for.
FORECAST_BASELINES = ("label_proportions", "label_transitions")
#: What stands for the most accurate one of all other learners.
BEST = "best"
#: The baselines of regressors. They run beside any others.
REGRESSION_BASELINES = PREVIOUS_TARGET, TARGET_MEAN = ("previous_target", "target_mean")
#: The baselines that repeat a season: this, or with its length in instances, ``seasonal:24``.
SEASONAL = "seasonal"
#: End of the name of such a baseline where delays differ, so that seasons before do.
LATEST = "latest"
#: What stands for a learner's own first predictions.
FIRST = "first"
#: What stands for the bin with the greatest value of a measure, and for that with the least one.
BEST_BINS = MAXIMUM, MINIMUM = ("maximum", "minimum")
#: What tables of bins call weighted performance, before the name of the weights.
WEIGHTED = "weighted: "
#: Suffixes of the ids of wrapped learners; and all suffixes, that of the plain learner included.
CORRECTED, AUGMENTED = "_corrected", "_augmented"
#: Suffix of the ids of regressors that run as MOA's do.
AS_IN_MOA = "_moa"
WRAPPER_SUFFIXES = ("", CORRECTED, AUGMENTED)
