"""The study of temporal dependence at paper scale: CPU time of MOA and of streameval.

The learners of Žliobaitė et al. (2015), alone and temporally augmented, over the paper's real
streams as they are and shuffled. Needs a JDK and MOA's jar, see throughput.py. README.md beside
this script describes what is measured.

    STREAMEVAL_DATA=/path/to/files python benchmarks/temporal.py     # about a quarter of an hour
"""

from __future__ import annotations

import argparse
import platform
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from contestants import CONTESTANTS
from tables import HERE, ONE_CORE, command_line, keep, left_out, markdown, measured_on, show
from throughput import Arena, run_moa
from tqdm import tqdm

from streameval.base import settings
from streameval.base.settings import RAW
from streameval.learners.adapters import moa
from streameval.learners.learner import Classifier
from streameval.learners.registry import load_learners
from streameval.learners.wrappers.temporally_augmented import TemporallyAugmented
from streameval.protocols.prequential import prequential
from streameval.streams.making import convert
from streameval.streams.raw.fetch import fetch, mirror_folder
from streameval.streams.registry import load_registry
from streameval.streams.variants import variant

TABLE = HERE / "temporal.csv"
STREAMS = ("elec2_mlj", "kdd99", "ozone")
ORDERS = ("original", "shuffled:1")
LEARNERS = (
    "naive_bayes",
    "ddm_nb",
    "hoeffding_tree",
    "hoeffding_adaptive_tree",
    "leveraging_bagging",
)
VARIANTS = ("alone", "augmented")
KEYS = {"stream": STREAMS, "order": ORDERS, "learner": LEARNERS, "form": VARIANTS}


def main() -> None:
    """Measure, and write ``temporal.csv`` and the page that shows it."""
    parser = command_line(__doc__, TABLE, repetitions=2)
    parser.add_argument("--streams", nargs="+", default=[*STREAMS], choices=STREAMS)
    options = parser.parse_args()
    rows = load_learners(settings.locate("config/learners.yaml"))
    for stream in options.streams:
        for order in ORDERS:
            with left_out(stream), _arena(stream, order) as arena:
                for name in tqdm(LEARNERS, desc=f"{stream}, {order}", disable=None):
                    for form in VARIANTS:
                        inner = CONTESTANTS[name].moa
                        result = measure(arena, *_players(rows[name].make(), inner, form), options)
                        key = {"stream": stream, "order": order, "learner": name, "form": form}
                        table = keep({**key, **result}, options.table, KEYS)
    tqdm.write(page(table))
    if options.table == TABLE:
        show("temporal", page(table))


@contextmanager
def _arena(name: str, order: str) -> Iterator[Arena]:
    registry = load_registry()
    stream = convert(registry[name], fetch(registry[name], RAW, mirror_folder()))
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        stream = variant(stream, order)
        moa.write_for_moa(stream, folder / "stream.arff")
        yield Arena(stream, "ArffFileStream -f stream.arff", folder)


def _players(learner: Classifier, inner: str, form: str) -> tuple[Classifier, str]:
    """Our learner and MOA's in a variant of `VARIANTS`."""
    if form == "alone":
        return learner, inner
    # MOA takes class 0 for the label before the first one.
    augmented = TemporallyAugmented(learner, start="first_class")
    return augmented, f"meta.TemporallyAugmentedClassifier -l ({inner})"


def measure(
    arena: Arena, ours: Classifier, theirs: str, options: argparse.Namespace
) -> dict[str, Any]:
    """The CPU seconds of both, their minima, and the numbers of correct predictions."""
    tape = prequential(len(arena.stream))
    moa_runs = [run_moa(theirs, arena) for _ in range(options.repetitions)]
    our_runs = [ours.run(arena.stream, tape) for _ in range(options.repetitions)]
    correct = int(np.sum(our_runs[0].label == arena.stream.y))
    return {
        "instances": len(arena.stream),
        "moa_seconds": round(min(seconds for seconds, _ in moa_runs), 3),
        "ours_seconds": round(min(run.seconds for run in our_runs), 4),
        "correct_moa": moa_runs[0][1],
        "correct_ours": correct,
        "equal_answers": moa_runs[0][1] == correct,
        "machine": f"{platform.machine()}, Python {platform.python_version()}",
    }


def page(table: pd.DataFrame) -> str:
    """The sums over the learners for people."""
    sums = table.groupby(["stream", "form"], sort=False, as_index=False).agg(
        runs=("learner", "size"),
        instances=("instances", "sum"),
        moa=("moa_seconds", "sum"),
        ours=("ours_seconds", "sum"),
        equal=("equal_answers", "all"),
    )
    whole = sums.assign(all="all").groupby("all", as_index=False)
    total = whole.agg(
        {"runs": "sum", "instances": "sum", "moa": "sum", "ours": "sum", "equal": "all"}
    ).assign(stream="all", form="both")
    head = {
        "stream": lambda r: r.stream,
        "learners": lambda r: r.form,
        "runs": lambda r: f"{r.runs}",
        "instances": lambda r: f"{r.instances:,}",
        "MOA, CPU s": lambda r: f"{r.moa:.1f}",
        "streameval, CPU s": lambda r: f"{r.ours:.2f}",
        "× MOA": lambda r: f"{r.moa / r.ours:.1f}",
        "equal predictions": lambda r: "yes" if r.equal else "no",
    }
    both = pd.concat([sums, total], ignore_index=True)
    return markdown(head, both, right=2) + measured_on(table, ONE_CORE)


if __name__ == "__main__":
    main()
