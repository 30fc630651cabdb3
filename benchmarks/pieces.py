"""Streams in pieces: what `streameval evaluate --chunk-rows` takes, by the length of the stream.

    python benchmarks/pieces.py

README.md beside this script explains the measurement.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from typing import Any

import pandas as pd
from files import run
from tables import HERE, command_line, keep, markdown, measured_on, number, show
from tqdm import tqdm

from streameval.learners.trees.hoeffding_tree import HoeffdingTree

TABLE = HERE / "pieces.csv"
LENGTHS = (1_000_000, 5_000_000, 20_000_000, 100_000_000)
KEYS = {"instances": LENGTHS}
#: Instances of a piece, and the longest stream that is also evaluated in one go.
PIECE, MOST = 50_000, 5_000_000


def main() -> None:
    """Measure, and write ``pieces.csv`` and the page that shows it."""
    parser = command_line(__doc__, TABLE)
    parser.add_argument("--instances", type=int, nargs="+", default=LENGTHS)
    options = parser.parse_args()
    measured(1000)  # compiles
    for instances in tqdm(options.instances, disable=None):
        table = keep(measured(instances), options.table, KEYS)
    if options.table == TABLE:
        show("pieces", page(table))


def measured(instances: int) -> dict[str, Any]:
    """Return what a stream takes in pieces and, if it is short, in one go."""
    command = [sys.executable, "-m", "streameval", "evaluate", "random_rbf", "--json"]
    command += ["--rows", str(instances), "--learner", HoeffdingTree.name]
    pieces = run([*command, "--chunk-rows", str(PIECE)])
    whole = run(command) if instances <= MOST else None
    outs = [one.out for one in (pieces, whole) if one is not None]
    answers = [json.loads(out)["learners"][HoeffdingTree.name] for out in outs]
    for answer in answers:
        del answer["seconds"], answer["over"]
    return {
        "learner": HoeffdingTree.name,
        "instances": instances,
        "matrix_megabytes": round(80 * instances / 1e6),
        "model_megabytes": round(answers[0]["model_bytes"] / 1e6, 1),
        "seconds": round(pieces.wall, 1),
        "peak_megabytes": round(pieces.peak / 1e6),
        "whole_seconds": None if whole is None else round(whole.wall, 1),
        "whole_peak_megabytes": None if whole is None else round(whole.peak / 1e6),
        "equal_answers": answers.count(answers[0]) == len(answers),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
    }


def page(table: pd.DataFrame) -> str:
    """Return the table for people."""
    head = {
        "instances": lambda r: f"{r.instances:,}",
        "inputs, MB": lambda r: f"{r.matrix_megabytes:,}",
        "model, MB": lambda r: f"{r.model_megabytes:,.1f}",
        "in pieces, s": lambda r: f"{r.seconds:.1f}",
        "in pieces, peak MB": lambda r: f"{r.peak_megabytes:,}",
        "in one go, s": lambda r: number(r.whole_seconds, ".1f"),
        "in one go, peak MB": lambda r: number(r.whole_peak_megabytes, ",.0f"),
    }
    return markdown(head, table, right=0) + measured_on(table)


if __name__ == "__main__":
    main()
