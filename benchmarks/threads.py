"""Ensembles on several threads against one.

Needs the real streams, see README.md beside this script, which explains the measurement.

    STREAMEVAL_DATA=/path/to/files python benchmarks/threads.py
"""

from __future__ import annotations

import argparse
import os
import platform
import time
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from tables import HERE, command_line, keep, left_out, markdown, measured_on, show
from throughput import STREAMS, stream_named

from streameval.base.memory import threads
from streameval.base.settings import ROOT
from streameval.learners.learner import Classifier
from streameval.learners.registry import load_learners
from streameval.protocols.prequential import prequential
from streameval.streams.stream import Stream

TABLE = HERE / "threads.csv"
LEARNERS = ("online_bagging", "random_forest", "adaptive_random_forest")
KEYS = {"stream": [*STREAMS], "learner": [*LEARNERS]}


def main() -> None:
    """Measure, and write ``threads.csv`` and the page that shows it."""
    parser = command_line(__doc__, TABLE, instances=200_000, repetitions=8, threads=2)
    options = parser.parse_args()
    registry = load_learners(ROOT / "config/learners.yaml")
    for name in STREAMS:
        with left_out(name):
            stream = stream_named(name)
            stream = stream.take(np.arange(min(len(stream), options.instances)))
            for learner in LEARNERS:
                row = measure(registry[learner].make(), stream, options)
                table = keep({"stream": name, "learner": learner, **row}, options.table, KEYS)
    print(page(table))
    if options.table == TABLE:
        show("threads", page(table))


def measure(learner: Classifier, stream: Stream, options: argparse.Namespace) -> dict[str, Any]:
    """Return the row of a learner on a stream: the least of alternating runs."""
    best: dict[int, float] = {}
    labels: dict[int, NDArray[np.int16]] = {}
    for _ in range(options.repetitions):
        for n in (1, options.threads):
            begun = time.perf_counter()
            with threads(n):
                labels[n] = learner.play(stream, prequential(len(stream))).label
            best[n] = min(best.get(n, np.inf), time.perf_counter() - begun)
    one, many = best[1], best[options.threads]
    return {
        "instances": len(stream),
        "threads": options.threads,
        "one_seconds": round(one, 4),
        "many_seconds": round(many, 4),
        "times_one": round(one / many, 2),
        "equal_answers": bool(np.array_equal(labels[1], labels[options.threads])),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
    }


def page(table: pd.DataFrame) -> str:
    """Return the table for people."""
    head = {
        "learner": lambda r: r.learner,
        "stream": lambda r: r.stream,
        "instances": lambda r: f"{r.instances:,}",
        "threads": lambda r: f"{r.threads}",
        "one thread, s": lambda r: f"{r.one_seconds:.3f}",
        "these, s": lambda r: f"{r.many_seconds:.3f}",
        "× one thread": lambda r: f"{r.times_one:.2f}",
        "equal predictions": lambda r: "yes" if r.equal_answers else "no",
    }
    return markdown(head, table, right=2) + measured_on(table)


if __name__ == "__main__":
    main()
