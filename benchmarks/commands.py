"""CPU seconds of five commands, relative to an earlier commit: whether a change made one slower.

    python benchmarks/commands.py                     # against the commit BASE below
    python benchmarks/commands.py --base main~10 --most 1.15

Needs git and the clone's history. README.md beside this script describes what is measured.
"""

from __future__ import annotations

import argparse
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import csv
from tables import HERE

#: The commit whose CPU seconds are the unit.
BASE = "7d338cc7"
#: The largest ratio that passes, and how often each command runs on either side at least and, while
#: its ratio is larger, at most.
MOST, LEAST_RUNS, MOST_RUNS = 1.15, 5, 15
#: The commands, each after the name that the table gives it. `{folder}` has the files.
COMMANDS: Mapping[str, Sequence[str]] = {
    "tiny file": ("evaluate", "{folder}/tiny.csv", "--target", "class", "--learner", "naive_bayes"),
    "200 MB to JSON": ("evaluate", "{folder}/large.arff", "--learner", "naive_bayes", "--json"),
    "folds": (
        *("evaluate", "{folder}/middle.csv", "--target", "class", "--learner", "hoeffding_tree"),
        *("--protocol", "split_validation:10"),
    ),
    "delays in bins": (
        *("evaluate", "{folder}/delayed.csv", "--target", "class", "--learner", "hoeffding_tree"),
        *("--time", "time", "--label-time", "label_time", "--protocol", "reevaluation:10"),
    ),
    "compare": (
        *("compare", "{folder}/middle.csv", "--target", "class", "--learner", "hoeffding_tree"),
        *("--learner", "random_forest", "--runs", "3"),
    ),
}
#: Rows of the files, and inputs of the large one.
TINY, MIDDLE, LARGE, INPUTS = 1_000, 50_000, 1_000_000, 20


def main() -> None:
    """Measure all commands on both sides, and fail where one takes too long."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--base", default=BASE, help="the commit to compare with")
    parser.add_argument("--most", type=float, default=MOST, help="the largest ratio that passes")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        write_files(folder)
        sources = {"now": HERE.parent / "src", "base": check_out(options.base, folder / "base")}
        slow = []
        for name, command in COMMANDS.items():
            words = [word.format(folder=folder) for word in command]
            seconds = measure(words, sources, folder, options.most)
            ratio = seconds["now"] / seconds["base"]
            print(
                f"{name}: {seconds['now']:.2f} CPU s, {seconds['base']:.2f} at {options.base}, "
                f"ratio {ratio:.2f}",
                flush=True,
            )
            slow += [name] * (ratio > options.most)
    if slow:
        raise SystemExit(f"More than {options.most:g} times as slow: {', '.join(slow)}.")


def check_out(commit: str, folder: Path) -> Path:
    """Put the sources of a commit into a folder, and return the folder of its package."""
    archive = subprocess.run(  # noqa: S603 - no shell: the words are one argument each
        ["git", "archive", commit, "src", "config", "resources"],  # noqa: S607
        cwd=HERE.parent,
        capture_output=True,
        check=False,
    )
    if archive.returncode:
        raise SystemExit(
            f"Expected a commit of this clone's history, found {commit!r}: "
            f"{archive.stderr.decode().strip()}. Fetch the whole history (git fetch --unshallow), "
            "or name another one (--base)."
        )
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as packed:
        packed.extractall(folder, filter="data")
    return folder / "src"


def measure(
    words: Sequence[str], sources: Mapping[str, Path], folder: Path, most: float
) -> dict[str, float]:
    """Least CPU seconds of a command on each side, in turn.

    Other work on the machine only adds to the seconds of a command, so its least is taken, and a
    command that looks slow runs more often. A first run on each side compiles, and does not count.
    """
    least = dict.fromkeys(sources, np.inf)
    for side, source in sources.items():
        cpu_seconds(words, source, folder / f"cache {side}")
    for run in range(MOST_RUNS):
        for side, source in sources.items():
            least[side] = min(least[side], cpu_seconds(words, source, folder / f"cache {side}"))
        if run + 1 >= LEAST_RUNS and least["now"] <= most * least["base"]:
            break
    return least


def cpu_seconds(words: Sequence[str], source: Path, cache: Path) -> float:
    """User and system seconds of a command, with the package of a folder of sources.

    Each command reads its file: earlier commits kept the streams of text files between runs.
    """
    shutil.rmtree(cache / "streameval" / "streams", ignore_errors=True)
    caches = {"NUMBA_CACHE_DIR": str(cache), "XDG_CACHE_HOME": str(cache)}
    before = os.times()
    subprocess.run(  # noqa: S603 - no shell: the words are one argument each
        [sys.executable, "-m", "streameval", *words],
        env=os.environ | {"PYTHONPATH": str(source), **caches},
        cwd=cache.parent,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    after = os.times()
    return sum(after[2:4]) - sum(before[2:4])  # of children


def write_files(folder: Path) -> None:
    """Write the files that the commands read: classes that come in runs, and inputs about them."""
    draws = np.random.default_rng(1)
    for name, rows in (("tiny", TINY), ("middle", MIDDLE)):
        csv.write_csv(_table(rows, 5, draws), folder / f"{name}.csv")
    delayed = _table(MIDDLE, 5, draws)
    time = np.arange(MIDDLE)
    for column, values in (("time", time), ("label_time", time + draws.integers(1, 500, MIDDLE))):
        delayed = delayed.append_column(column, pa.array(values))
    csv.write_csv(delayed, folder / "delayed.csv")
    large = _table(LARGE, INPUTS, draws)
    head = [*(f"@attribute x{i} numeric" for i in range(INPUTS)), "@attribute class {no,yes}"]
    with (folder / "large.arff").open("wb") as file:
        file.write("\n".join(["@relation large", *head, "@data", ""]).encode())
        options = csv.WriteOptions(include_header=False, quoting_style="none")
        csv.write_csv(large, file, options)


def _table(rows: int, inputs: int, draws: np.random.Generator) -> pa.Table:
    """Rows of a stream whose class comes in runs of about seven."""
    starts = draws.random(rows) < 1 / 7
    starts[0] = True
    label = (draws.random(rows) < 0.4)[np.maximum.accumulate(np.where(starts, np.arange(rows), 0))]
    columns = {f"x{i}": np.round(draws.normal(size=rows) + 0.5 * label, 6) for i in range(inputs)}
    return pa.table({**columns, "class": np.where(label, "yes", "no")})


if __name__ == "__main__":
    main()
