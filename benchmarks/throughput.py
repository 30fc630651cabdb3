"""Instances per second of MOA, River and streameval on the same streams, in the same run.

Needs a JDK, and MOA's jar: that of an installed capymoa, or the one that the environment variable
MOA_JAR names. River is measured where it is installed; the extra ``benchmark`` brings both.
streamDM-C++ is measured where the environment variable STREAMDM names its executable.

    python benchmarks/throughput.py                                  # everything, about an hour
    python benchmarks/throughput.py --learners knn --streams rbf     # makes only this row anew

README.md beside this script describes what is measured, and how.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import re
import shutil
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
from files import run
from tables import HERE, ONE_CORE, command_line, keep, left_out, markdown, measured_on, number, show
from tqdm import tqdm

from streameval.base import settings
from streameval.base.errors import DataError
from streameval.base.settings import RAW
from streameval.learners.adapters import moa
from streameval.learners.learner import Classifier
from streameval.learners.predictions import Predictions
from streameval.learners.registry import load_learners
from streameval.protocols.prequential import prequential
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
#: Classes and attributes of `rbf_40`. Learners get a fifth of their instances: MOA takes long.
MANY_CLASSES, MANY_ATTRIBUTES, SHARE = 40, 21, 5
#: Seconds after which a learner does not run again in the same turn.
LONGEST_TURN = 3.0
#: A task of streamDM-C++, and a learner with which it does hardly more than read.
STREAMDM = (
    "EvaluatePrequential -l ({}) -r ArffReader -ds {}.arff -e (BasicClassificationEvaluator -f {})"
)
READING = "MajorityClass"
#: What it finds in the folder where it runs: results are messages of level DEBUG.
LOGGING = """log4cpp.rootCategory=DEBUG, console
log4cpp.appender.console=ConsoleAppender
log4cpp.appender.console.layout=SimpleLayout
"""


def main() -> None:
    """Measure, and write ``throughput.csv`` and the pages that show it."""
    registry = load_learners(settings.locate("config/learners.yaml"))
    ours = {name: registry[name] for name in CONTESTANTS if name in registry}
    parser = command_line(__doc__, TABLE, repetitions=5, instances=RBF_INSTANCES)
    parser.add_argument("--streams", nargs="+", default=[*STREAMS], choices=STREAMS)
    parser.add_argument("--learners", nargs="+", default=[*ours], choices=ours)
    options = parser.parse_args()
    if "STREAMDM" not in os.environ:
        print("Left out: streamDM-C++. STREAMDM does not name its executable.", file=sys.stderr)
    for name in options.streams:
        with left_out(name), _arena(name) as arena:
            for learner in tqdm(options.learners, desc=name, disable=None):
                with left_out(f"{learner} on {name}"):
                    result = measure(arena, ours[learner].make(), CONTESTANTS[learner], options)
                    enter({"learner": learner, "stream": name, **result}, options.table)


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
    share: int = 1


@contextmanager
def _arena(name: str) -> Iterator[Arena]:
    stream, source = stream_named(name), "ArffFileStream -f stream.arff"
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        if name == "rbf":
            source = RBF_IN_MOA
        elif name == "rbf_40":
            source = f"{RBF_IN_MOA} -c {MANY_CLASSES} -a {MANY_ATTRIBUTES}"
        else:
            moa.write_for_moa(stream, folder / "stream.arff")
        yield Arena(stream, source, folder, SHARE if name == "rbf_40" else 1)


def stream_named(name: str) -> Stream:
    """A stream of `STREAMS`."""
    if name == "rbf":
        return RandomRbf().stream(RBF_INSTANCES)
    if name == "rbf_40":
        clouds = RandomRbf(classes=MANY_CLASSES, attributes=MANY_ATTRIBUTES)
        return clouds.stream(RBF_INSTANCES // SHARE)
    registry = load_registry()
    stream = convert(registry[name], fetch(registry[name], RAW, mirror_folder()))
    return stream.take(np.tile(np.arange(len(stream)), STREAMS[name]))


def measure(
    arena: Arena, ours: Classifier, contestant: Contestant, options: argparse.Namespace
) -> dict[str, Any]:
    """Measurements of a learner on a stream; the tools take turns."""
    n = min(len(arena.stream), contestant.instances // arena.share, options.instances)
    arena = replace(arena, stream=arena.stream.take(slice(0, n)))
    n_river = min(n, contestant.river_instances // arena.share)
    start = arena.stream.take(slice(0, n_river))
    has_river = contestant.river is not None and importlib.util.find_spec("river") is not None
    streamdm = contestant.streamdm if arena.source == RBF_IN_MOA else None
    if "STREAMDM" not in os.environ:
        streamdm = None
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
        if streamdm is not None:
            took, accuracy = run_streamdm(streamdm, arena)
            least("streamdm", took)
            least("reading", run_streamdm(READING, arena)[0])
    size = measure_moa(contestant.moa, arena)
    correct_ours = int(np.sum(predictions.label == arena.stream.y))
    row = {
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
    if streamdm is None:
        return row
    took = seconds["streamdm"] - seconds["reading"]
    return row | {
        "streamdm_per_second": round(n / took),
        "times_streamdm": round(took / seconds["ours"], 1),
        "streamdm_accuracy": accuracy,
    }


def run_streamdm(learner: str, arena: Arena) -> tuple[float, float]:
    """CPU seconds of streamDM-C++, reading included, and the accuracy that it reports.

    It tests all instances but the first, with bagging all but the first two, and reports each time
    that it has tested so many as asked for: here once, after the last test that all learners reach.
    """
    n = len(arena.stream)
    tested = n - 2
    if not (arena.folder / f"{n}.arff").exists():
        moa.write_for_moa(arena.stream, arena.folder / f"{n}.arff")
        (arena.folder / "conf").mkdir(exist_ok=True)
        (arena.folder / "conf" / "log4cpp.properties").write_text(LOGGING, encoding="utf-8")
    named = os.environ["STREAMDM"]
    program = str(Path(shutil.which(named) or named).absolute())
    done = run([program, STREAMDM.format(learner, n, tested)], folder=arena.folder)
    # Six digits of each number, as streams of C++ write them: 999998, 1e+06.
    row = rf"^{re.escape(f'{tested:g}')},([\d.e-]+),"
    accuracy = re.search(row, done.out, re.MULTILINE)
    if accuracy is None:
        raise DataError(f"{named} did not reach the end of the stream: {done.out[-1000:]}")
    return done.cpu, float(accuracy[1])


def run_ours(learner: Classifier, stream: Stream, as_long_as: float) -> Predictions:
    """Our fastest run.

    The other tool has had some seconds in which the machine may once have been at its best; we
    run for as many, up to `LONGEST_TURN`.
    """
    tape = prequential(len(stream))
    runs = [learner.run(stream, tape)]
    while sum(run.seconds for run in runs) < min(as_long_as, LONGEST_TURN):
        runs.append(learner.run(stream, tape))
    return min(runs, key=lambda run: run.seconds)


def run_moa(learner: str, arena: Arena) -> tuple[float, int]:
    """MOA's CPU seconds without reading, and its number of correct predictions."""
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
    """Bytes of MOA's model at the end of the stream; 0 if MOA does not report them."""
    n = len(arena.stream)
    task = (
        f"EvaluatePrequential -l ({learner}) -s ({arena.source}) -i {n} "
        f"-e BasicClassificationPerformanceEvaluator -f {n}"
    )
    return moa.run_task(task, arena.folder, measure_size=True).get(moa.BYTES, 0.0)


def run_river(contestant: Contestant, stream: Stream) -> float:
    """River's CPU seconds."""
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
    """The table for people."""
    head = {
        "learner": lambda r: r.learner,
        "stream": lambda r: r.stream,
        "instances": lambda r: number(r.instances),
        "MOA, inst/s": lambda r: number(r.moa_per_second),
        "River, inst/s": lambda r: number(r.river_per_second),
        "streameval, inst/s": lambda r: number(r.ours_per_second),
        "× MOA": lambda r: f"{r.times_moa:.1f}",
        "× River": lambda r: number(r.times_river),
        "× streamDM-C++": lambda r: number(r.times_streamdm, ",.1f"),
        "equal predictions": lambda r: "yes" if r.equal_answers else "no",
        "MOA's model, bytes": lambda r: number(r.model_bytes_moa, missing="not measured"),
        "streameval's model, bytes": lambda r: number(r.model_bytes_ours),
    }
    if "times_streamdm" not in table:
        del head["× streamDM-C++"]
    return markdown(head, table, right=2) + measured_on(table, ONE_CORE)


if __name__ == "__main__":
    main()
