"""Example and Sample (2020), How often labels repeat."""

TITLE = "Example and Sample (2020)"
DATE = "2020-05"
CITATION = "Example, A., Sample, B. (2020). How often labels repeat. A Journal 1(2), 3–4."
