"""The learners of Žliobaitė et al. (2015), and how the ids of their wrapped forms end."""

from __future__ import annotations

from streameval.evaluation.roles import AUGMENTED, CORRECTED

#: The five learners of the paper.
ORDINARY = (
    "naive_bayes",
    "ddm_nb",
    "hoeffding_tree",
    "hoeffding_adaptive_tree",
    "leveraging_bagging",
)
#: Both wrappers; and all forms, the ordinary one included.
WRAPPED = (CORRECTED, AUGMENTED)
WRAPPED_FORMS = ("", *WRAPPED)
