"""Frames of a study of type errors, of three streams."""

from __future__ import annotations

import itertools

import pandas as pd

from streameval.base.table_files import write_csv

SCHEMES = ["cross_validation", "split_validation", "bootstrap_validation"]
#: Rate of rejection of equal learners, before what the length of a run adds.
STREAMS = {"rbf_0_0": 0.10, "sea_50": 0.20, "hyp_10_0.001": 0.60}


def frame_files(folder):
    """Write the frames of a study of type errors into a folder; their files by stream and name."""
    paths = {}
    for stream, base in STREAMS.items():
        cells = list(
            itertools.product(SCHEMES, ["held_out", "learnt"], ["same", "noise 0.1"], [1000, 5000])
        )
        rates = [
            (*cell, test, 200, 0, base + (0.3 if cell[2] != "same" else 0.0) + cell[3] / 1e5)
            for cell in cells
            for test in ("mcnemar", "wilcoxon")
        ]
        columns = ["scheme", "reading", "alternative", "instances", "test", "runs", "rejected"]
        frame = pd.DataFrame(rates, columns=[*columns, "value"])
        frame = frame.assign(low=frame["value"] - 0.05, high=frame["value"] + 0.05)
        frame = frame.assign(adjusted=frame["value"], simulated=stream == "sea_50")
        gaps = pd.DataFrame(cells, columns=columns[:4]).assign(
            accuracy=0.8, gap=base / 10, printed_gap=0.0
        )
        seconds = pd.DataFrame({"scheme": SCHEMES, "runs": 200, "seconds": 2.0})
        for name, part in (("rates", frame), ("gaps", gaps), ("seconds", seconds)):
            paths[f"{stream}.{name}"] = str(folder / f"{stream}.{name}.csv")
            write_csv(part, paths[f"{stream}.{name}"])
    return paths
