"""The streams of Grzenda et al. (2019), and the learners of its tables."""

from __future__ import annotations

from collections.abc import Mapping

from streameval.report.published import read_published
from streameval.settings import ROOT

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


def _labels() -> dict[str, int]:
    folder = ROOT / "resources" / "published" / "grzenda2019"
    columns = ["stream", "labelled_instances"]
    rows = [
        row
        for name in ("table1", "table2")
        for row in read_published(folder / f"{name}.csv", (*columns,))[columns].to_numpy()
    ]
    return {STREAMS.get(stream, stream): int(labels) for stream, labels in rows}


#: The numbers of labels after which the paper's evaluation stops, as its tables say.
LABELS: Mapping[str, int] = _labels()
