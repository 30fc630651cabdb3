"""Learners with a role: the comparators of measures, and learners in their wrappers."""

from __future__ import annotations

#: The learners that κ_t and κ_m compare with. They run beside any others.
COMPARATORS = NO_CHANGE, MAJORITY = ("no_change", "majority")
#: What stands for the most accurate one of all other learners.
BEST = "best"
#: Suffixes of the ids of wrapped learners; and all suffixes, that of the plain learner included.
CORRECTED, AUGMENTED = "_corrected", "_augmented"
WRAPPER_SUFFIXES = ("", CORRECTED, AUGMENTED)
