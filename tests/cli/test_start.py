"""What a short command imports: each module is paid for at every start."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from pyarrow import csv, parquet

from streameval.cli import main

#: What no command needs before there is something to draw, to tabulate or to write.
NEVER = {"pandas", "matplotlib", "seaborn", "jsonschema", "snakemake", "tqdm"}
NEVER |= {"pooch", "requests"}
#: Parts of packages that take longer than all that a short command uses of them.
PARTS = {
    *("scipy.linalg", "scipy.optimize", "scipy.special", "scipy.stats"),
    *("numba.np.arraymath", "pyarrow.parquet"),
}
NUMERIC = {"numpy", "scipy", "numba", "pyarrow"}

CODE = """
import contextlib, io, json, sys
from streameval.__main__ import main
sys.argv = ["streameval", *sys.argv[1:]]
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    main()
print(json.dumps([*sys.modules]))
"""


def imported(*words):
    """The modules of a process that has run a command."""
    ran = subprocess.run(
        [sys.executable, "-c", CODE, *map(str, words)], check=True, capture_output=True, text=True
    )
    return {*json.loads(ran.stdout.splitlines()[-1])}


def compile_for(*words):
    """Run a command here: numba needs all of itself to compile the learner."""
    assert main([*map(str, words)]) == 0


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("start") / "three.csv"
    path.write_text("a,b,y\n1,2,u\n2,1,v\n3,5,u\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("words", [["--help"], ["evaluate", "--help"]])
def test_the_help_reads_no_file(words):
    modules = imported(*words)
    allowed = set() if words == ["--help"] else NUMERIC
    assert modules & ((NEVER | PARTS | NUMERIC) - allowed) == set()
    readers = {name for name in modules if name.startswith("streameval.streams.readers.")}
    assert {name.rpartition(".")[2] for name in readers} & {"any_file", "csv_file", "arff"} == set()


HEAD = "@relation r\n@attribute a numeric\n@attribute b numeric\n"
HEADS = {"csv": "a,b,c,y\n", "arff": f"{HEAD}@attribute c {{r,g}}\n@attribute y {{u,v}}\n@data\n"}


@pytest.mark.parametrize("ending", ["csv", "parquet", "arff"])
def test_a_long_stream_needs_no_library_of_computations(tmp_path, ending):
    path = tmp_path / f"long.{'csv' if ending == 'parquet' else ending}"
    rows = "".join(
        f"{i % 7 or '?'},{i}.5,{'rg'[i % 5 > 0]},{'uv'[i % 3 > 0]}\n" for i in range(300)
    )
    path.write_text(HEADS[path.suffix[1:]] + rows)
    if ending == "parquet":
        path = path.with_suffix(".parquet")
        parquet.write_table(csv.read_csv(path.with_suffix(".csv")), path)
    words = ["evaluate", path, "--target", "y", "--learner", "hoeffding_tree"]
    compile_for(*words)
    modules = imported(*words)
    allowed = {"pyarrow.parquet"} if ending == "parquet" else set()
    assert "numba" in modules
    assert modules & ((NEVER | PARTS | {"pyarrow.compute"}) - allowed) == set()
    others = {name for name in modules if name.startswith("streameval.learners.")}
    assert not others & {f"streameval.learners.{room}" for room in ("ensembles", "regression.orto")}


def test_a_check_compiles_nothing_collects_no_garbage_and_has_one_thread_of_blas(table):
    code = "import gc, os\nbefore = gc.get_stats()[2]['collections']" + CODE
    code += "\nafter = gc.get_stats()[2]['collections']"
    code += (
        "\nprint(json.dumps([after - before, gc.isenabled(), os.environ['OPENBLAS_NUM_THREADS']]))"
    )
    environment = {k: v for k, v in os.environ.items() if k != "OPENBLAS_NUM_THREADS"}
    words = ["check", str(table), "--target", "y"]
    out = subprocess.check_output([sys.executable, "-c", code, *words], env=environment, text=True)
    modules, process = map(json.loads, out.splitlines()[-2:])
    assert process == [0, True, "1"]
    assert "pyarrow" in modules
    assert {*modules} & (NEVER | PARTS | {"numba", "scipy", "yaml"}) == set()


def test_numba_that_is_switched_off_is_one_line(table):
    """Kernels have instructions that plain Python lacks; see `helpers.plain_python`."""
    words = ["evaluate", table, "--target", "y", "--learner", "naive_bayes"]
    ran = subprocess.run(
        [sys.executable, "-m", "streameval", *map(str, words)],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        check=False,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 2
    (line,) = ran.stderr.splitlines()
    assert line.startswith("streameval: Expected numba to compile this code, found it switched off")
    assert "NUMBA_DISABLE_JIT" in line
