"""Ids of learners with a role, of references and of wrappers."""

from __future__ import annotations

#: The reference learners of κ_t and κ_m. They are added to all runs.
CLASSIFICATION_BASELINES = NO_CHANGE, MAJORITY = ("no_change", "majority")
#: The baselines of class scores. They are added to all runs with scores.
FORECAST_BASELINES = ("label_proportions", "label_transitions")
#: Name of a reference in comparisons by bin: the most accurate other learner.
BEST = "best"
#: The baselines of regression. They are added to all runs.
REGRESSION_BASELINES = PREVIOUS_TARGET, TARGET_MEAN = ("previous_target", "target_mean")
#: Name of a seasonal baseline, alone or with the season in instances, ``seasonal:24``.
SEASONAL = "seasonal"
#: Ending of the id of a seasonal baseline whose lag differs by instance, ``seasonal:24:latest``.
LATEST = "latest"
#: Name of a reference in comparisons by bin: the first predictions of the learner itself.
FIRST = "first"
#: Names of the bins with the greatest and the smallest value of a measure.
BEST_BINS = MAXIMUM, MINIMUM = ("maximum", "minimum")
#: Prefix of weighted performance in tables of bins; the name of the weights follows.
WEIGHTED = "weighted: "
#: Suffix of the ids of learners in the wrapper `temporal_correction`.
CORRECTED = "_corrected"
#: Suffix of the ids of learners in the wrapper `temporally_augmented`.
AUGMENTED = "_augmented"
#: Suffix of the ids of regressors with the behaviour of MOA.
MOA_SUFFIX = "_moa"
#: Suffixes of a learner and of its two wrappers; a learner without a wrapper has the empty suffix.
WRAPPER_SUFFIXES = ("", CORRECTED, AUGMENTED)
