"""Ten-fold cross validation of a Hoeffding tree: MOA against streameval, two folds at a time.

Needs Java and MOA's jar, see throughput.py. README.md beside this script explains the measurement.

    python benchmarks/folds.py
"""

from __future__ import annotations

import os
import platform
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from tables import HERE, command_line, markdown, measured_on, show
from tqdm import tqdm

from streameval.base.table_files import write_csv
from streameval.evaluation.folds import run_over_tapes
from streameval.learners.adapters import moa
from streameval.learners.trees.hoeffding_tree import HoeffdingTree
from streameval.protocols.folds import RoundRobinAllotment, cross_validation
from streameval.streams.generators.random_rbf import RandomRbf

TABLE = HERE / "folds.csv"
FOLDS = 10
#: What MOA runs to measure how long it takes to start.
FEW = 100
ACCURACY = "classifications correct (percent)"


class Run(NamedTuple):
    """Seconds of one run, and the mean and standard deviation that came out."""

    wall: float
    cpu: float
    result: tuple[float, float]


def main() -> None:
    """Measure, and write ``folds.csv`` and the page that shows it."""
    parser = command_line(__doc__, TABLE, instances=1_000_000, repetitions=3, workers=2)
    options = parser.parse_args()
    ours(FEW, options.workers)  # compiles
    starts, their_runs, our_runs = [], [], []
    for _ in tqdm(range(options.repetitions), disable=None):
        starts.append(timed(lambda: in_moa(FEW)))
        their_runs.append(timed(lambda: in_moa(options.instances)))
        our_runs.append(timed(lambda: ours(options.instances, options.workers)))
    start, their, mine = least(starts), least(their_runs), least(our_runs)
    wall, cpu = their.wall - start.wall, their.cpu - start.cpu
    expected, actual = their.result, mine.result
    table = pd.DataFrame(
        [
            {
                "learner": HoeffdingTree.name,
                "instances": options.instances,
                "folds": FOLDS,
                "workers": options.workers,
                "moa_seconds": round(wall, 2),
                "moa_cpu_seconds": round(cpu, 2),
                "ours_seconds": round(mine.wall, 3),
                "ours_cpu_seconds": round(mine.cpu, 3),
                "times_moa": round(wall / mine.wall, 1),
                "mean_moa": expected[0],
                "mean_ours": actual[0],
                # Sums in another order may differ in the last bits.
                "equal_means": bool(np.isclose(expected[0], actual[0], rtol=1e-12, atol=0)),
                "equal_deviations": bool(np.isclose(expected[1], actual[1], rtol=1e-9, atol=0)),
                "machine": f"{platform.machine()}, {os.cpu_count()} cores",
            }
        ]
    )
    write_csv(table, options.table)
    print(page(table))
    if options.table == TABLE:
        show("folds", page(table))


def in_moa(n: int) -> tuple[float, float]:
    """Mean and standard deviation of MOA's accuracy over folds, in percent."""
    task = (
        f"EvaluatePrequentialCV -l trees.HoeffdingTree -s generators.RandomRBFGenerator -w {FOLDS} "
        f"-e BasicClassificationPerformanceEvaluator -i {n} -f {n}"
    )
    with tempfile.TemporaryDirectory() as folder:
        report = moa.run_task(task, Path(folder))
    return report[f"[avg] {ACCURACY}"], report[f"[err] {ACCURACY}"]


def ours(n: int, workers: int) -> tuple[float, float]:
    """The same by streameval, which generates the instances again, as MOA does."""
    stream = RandomRbf().stream(n)
    folds = cross_validation(n, FOLDS, allotment=RoundRobinAllotment())
    predictions = run_over_tapes(HoeffdingTree(), stream, folds, workers=workers)
    percent = [100 * np.mean(prediction.label == stream.y) for prediction in predictions]
    return float(np.mean(percent)), float(np.std(percent, ddof=1))


def timed(run: Callable[[], tuple[float, float]]) -> Run:
    """Time a run; CPU time includes this process and its children."""
    wall, cpu = time.perf_counter(), sum(os.times()[:4])
    result = run()
    return Run(time.perf_counter() - wall, sum(os.times()[:4]) - cpu, result)


def least(runs: list[Run]) -> Run:
    """The least times of several runs of the same."""
    return Run(min(r.wall for r in runs), min(r.cpu for r in runs), runs[0].result)


def page(table: pd.DataFrame) -> str:
    """The table for people."""
    head = {
        "learner": lambda r: r.learner,
        "instances": lambda r: f"{r.instances:,}",
        "folds": lambda r: f"{r.folds}",
        "MOA, s": lambda r: f"{r.moa_seconds:.1f}",
        "MOA, CPU s": lambda r: f"{r.moa_cpu_seconds:.1f}",
        "streameval, folds at a time": lambda r: f"{r.workers}",
        "streameval, s": lambda r: f"{r.ours_seconds:.2f}",
        "streameval, CPU s": lambda r: f"{r.ours_cpu_seconds:.2f}",
        "× MOA": lambda r: f"{r.times_moa:.1f}",
        "equal means": lambda r: "yes" if r.equal_means and r.equal_deviations else "no",
    }
    return markdown(head, table, right=1) + measured_on(table)


if __name__ == "__main__":
    main()
