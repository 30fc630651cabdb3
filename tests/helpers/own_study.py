"""A study of one's own: its configuration, data and code, and what its run leaves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from streameval.base.settings import ROOT

STUDY = """\
studies: [mine]
streams:
  weather: {file: weather.arff, title: Weather}
learners:
  nearest: {learner: "nearest_mean:NearestMean", title: Nearest mean}
items:
  mine:
    fig1:
      kind: measures
      streams: [weather]
      learners: [no_change, naive_bayes, nearest]
      measures: [accuracy, kappa_temporal]
      window: 200
    table1:
      kind: overall_measures
      streams: [weather]
      learners: [naive_bayes, nearest]
"""
#: The class of the examples.
CLASS = (ROOT / "examples" / "nearest_mean.py").read_text(encoding="utf-8")
HEAD = "@relation weather\n@attribute t numeric\n@attribute h numeric\n@attribute play {yes,no}\n"
INSTANCES = 1000


def write_study(folder: Path) -> Path:
    """Write the study into a folder, and return its configuration."""
    rng = np.random.default_rng(1)
    classes = rng.integers(0, 2, INSTANCES)
    inputs = rng.normal(2.0 * classes[:, None], 1.0, (INSTANCES, 2))
    rows = [
        f"{t:.3f},{h:.3f},{('yes', 'no')[k]}" for (t, h), k in zip(inputs, classes, strict=True)
    ]
    (folder / "weather.arff").write_text(
        f"{HEAD}@data\n" + "\n".join(rows) + "\n", encoding="utf-8"
    )
    (folder / "nearest_mean.py").write_text(CLASS, encoding="utf-8")
    (folder / "mine.yaml").write_text(STUDY, encoding="utf-8")
    return folder / "mine.yaml"


def files(project: Path, *folders: str) -> set[str]:
    """The files below folders, relative to the project."""
    below = [path for folder in folders for path in (project / folder).rglob("*")]
    found = {path.relative_to(project) for path in below if path.is_file()}
    return {path.as_posix() for path in found if not any(part[0] == "." for part in path.parts)}


def check_made(project: Path) -> None:
    assert (project / "figures/mine/fig1/weather.svg").stat().st_size > 0
    table = pd.read_csv(project / "results/tables/mine/table1.csv", index_col="learner")
    # The means differ by 2 in both inputs: the best accuracy is that of the normal distribution
    # at the square root of 2, 0.921.
    assert list(table.index) == ["No-Change", "Majority", "Naive Bayes", "Nearest mean"]
    assert table["accuracy"].iloc[2:].between(0.88, 0.96).all()
    curves = pd.read_csv(project / "results/data/mine/fig1/weather.curves.csv")
    assert set(curves["learner"]) == {"no_change", "naive_bayes", "nearest"}
    html = (project / "results/tables/mine/table1.html").read_text(encoding="utf-8")
    assert "Nearest mean" in html
    overview = (project / "results/summary/mine/index.html").read_text(encoding="utf-8")
    assert "Weather" in overview
    assert "Nearest mean" in overview
    assert (project / "results/summary/mine/digests.json").is_file()
