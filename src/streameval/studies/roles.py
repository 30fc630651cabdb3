"""Learners with a role: the comparators of measures, and learners in their wrappers."""

from __future__ import annotations

#: The learners that κ_t and κ_m compare with. They are played along with any others.
COMPARATORS = ("no_change", "majority")
#: How the ids of learners in a wrapper end; and those of one learner alone and in its wrappers.
CORRECTED, AUGMENTED = "_corrected", "_augmented"
WRAPPER_SUFFIXES = ("", CORRECTED, AUGMENTED)
