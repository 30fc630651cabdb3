"""From a file to measures, whole commands: MOA and others against `streameval evaluate`.

Needs Java and MOA's jar, see throughput.py. River and CapyMOA are measured where they are
installed.

    python benchmarks/files.py

README.md beside this script explains the measurement.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import csv
from tables import HERE, command_line, keep, left_out, markdown, measured_on, number, show
from tqdm import tqdm

from streameval.base.errors import DataError
from streameval.learners.adapters import moa
from streameval.learners.trees.hoeffding_tree import HoeffdingTree
from streameval.streams.generators.random_rbf import RandomRbf
from streameval.streams.stream import Stream

TABLE = HERE / "files.csv"
ENDINGS = ("arff", "csv", "parquet")
KEYS = {"file": [*ENDINGS]}
#: The first instances, which tools in Python get, and streameval for this comparison.
FOR_PYTHON = 100_000
#: Imports a package, or says why that is not possible.
IMPORT = """
try:
    import {}
except Exception as error:
    raise SystemExit(error)
"""
#: A small process that starts a command: the system counts the memory of whoever starts it, too.
STARTER = """
import json, os, sys
took, *command = sys.argv[1:]
process = os.posix_spawnp(command[0], command, os.environ)
_, status, usage = os.wait4(process, 0)
with open(took, "w") as file:
    json.dump([usage.ru_utime + usage.ru_stime, usage.ru_maxrss], file)
sys.exit(os.waitstatus_to_exitcode(status) != 0)
"""
#: Programs of tools in Python that print the percentage of correct predictions. CapyMOA's learner
#: is MOA's, but has another confidence by default.
PROGRAMS = {}
PROGRAMS["river"] = """
import sys
from river import metrics, stream, tree
(path,) = sys.argv[1:]
numbers = {f"a{j}": float for j in range(10)}
read = {"csv": lambda: stream.iter_csv(path, target="class", converters=numbers),
        "arff": lambda: stream.iter_arff(path, target="class")}[path.rpartition(".")[2]]
model, accuracy = tree.HoeffdingTreeClassifier(), metrics.Accuracy()
for x, y in read():
    accuracy.update(y, model.predict_one(x))
    model.learn_one(x, y)
print(100 * accuracy.get())
"""
PROGRAMS["capymoa"] = """
import sys
from capymoa.classifier import HoeffdingTree
from capymoa.evaluation import prequential_evaluation
from capymoa.stream import stream_from_file
stream = stream_from_file(sys.argv[1])
model = HoeffdingTree(stream.get_schema(), confidence=1e-7)
print(prequential_evaluation(stream, model).accuracy())
"""


class Run(NamedTuple):
    """Resources of a command: seconds, CPU seconds, peak memory in bytes; and its output."""

    wall: float
    cpu: float
    peak: int
    out: str


def main() -> None:
    """Measure, and write ``files.csv`` and the page that shows it."""
    options = command_line(__doc__, TABLE, instances=1_000_000, repetitions=3).parse_args()
    others = available(PROGRAMS)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        stream = RandomRbf().stream(options.instances)
        write_files(stream, folder, "stream")
        write_files(stream.first(min(FOR_PYTHON, len(stream))), folder, "start")
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache")}
        ours(folder / "start.csv", environment)  # compiles
        for ending in ENDINGS:
            row = measure_tools(folder, ending, stream, options.repetitions, environment, others)
            table = keep(row, options.table, KEYS)
            tqdm.write(page(pd.DataFrame([row])).splitlines()[2])
    if options.table == TABLE:
        show("files", page(table))


def available(packages: Iterable[str]) -> list[str]:
    """The packages that can be imported; a message says why others cannot."""
    importable = []
    for name in packages:
        with left_out(name):
            run([sys.executable, "-c", IMPORT.format(name)])
            importable.append(name)
    return importable


def write_files(stream: Stream, folder: Path, name: str) -> None:
    """Write a stream in all formats, with neutral names, as MOA needs them."""
    moa.write_for_moa(stream, folder / f"{name}.arff")
    columns = {f"a{j}": column for j, column in enumerate(stream.X.T)}
    table = pa.table({**columns, "class": pa.array([f"c{code}" for code in stream.y])})
    csv.write_csv(table, folder / f"{name}.csv", csv.WriteOptions(quoting_style="none"))
    pq.write_table(table, folder / f"{name}.parquet")


def measure_tools(
    folder: Path,
    ending: str,
    stream: Stream,
    repetitions: int,
    environment: Mapping[str, str],
    others: Collection[str],
) -> dict[str, Any]:
    """Times of the tools for a file; the tools take turns."""
    path, start = folder / f"stream.{ending}", folder / f"start.{ending}"
    others = () if ending == "parquet" else others
    runs: dict[str, list[Run]] = {}
    for _ in tqdm(range(repetitions), desc=ending, disable=None):
        # MOA reads ARFF only: the others are compared with that.
        runs.setdefault("moa", []).append(in_moa(folder / "stream.arff", len(stream)))
        runs.setdefault("ours", []).append(ours(path, environment))
        for name in others:
            program = [sys.executable, "-c", PROGRAMS[name], str(start)]
            runs.setdefault(name, []).append(run(program))
        if others:
            runs.setdefault("start", []).append(ours(start, environment))
    least = {
        name: Run(*(min(part) for part in zip(*some, strict=True))) for name, some in runs.items()
    }
    theirs, ours_least = least["moa"], least["ours"]
    return {
        "file": ending,
        "learner": HoeffdingTree.name,
        "instances": len(stream),
        "megabytes": round(path.stat().st_size / 1e6),
        "moa_seconds": round(theirs.wall, 2),
        "moa_cpu_seconds": round(theirs.cpu, 2),
        "ours_seconds": round(ours_least.wall, 2),
        "ours_cpu_seconds": round(ours_least.cpu, 2),
        "times_moa": times(theirs, ours_least),
        "times_moa_cpu": round(theirs.cpu / ours_least.cpu, 1),
        "start_instances": min(FOR_PYTHON, len(stream)) if others else None,
        **{f"times_{name}": times(least.get(name), least.get("start")) for name in PROGRAMS},
        "matrix_megabytes": round(stream.X.nbytes / 1e6),
        "moa_peak_megabytes": round(theirs.peak / 1e6),
        "ours_peak_megabytes": round(ours_least.peak / 1e6),
        "equal_answers": all_equal(runs, "moa", "ours") and all_equal(runs, "capymoa", "start"),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
    }


def ours(path: Path, environment: Mapping[str, str]) -> Run:
    """Run our command on a file."""
    options = ["--target", "class", "--learner", HoeffdingTree.name, "--json"]
    return run([sys.executable, "-m", "streameval", "evaluate", str(path), *options], environment)


def in_moa(path: Path, n: int) -> Run:
    """Run MOA's task on an ARFF file."""
    task = (
        f"EvaluatePrequential -l trees.HoeffdingTree -s (ArffFileStream -f {path}) -i {n} -f {n} "
        "-e BasicClassificationPerformanceEvaluator"
    )
    return run([moa.find_java(), "-cp", str(moa.find_jar()), "moa.DoTask", task])


def times(theirs: Run | None, ours: Run | None) -> float | None:
    """Ratio of their time to ours; None where one was not measured."""
    return round(theirs.wall / ours.wall, 1) if theirs and ours else None


def all_equal(runs: Mapping[str, Sequence[Run]], *names: str) -> bool:
    """Whether these tools, as far as they ran, have equal accuracy."""
    percentages = [percent(name, run.out) for name in names for run in runs.get(name, ())]
    return bool(np.allclose(percentages, percentages[:1], rtol=0, atol=1e-9))


def percent(name: str, out: str) -> float:
    """The percentage of correct predictions from what a tool has printed."""
    if name in PROGRAMS:
        return float(out.split()[-1])
    if name == "moa":
        head, *_, last = [line.split(",") for line in out.splitlines() if "," in line]
        return float(last[head.index("classifications correct (percent)")])
    (answer, *_) = json.loads(out)["learners"].values()
    return float(100 * answer["accuracy"])


def run(
    command: Sequence[str],
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Run:
    """Run a command, and ask the system for the resources of all its threads."""
    with tempfile.NamedTemporaryFile("r") as took:
        starter = [sys.executable, "-S", "-c", STARTER, took.name, *command]
        begun = perf_counter()
        done = subprocess.run(  # noqa: S603 - no shell: the words are one argument each
            starter, env=environment, cwd=folder, capture_output=True, text=True, check=False
        )
        wall = perf_counter() - begun
        if done.returncode:
            raise DataError(f"{command[0]} could not run: {done.stderr[-1000:].strip()}")
        cpu, kilobytes = json.load(took)
    return Run(wall, cpu, 1024 * kilobytes, done.stdout)


def page(table: pd.DataFrame) -> str:
    """The table for people."""
    head = {
        "file": lambda r: r.file,
        "MB": lambda r: f"{r.megabytes:,}",
        "MOA, s": lambda r: f"{r.moa_seconds:.1f}",
        "MOA, CPU s": lambda r: f"{r.moa_cpu_seconds:.1f}",
        "streameval, s": lambda r: f"{r.ours_seconds:.2f}",
        "streameval, CPU s": lambda r: f"{r.ours_cpu_seconds:.2f}",
        "× MOA": lambda r: f"{r.times_moa:.1f}",
        "× MOA, CPU": lambda r: f"{r.times_moa_cpu:.1f}",
        "× River": lambda r: number(r.times_river, ".1f"),
        "× CapyMOA": lambda r: number(r.times_capymoa, ".1f"),
        "MOA's peak, MB": lambda r: f"{r.moa_peak_megabytes:,}",
        "streameval's peak, MB": lambda r: f"{r.ours_peak_megabytes:,}",
        "of it the matrix, MB": lambda r: f"{r.matrix_megabytes:,}",
        "equal accuracy": lambda r: "yes" if r.equal_answers else "no",
    }
    return markdown(head, table, right=1) + measured_on(table)


if __name__ == "__main__":
    main()
