"""Instances per second of MOA, River and streameval on the same streams, in the same run.

Needs a JDK, and MOA's jar: that of an installed capymoa, or the one that the environment variable
MOA_JAR names. River is measured where it is installed; the extra ``benchmark`` brings both.

    python benchmarks/throughput.py                                  # everything, about an hour
    python benchmarks/throughput.py --learners knn --streams rbf     # makes only this row anew

README.md beside this script describes what is measured, and how.
"""

from __future__ import annotations

import argparse
import importlib.util
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from contestants import CONTESTANTS, Contestant
from tables import HERE, keep, markdown, show
from tqdm import tqdm

from streameval import settings
from streameval.errors import DataError, StreamevalError
from streameval.learners.adapters import moa
from streameval.learners.learner import Learner
from streameval.learners.predictions import Predictions
from streameval.learners.registry import load_learners
from streameval.protocols.prequential import prequential
from streameval.settings import RAW
from streameval.streams.generators.random_rbf import RandomRbf
from streameval.streams.making import convert
from streameval.streams.raw.fetch import fetch, mirror_folder
from streameval.streams.registry import load_registry
from streameval.streams.stream import Stream

TABLE = HERE / "throughput.csv"
#: How often each stream is repeated, as one long stream.
STREAMS = {"rbf": 1, "rbf_40": 1, "elec2": 20, "kdd99": 1}
KEYS = {"stream": [*STREAMS], "learner": [*CONTESTANTS]}
RBF_INSTANCES = 1_000_000
RBF_IN_MOA = "generators.RandomRBFGenerator"
#: Classes and attributes of `rbf_40`.
MANY_CLASSES, MANY_ATTRIBUTES = 40, 21
#: Seconds after which a learner does not run again in the same turn.
LONGEST_TURN = 3.0


def main() -> None:
    """Measure, and write ``throughput.csv`` and the pages that show it."""
    registry = load_learners(settings.locate("config/learners.yaml"))
    ours = {name: registry[name] for name in CONTESTANTS if name in registry}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--streams", nargs="+", default=[*STREAMS], choices=STREAMS)
    parser.add_argument("--learners", nargs="+", default=[*ours], choices=ours)
    parser.add_argument("--repetitions", type=int, default=5, help="at most that many")
    parser.add_argument("--instances", type=int, default=RBF_INSTANCES, help="at most that many")
    parser.add_argument("--table", type=Path, default=TABLE, help="the rows are kept in this file")
    options = parser.parse_args()
    for name in options.streams:
        with left_out(name), _arena(name) as arena:
            for learner in tqdm(options.learners, desc=name, disable=None):
                with left_out(f"{learner} on {name}"):
                    found = measure(arena, ours[learner].make(), CONTESTANTS[learner], options)
                    enter({"learner": learner, "stream": name, **found}, options.table)


@contextmanager
def left_out(what: str) -> Iterator[None]:
    """Skip what is not available or cannot run, with a message."""
    try:
        yield
    except StreamevalError as error:
        print(f"Left out: {what}. {error}", file=sys.stderr)


def enter(row: dict[str, Any], path: Path) -> None:
    """Keep a row, print it, and show the table."""
    table = keep(row, path, KEYS)
    tqdm.write(page(pd.DataFrame([row])).splitlines()[2])
    if path == TABLE:
        show("throughput", page(table))


@dataclass(frozen=True)
class Arena:
    """A stream as all tools have it: MOA finds `source` in `folder`."""

    stream: Stream
    source: str
    folder: Path


@contextmanager
def _arena(name: str) -> Iterator[Arena]:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        if name == "rbf":
            yield Arena(RandomRbf().stream(RBF_INSTANCES), RBF_IN_MOA, folder)
            return
        if name == "rbf_40":
            clouds = RandomRbf(classes=MANY_CLASSES, attributes=MANY_ATTRIBUTES)
            stream = clouds.stream(RBF_INSTANCES)
            source = f"{RBF_IN_MOA} -c {MANY_CLASSES} -a {MANY_ATTRIBUTES}"
            yield Arena(stream, source, folder)
            return
        registry = load_registry()
        stream = convert(registry[name], fetch(registry[name], RAW, mirror_folder()))
        stream = stream.take(np.tile(np.arange(len(stream)), STREAMS[name]))
        moa.write_for_moa(stream, folder / "stream.arff")
        yield Arena(stream, "ArffFileStream -f stream.arff", folder)


def measure(
    arena: Arena, ours: Learner, contestant: Contestant, options: argparse.Namespace
) -> dict[str, Any]:
    """Return what is measured of a learner on a stream; the tools take turns."""
    n = min(len(arena.stream), contestant.instances, options.instances)
    arena = replace(arena, stream=arena.stream.take(slice(0, n)))
    n_river = min(n, contestant.river_instances)
    start = arena.stream.take(slice(0, n_river))
    has_river = contestant.river is not None and importlib.util.find_spec("river") is not None
    seconds: dict[str, float] = {}

    def least(who: str, value: float) -> None:
        seconds[who] = min(value, seconds.get(who, np.inf))

    for _ in range(min(options.repetitions, contestant.repetitions)):
        took, correct_moa = run_moa(contestant.moa, arena)
        least("moa", took)
        predictions = run_ours(ours, arena.stream, took)
        least("ours", predictions.seconds)
        if has_river:
            least("river", run_river(contestant, start))
            least("ours_as_river", run_ours(ours, start, seconds["river"]).seconds)
    size = measure_moa(contestant.moa, arena)
    correct_ours = int(np.sum(predictions.label == arena.stream.y))
    return {
        "instances": n,
        "moa_per_second": round(n / seconds["moa"]),
        "ours_per_second": round(n / seconds["ours"]),
        "times_moa": round(seconds["moa"] / seconds["ours"], 1),
        "correct_moa": correct_moa,
        "correct_ours": correct_ours,
        "equal_answers": correct_moa == correct_ours,
        "model_bytes_moa": int(size) if size > 0 else None,
        "model_bytes_ours": predictions.model_bytes,
        "river_instances": n_river if has_river else None,
        "river_per_second": round(n_river / seconds["river"]) if has_river else None,
        "times_river": round(seconds["river"] / seconds["ours_as_river"], 1) if has_river else None,
        "machine": f"{platform.machine()}, Python {platform.python_version()}",
    }


def run_ours(learner: Learner, stream: Stream, as_long_as: float) -> Predictions:
    """Return our fastest run.

    The other tool has had some seconds in which the machine may once have been at its best; we
    run for as many, up to `LONGEST_TURN`.
    """
    tape = prequential(len(stream))
    runs = [learner.play(stream, tape)]
    while sum(run.seconds for run in runs) < min(as_long_as, LONGEST_TURN):
        runs.append(learner.play(stream, tape))
    return min(runs, key=lambda run: run.seconds)


def run_moa(learner: str, arena: Arena) -> tuple[float, int]:
    """Return MOA's CPU seconds without reading, and its number of correct predictions."""
    words = [learner, arena.source, str(len(arena.stream))]
    command = [moa.find_java(), "-cp", str(moa.find_jar()), str(HERE / "Play.java"), *words]
    done = subprocess.run(  # noqa: S603 - no shell: the words are one argument each
        command, cwd=arena.folder, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise DataError(
            f"MOA could not run {learner!r}. Play.java needs a JDK, version 11 or later, for "
            f"example that of: apt install default-jdk-headless. Java says:\n{done.stderr[:1000]}"
        )
    seconds, correct = done.stdout.split()[-2:]
    return float(seconds), int(correct)


def measure_moa(learner: str, arena: Arena) -> float:
    """Return the bytes of MOA's model at the end of the stream; 0 if it does not tell."""
    n = len(arena.stream)
    task = (
        f"EvaluatePrequential -l ({learner}) -s ({arena.source}) -i {n} "
        f"-e BasicClassificationPerformanceEvaluator -f {n}"
    )
    return moa.run_task(task, arena.folder, measure_size=True).get(moa.BYTES, 0.0)


def run_river(contestant: Contestant, stream: Stream) -> float:
    """Return River's CPU seconds."""
    assert contestant.river is not None  # noqa: S101  the caller has asked
    names = [a.name for a in stream.schema.attributes]
    model = contestant.river([a.name for a in stream.schema.attributes if a.is_nominal])
    instances = [dict(zip(names, x, strict=True)) for x in stream.X.tolist()]
    labels = stream.y.tolist()
    begun = time.process_time()
    for x, y in zip(instances, labels, strict=True):
        model.predict_one(x)
        model.learn_one(x, y)
    return time.process_time() - begun


def page(table: pd.DataFrame) -> str:
    """Return the table for people."""
    head = {
        "learner": lambda r: r.learner,
        "stream": lambda r: r.stream,
        "instances": lambda r: _number(r.instances),
        "MOA, inst/s": lambda r: _number(r.moa_per_second),
        "River, inst/s": lambda r: _number(r.river_per_second),
        "streameval, inst/s": lambda r: _number(r.ours_per_second),
        "× MOA": lambda r: f"{r.times_moa:.1f}",
        "× River": lambda r: _number(r.times_river),
        "equal predictions": lambda r: "yes" if r.equal_answers else "no",
        "MOA's model, bytes": lambda r: _number(r.model_bytes_moa, "not measured"),
        "streameval's model, bytes": lambda r: _number(r.model_bytes_ours),
    }
    machines = "; ".join(dict.fromkeys(table["machine"]))
    return markdown(head, table, right=2) + f"\nMeasured on: {machines}; one core, CPU time.\n"


def _number(value: float | None, missing: str = "–") -> str:
    return missing if pd.isna(value) else f"{value:,.0f}"


if __name__ == "__main__":
    main()
