"""Bifet et al. (2015), Efficient online evaluation of big data stream classifiers."""

TITLE = "Bifet et al. (2015)"
DATE = "2015-08"
CITATION = (
    "Bifet, A., De Francisci Morales, G., Read, J., Holmes, G., Pfahringer, B. (2015). Efficient "
    "online evaluation of big data stream classifiers. KDD 2015, 59–68."
)
