"""Seconds until the first prediction: with nothing compiled, and later.

    python benchmarks/compilation.py                     # all learners, some minutes
    python benchmarks/compilation.py --learners knn      # renews only this row

README.md beside this script describes what is measured.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
from importlib.metadata import version

import pandas as pd
from tables import HERE, command_line, keep, markdown, measured_on, show
from tqdm import tqdm

from streameval.learners.registry import built_in_learners
from streameval.learners.tasks import CLASSIFICATION

TABLE = HERE / "compilation.csv"
#: The row of all learners, one after the other in one process.
TOGETHER = "all of them"


def main() -> None:
    """Measure, and write ``compilation.csv`` and the page that shows it."""
    parser = command_line(__doc__, TABLE)
    names = [*built_in_learners(CLASSIFICATION), TOGETHER]
    parser.add_argument("--learners", nargs="+", default=names, choices=names, metavar="L")
    options = parser.parse_args()
    for name in tqdm(options.learners, disable=None):
        table = keep({"learner": name, **measure(name)}, options.table, {"learner": names})
        if options.table == TABLE:
            show("compilation", page(table))
    print(page(table))


def measure(name: str) -> dict[str, object]:
    """The seconds of a learner's first and second use, each in a process of its own."""
    learners = built_in_learners(CLASSIFICATION) if name == TOGETHER else [name]
    with tempfile.TemporaryDirectory() as cache:
        first, first_cpu = warm_up(learners, cache)
        later, later_cpu = warm_up(learners, cache)
    return {
        "first_seconds": round(first, 2),
        "first_cpu_seconds": round(first_cpu, 2),
        "later_seconds": round(later, 2),
        "later_cpu_seconds": round(later_cpu, 2),
        "machine": f"{platform.machine()}, Python {platform.python_version()}, "
        f"numba {version('numba')}",
    }


def warm_up(learners: list[str], cache: str) -> tuple[float, float]:
    """The seconds until all learners have predicted, and the process's seconds of CPU."""
    code = "from streameval.cli import main; raise SystemExit(main())"
    before = os.times()
    finished = subprocess.run(  # noqa: S603 - no shell: the words are one argument each
        [sys.executable, "-c", code, "warm-up", *learners],
        env=os.environ | {"NUMBA_CACHE_DIR": cache},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    after = os.times()
    *_, seconds, _ = finished.stdout.split()  # the last line is: all, seconds, "s"
    cpu = sum(after[2:4]) - sum(before[2:4])  # user and system, of children
    return float(seconds), cpu


def page(table: pd.DataFrame) -> str:
    """The table for people."""
    head = {
        "learner": lambda r: r.learner,
        "first use, s": lambda r: f"{r.first_seconds:.2f}",
        "first process, CPU s": lambda r: f"{r.first_cpu_seconds:.2f}",
        "later, s": lambda r: f"{r.later_seconds:.2f}",
        "later process, CPU s": lambda r: f"{r.later_cpu_seconds:.2f}",
    }
    return markdown(head, table, right=1) + measured_on(table)


if __name__ == "__main__":
    main()
