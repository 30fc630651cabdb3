"""The work of the study of type I and II errors: MOA against streameval.

One scheme of one run: a random forest on ten folds of ``rbf_0_0``, random clouds at rest.
Needs Java and MOA's jar, see throughput.py. README.md beside this script explains the measurement.

    python benchmarks/type_errors.py
"""

from __future__ import annotations

import os
import platform
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from folds import ACCURACY, FEW, FOLDS, least, timed
from tables import HERE, command_line, markdown, measured_on, show
from tqdm import tqdm

from streameval.base.settings import ROOT, load_yaml
from streameval.base.table_files import write_csv
from streameval.evaluation.folds import run_over_tapes
from streameval.items.error_rates.type_errors_runs import READINGS
from streameval.learners.adapters import moa
from streameval.learners.registry import LEARNERS
from streameval.pipeline.configuration import complete
from streameval.pipeline.items import items_of
from streameval.protocols.folds import RoundRobinAllotment, cross_validation
from streameval.streams.registry import load_registry

TABLE = HERE / "type_errors.csv"
LEARNER, STREAM = "random_forest", "rbf_0_0"
#: As in config/streams.yaml, on MOA's command line.
GENERATOR = "generators.RandomRBFGeneratorDrift -s 0.0 -k 0 -c 5 -a 10 -n 50"


def main() -> None:
    """Measure, and write ``type_errors.csv`` and the page that shows it."""
    options = command_line(__doc__, TABLE, instances=50_000, repetitions=3).parse_args()
    n = options.instances
    ours(FEW)  # compiles
    starts, their_runs, our_runs = [], [], []
    for _ in tqdm(range(options.repetitions), disable=None):
        starts.append(timed(lambda: in_moa(FEW)))
        their_runs.append(timed(lambda: in_moa(n)))
        our_runs.append(timed(lambda: ours(n)))
    start, their, mine = least(starts), least(their_runs), least(our_runs)
    cpu = their.cpu - start.cpu
    row = {
        "learner": LEARNER,
        "stream": STREAM,
        "instances": n,
        "folds": FOLDS,
        "moa_cpu_seconds": round(cpu, 2),
        "ours_cpu_seconds": round(mine.cpu, 2),
        "times_moa": round(cpu / mine.cpu, 1),
        **passes(),
        # Sums in another order may differ in the last bits.
        "equal_means": bool(np.isclose(their.result[0], mine.result[0], rtol=1e-12, atol=0)),
        "equal_deviations": bool(np.isclose(their.result[1], mine.result[1], rtol=1e-9, atol=0)),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
    }
    table = pd.DataFrame([row])
    write_csv(table, options.table)
    print(page(table))
    if options.table == TABLE:
        show("type_errors", page(table))


def in_moa(n: int) -> tuple[float, float]:
    """Mean and standard deviation of MOA's accuracy over folds, in percent."""
    task = (
        "EvaluatePrequentialCV -l (meta.OzaBag -l trees.RandomHoeffdingTree -s 10) "
        f"-s ({GENERATOR}) -w {FOLDS} -a Cross-Validation "
        f"-e BasicClassificationPerformanceEvaluator -i {n} -f {n}"
    )
    with tempfile.TemporaryDirectory() as folder:
        report = moa.run_task(task, Path(folder))
    return report[f"[avg] {ACCURACY}"], report[f"[err] {ACCURACY}"]


def ours(n: int) -> tuple[float, float]:
    """The same by streameval, which generates the instances again, as MOA does."""
    stream = load_registry(ROOT / "config" / "streams.yaml")[STREAM].recipe().stream(n)
    folds = cross_validation(n, FOLDS, allotment=RoundRobinAllotment())
    predictions = run_over_tapes(LEARNERS[LEARNER](), stream, folds)
    percent = [100 * np.mean(prediction.label == stream.y) for prediction in predictions]
    return float(np.mean(percent)), float(np.std(percent, ddof=1))


def passes() -> dict[str, int]:
    """Number of such passes in a run of the study, by the output that a pass keeps.

    Ours keeps each prediction of each fold: both readings, all levels of noise and all tests
    follow. MOA's task keeps accuracies, of one learner, by one reading; the second learner needs
    one for each level of noise, too.
    """
    items = items_of(complete(load_yaml(ROOT / "config" / "config.yaml")))
    of_study = items["bifet2015/errors"].settings
    each = 2 * len(of_study.schemes)
    cells = len(of_study.schemes) * len(READINGS) * (2 + len(of_study.noise))
    tests = len(items["bifet2015/table2"].settings.tests)
    return {"passes_ours": each, "passes_moa": cells, "passes_moa_tests": cells * tests}


def page(table: pd.DataFrame) -> str:
    """The table for people."""
    head = {
        "learner": lambda r: r.learner,
        "stream": lambda r: r.stream,
        "instances": lambda r: f"{r.instances:,}",
        "folds": lambda r: f"{r.folds}",
        "MOA, CPU s": lambda r: f"{r.moa_cpu_seconds:.1f}",
        "streameval, CPU s": lambda r: f"{r.ours_cpu_seconds:.2f}",
        "× MOA": lambda r: f"{r.times_moa:.1f}",
        "passes for one run: streameval": lambda r: f"{r.passes_ours}",
        "MOA": lambda r: f"{r.passes_moa}",
        "equal means": lambda r: "yes" if r.equal_means and r.equal_deviations else "no",
    }
    return markdown(head, table, right=2) + measured_on(table)


if __name__ == "__main__":
    main()
