"""Bifet et al. (2013), Pitfalls in benchmarking data stream classification."""

TITLE = "Bifet et al. (2013)"
DATE = "2013-09"
CITATION = (
    "Bifet, A., Read, J., Žliobaitė, I., Pfahringer, B., Holmes, G. (2013). Pitfalls in "
    "benchmarking data stream classification and how to avoid them. ECML PKDD 2013, LNCS 8188, "
    "465–479."
)
#: Pairs of a learner and its reference whose accuracies claims compare.
PAIRS = (
    ("hoeffding_adaptive_tree", "hoeffding_tree"),
    ("leveraging_bagging", "hoeffding_tree"),
)
