"""Grzenda et al. (2019), Delayed labelling evaluation for data streams."""

TITLE = "Grzenda et al. (2019)"
DATE = "2019-11"
CITATION = (
    "Grzenda, M., Gomes, H. M., Bifet, A. (2019). Delayed labelling evaluation for data streams. "
    "Data Mining and Knowledge Discovery 34(5), 1237–1266 (2020)."
)
#: The paper's figures of single bins over time are panels of our figures by bin.
DRAWN_IN = {"fig6": "fig5", "fig10": "fig9"}
#: The figure of label delays.
READS = ("beyond/label_waiting",)
