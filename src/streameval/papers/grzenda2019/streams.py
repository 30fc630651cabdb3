"""The streams of Grzenda et al. (2019), and the learners of its tables."""

from __future__ import annotations

from collections.abc import Mapping

#: Our ids of what its tables call otherwise.
STREAMS: Mapping[str, str] = {
    "hyperplane": "hyperplane_delayed",
    "agrawal": "agrawal_delayed",
    "led": "led_delayed",
}
LEARNERS: Mapping[str, str] = {
    "majority_class": "majority",
    "adaptive_random_forest": "adaptive_random_forest_2017",
}
#: Those of its Table 2, with the predictions of MOA.
REGRESSORS: Mapping[str, str] = {
    name: f"{name}_moa" for name in ("orto", "fimt_dd", "amrules", "arf_reg")
}
#: The numbers of labels after which the paper's evaluation stops.
LABELS: Mapping[str, int] = {
    "hyperplane_delayed": 250,
    "dataexpo_atl": 6_227,
    "elec2_dayahead": 44_204,
    "covtype": 24_500,
    "agrawal_delayed": 10_000,
    "led_delayed": 20_000,
    "bike": 17_379,
}
