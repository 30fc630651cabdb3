"""Žliobaitė et al. (2015), Evaluation methods and decision theory."""

TITLE = "Žliobaitė et al. (2015)"
DATE = "2015-03"
CITATION = (
    "Žliobaitė, I., Bifet, A., Read, J., Pfahringer, B., Holmes, G. (2015). Evaluation methods and "
    "decision theory for classification of streaming data with temporal dependence. Machine "
    "Learning 98(3), 455–482."
)
