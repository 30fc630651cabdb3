"""Made-up rates of rejection, for Tables 2 to 4 of Bifet et al. (2015) and their claims."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from pathlib import Path

import pandas as pd

from streameval.papers.bifet2015.published import ALTERNATIVES, STREAM_LENGTHS, TESTS
from streameval.report.names import READING_TITLES, SCHEME_TITLES

Frames = dict[str, pd.DataFrame | Path | str]
CELLS = list(product(TESTS, READING_TITLES, SCHEME_TITLES, ALTERNATIVES))
CELL = ["test", "reading", "scheme", "alternative"]


def rates(
    streams: Mapping[str, int],
    value: float = 0.5,
    half: float = 0.02,
    changed: Mapping[tuple[str, ...], float] | None = None,
) -> pd.DataFrame:
    """A table of rates; changed values by cell, or by the first parts of it."""
    rows, fixed = [], [({*key}, rate) for key, rate in (changed or {}).items()]
    for stream, instances in streams.items():
        count = 13 if stream == "all" else 1
        for cell in CELLS:
            rate = next((rate for key, rate in fixed if key <= {*cell, stream}), value)
            ends = (rate - half, rate + half)
            rows.append((stream, False, *cell, instances, count, 650, rate, *ends, 0.0))
    columns = ["stream", "simulated", *CELL, "instances", "streams", "runs", "value"]
    columns += ["low", "high", "gap"]
    return pd.DataFrame(rows, columns=columns)


def results(lengths: Mapping[str, int] = STREAM_LENGTHS, **of_tables: pd.DataFrame) -> Frames:
    """Tables, and the study behind them with runs of these lengths."""
    frames: Frames = {f"bifet2015/{name}": frame for name, frame in of_tables.items()}
    for stream, instances in lengths.items():
        frames[f"bifet2015/errors/{stream}.rates"] = rates({stream: instances})
    return frames
