"""Continuous re-evaluation: seconds and memory for very many predictions.

python benchmarks/reevaluation.py
"""

from __future__ import annotations

import multiprocessing
import platform
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pandas as pd
from tables import HERE, ONE_CORE, command_line, keep, markdown, measured_on, show

from streameval.evaluation.reevaluation import reevaluate, run_in_bins
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.protocols.bins import PUBLISHED
from streameval.streams.generators.sea import Sea

TABLE = HERE / "reevaluation.csv"
INSTANCES, BINS = 200_000, 50
#: Delay of the labels, and labels between two predictions of an instance.
CASES = ((500, 10), (1000, 10), (20_000, 40))
WHAT = [f"{delay}/{every}" for delay, every in CASES]
MIB = 2**20


def main() -> None:
    """Measure, and write ``reevaluation.csv`` and the page that shows it."""
    options = command_line(__doc__, TABLE, repetitions=3).parse_args()
    fresh = multiprocessing.get_context("spawn")
    for what in WHAT:
        # A process of its own, because memory that was free once more would not be seen.
        with ProcessPoolExecutor(1, mp_context=fresh) as process:
            row = process.submit(measure_case, what, options.repetitions).result()
        table = keep(row, options.table, {"what": WHAT})
    print(page(table))
    if options.table == TABLE:
        show("reevaluation", page(table))


def measure_case(what: str, repetitions: int) -> dict[str, Any]:
    """The least times of a case, and its peak of memory above that of the stream."""
    delay, every = map(int, what.split("/"))
    stream = Sea().stream(INSTANCES)
    ways = [(BINS, PUBLISHED)]
    run_in_bins(reevaluate(Sea().stream(100), every, delay=5), NaiveBayes(), ways)  # compiles
    before, tape, run, total = resident("VmRSS"), [], [], []
    for _ in range(repetitions):
        begun = time.process_time()
        reevaluation = reevaluate(stream, every, delay=delay)
        tape.append(time.process_time() - begun)
        _, seconds = run_in_bins(reevaluation, NaiveBayes(), ways)
        run.append(seconds)
        total.append(time.process_time() - begun)
        events = len(reevaluation.tape)
        del reevaluation
    return {
        "what": what,
        "learner": NaiveBayes.name,
        "instances": len(stream),
        "delay": delay,
        "every": every,
        "events": events,
        "tape_seconds": round(min(tape), 2),
        "run_seconds": round(min(run), 2),
        "seconds": round(min(total), 2),
        "peak_mib": round((resident("VmHWM") - before) / MIB),
        "machine": platform.machine(),
    }


def resident(name: str) -> int:
    """The memory of this process in bytes, now (VmRSS) or at its peak (VmHWM)."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))


def page(table: pd.DataFrame) -> str:
    """The table for people."""
    head = {
        "instances": lambda r: f"{r.instances:,}",
        "delay": lambda r: f"{r.delay:,}",
        "labels between predictions": lambda r: f"{r.every}",
        "predictions": lambda r: f"{r.events:,}",
        "tape, s": lambda r: f"{r.tape_seconds:.2f}",
        "learner, s": lambda r: f"{r.run_seconds:.2f}",
        "tape, learner and bins, s": lambda r: f"{r.seconds:.2f}",
        "peak of memory, MiB": lambda r: f"{r.peak_mib:,}",
        "bytes for each prediction": lambda r: f"{r.peak_mib * MIB / r.events:.1f}",
    }
    return markdown(head, table, right=0) + measured_on(table, ONE_CORE)


if __name__ == "__main__":
    main()
