"""Streams whose inputs are mapped, as they do not fit into the memory: all works as in memory."""

from __future__ import annotations

import subprocess
import sys
import tempfile

import numpy as np
import pandas as pd
import pytest

import streameval as se
from streameval.base import matrices
from streameval.base.matrices import is_mapped
from streameval.learners.adapters.moa import write_arff
from streameval.streams.columnar import write_stream
from streameval.streams.readers import parquet_file

ROWS = 700


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder of a file of each kind with the same rows."""
    folder = tmp_path_factory.mktemp("files")
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(rng.normal(size=(ROWS, 4)).round(3), columns=[*"abcd"])
    frame["machine"] = rng.choice(["left", "middle", "right"], ROWS)
    frame["missing"] = np.where(rng.random(ROWS) < 0.2, np.nan, frame["a"])
    frame["day"] = rng.permutation(ROWS)
    frame["due"] = frame["day"] + rng.integers(1, 60, ROWS)
    frame["load"] = frame["a"] + frame["b"] + rng.normal(size=ROWS)
    frame["y"] = np.where(frame["load"] + rng.normal(size=ROWS) > 0, "yes", "no")
    frame.to_csv(folder / "rows.csv", index=False)
    frame.to_csv(folder / "packed.csv.gz", index=False)
    frame.to_parquet(folder / "rows.parquet", index=False)
    stream = se.read(folder / "rows.csv", "y")
    write_arff(stream, folder / "rows.arff")
    write_stream(stream, folder / "converted.parquet")
    return folder


@pytest.fixture
def in_both(monkeypatch, tmp_path):
    """A function that makes a stream in memory, and again with mapped inputs."""

    def both(make):
        in_memory = make()
        assert not is_mapped(in_memory.X)
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
        for module in (matrices, parquet_file):
            monkeypatch.setattr(module, "is_large", lambda size, held=0: True)
        mapped = make()
        assert is_mapped(mapped.X)
        return in_memory, mapped

    return both


@pytest.mark.parametrize(
    "name", ["rows.csv", "packed.csv.gz", "rows.parquet", "rows.arff", "converted.parquet"]
)
def test_files_are_read_into_mapped_matrices(folder, in_both, name):
    target = None if name.startswith("converted") else "y"
    streams = in_both(lambda: se.read(folder / name, target))
    assert streams[0].digest == streams[1].digest


@pytest.mark.parametrize("name", ["rows.csv", "rows.parquet"])
def test_rows_in_order_of_time_are_mapped_too(folder, in_both, name):
    times = {"time": "day", "label_time": "due"}
    streams = in_both(lambda: se.read(folder / name, "y", **times))
    assert streams[0].digest == streams[1].digest
    assert (streams[1].file_rows != np.arange(ROWS)).any()


@pytest.mark.parametrize(
    "name", ["random_rbf", "sea", "ozone:shuffled:3", "ozone:permuted:1:2:50", "elec2:temporal:2"]
)
def test_generated_and_rearranged_streams_are_mapped(in_both, name):
    def make():
        return se.generate(name, rows=ROWS) if ":" not in name else se.load(name)

    streams = in_both(make)
    assert streams[0].digest == streams[1].digest


def test_concepts_that_change_are_mapped(in_both):
    about = {"before": {"generator": "sea"}, "after": {"generator": "sea", "function": 3}}
    streams = in_both(lambda: se.generate("concept_drift", rows=ROWS, position=300, **about))
    assert streams[0].digest == streams[1].digest


#: By what is evaluated: target, learners, and options of `evaluate`.
EVALUATIONS = {
    "classes": ("y", ["hoeffding_tree", "knn"], {}),
    "delays": ("y", "hoeffding_tree", {"delay": 40, "every": 5}),
    "scores": ("y", "naive_bayes", {"scores": True}),
    "regression": ("load", "fimt_dd", {"seasonal": 7, "intervals": 0.8}),
    "wrappers": ("y", [se.augmented("naive_bayes"), se.corrected("naive_bayes")], {}),
    "folds": ("y", "naive_bayes", {"protocol": "cross_validation:3"}),
}


@pytest.mark.parametrize("name", EVALUATIONS)
def test_evaluations_are_those_in_memory(folder, in_both, name):
    target, learners, options = EVALUATIONS[name]
    drop = ["load" if target == "y" else "y"]
    numeric = target == "load"
    streams = in_both(
        lambda: se.read(folder / "rows.csv", target, drop=drop, numeric_target=numeric)
    )
    in_memory, mapped = (se.evaluate(stream, learners, **options) for stream in streams)
    pd.testing.assert_frame_equal(mapped.predictions, in_memory.predictions)
    pd.testing.assert_frame_equal(mapped.measures(), in_memory.measures())
    assert str(mapped.over_baselines()) == str(in_memory.over_baselines())
    if name == "delays":
        pd.testing.assert_frame_equal(mapped.bins(), in_memory.bins())


def test_groups_are_those_in_memory(folder, in_both):
    streams = in_both(lambda: se.read(folder / "rows.csv", "y", drop=["load"]).grouped("machine"))
    in_memory, mapped = (se.evaluate(stream, "hoeffding_tree") for stream in streams)
    pd.testing.assert_frame_equal(mapped.by_group(), in_memory.by_group())


#: Reads and evaluates a file whose inputs take more than the process may: 80 MB of 60.
LIMITED = """
import resource, sys
import numpy as np
import streameval as se
from streameval.base import matrices

small, large = sys.argv[1:3]
se.evaluate(se.read(small, "y"), "naive_bayes")
data = next(line for line in open("/proc/self/status") if line.startswith("VmData"))
limit = 1024 * int(data.split()[1]) + 60 * 2**20
resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
if len(sys.argv) > 3:
    matrices.is_large = lambda size, held=0: False
stream = se.read(large, "y")
assert stream.X.nbytes > 75 * 2**20 and matrices.is_mapped(stream.X)
result = se.evaluate(stream, "naive_bayes")
print(len(result.table), result.to_dict("accuracy")["naive_bayes"]["accuracy"])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts the data of a process")
def test_a_file_larger_than_the_memory(tmp_path):
    rng = np.random.default_rng(1)
    X = rng.integers(0, 10, (10_000, 100)).astype("U1")
    lines = [",".join(row) + (",no" if row[0] < "5" else ",yes") for row in X]
    head = ",".join([*(f"x{j}" for j in range(100)), "y"]) + "\n"
    text = "\n".join(lines) + "\n"
    (tmp_path / "small.csv").write_text(head + text)
    (tmp_path / "large.csv").write_text(head + text * 10)
    room = tmp_path / "room"
    room.mkdir()

    def run(*options):
        files = [str(tmp_path / name) for name in ("small.csv", "large.csv")]
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("TMPDIR", str(room))
            command = [sys.executable, "-W", "ignore", "-c", LIMITED, *files, *options]
            return subprocess.run(command, capture_output=True, text=True)

    done = run()
    assert done.returncode == 0, done.stderr
    instances, accuracy = done.stdout.split()
    assert (int(instances), float(accuracy) > 0.9) == (100_000, True)
    assert not [*room.iterdir()]
    assert "MemoryError" in run("in memory").stderr
