"""A table of bike rides by the hour, with a target of each task: a number and a class."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from streameval.evaluation.task import CLASSIFICATION_TASK, REGRESSION_TASK, Task

#: Rows, and those of them whose label has not arrived.
N, PENDING = 400, 15


class Asked(NamedTuple):
    """What is asked of the table: a target, and learners and baselines for it."""

    task: Task
    target: str
    other: str
    learners: tuple[str, str]
    baselines: tuple[str, str]

    @property
    def reader_options(self) -> dict[str, bool]:
        """Options with which readers read the target."""
        return {"numeric_target": True} if self.task is REGRESSION_TASK else {}


OF_CLASSES = Asked(
    CLASSIFICATION_TASK, "busy", "cnt", ("naive_bayes", "hoeffding_tree"), ("no_change", "majority")
)
OF_NUMBERS = Asked(
    REGRESSION_TASK, "cnt", "busy", ("fimt_dd", "orto"), ("previous_target", "target_mean")
)
BOTH = (OF_CLASSES, OF_NUMBERS)


def called(asked: object) -> str | None:
    """How tests name a task."""
    return (
        ("classes" if asked.task is CLASSIFICATION_TASK else "numbers")
        if isinstance(asked, Asked)
        else None
    )


def rides() -> pd.DataFrame:
    """Counts of bikes and whether they are many, two rows an hour, in the order of time."""
    rng = np.random.default_rng(5)
    hour = pd.Series(pd.Timestamp("2024-03-01") + pd.to_timedelta(np.arange(N) // 2, "h"))
    warm, weather = rng.normal(15, 8, N).round(1), rng.choice(["sun", "rain"], N)
    cnt = (300 + 12 * warm - 90 * (weather == "rain") + rng.normal(0, 20, N)).round()
    known = hour + pd.to_timedelta(rng.integers(0, 30, N), "h")
    known[N - PENDING :] = None
    busy = np.where(cnt + rng.normal(0, 60, N) > 430, "yes", "no")
    columns = {"hour": hour, "warm": warm, "weather": weather, "known": known}
    return pd.DataFrame({**columns, "cnt": cnt, "busy": busy})


def rides_of(asked: Asked) -> pd.DataFrame:
    """`rides` with one of the targets; targets whose label has not arrived are missing."""
    frame = rides().drop(columns=asked.other)
    return frame.assign(**{asked.target: frame[asked.target].where(frame["known"].notna())})


def written(frame: pd.DataFrame, path: Path) -> Path:
    """Write a frame of `rides` as the ending of the path says; ARFF without times."""
    if path.suffix == ".csv":
        frame.to_csv(path, index=False)
    elif path.suffix == ".parquet":
        frame.to_parquet(path)
    else:
        kinds = {"warm": "numeric", "weather": "{rain,sun}", "cnt": "numeric", "busy": "{no,yes}"}
        kept = {name: kind for name, kind in kinds.items() if name in frame}
        head = "".join(f"@attribute {name} {kind}\n" for name, kind in kept.items())
        rows = frame[[*kept]].to_csv(index=False, header=False)
        path.write_text(f"@relation rides\n{head}@data\n{rows}", encoding="utf-8")
    return path
