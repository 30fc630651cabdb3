"""What a short command imports: each module is paid for at every start."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

#: What no command needs before there is something to draw, to tabulate or to write.
NEVER = {"pandas", "matplotlib", "seaborn", "jsonschema", "snakemake", "tqdm"}
#: Parts of packages that take longer than all that a short command uses of them.
PARTS = {"scipy.linalg", "scipy.stats", "scipy.optimize", "numba.np.arraymath", "pyarrow.parquet"}
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


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("start") / "three.csv"
    path.write_text("a,b,y\n1,2,u\n2,1,v\n3,5,u\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("words", [["--help"], ["warm-up", "--help"]])
def test_the_help_needs_the_standard_library(words):
    allowed = set() if words == ["--help"] else NUMERIC
    assert imported(*words) & ((NEVER | PARTS | NUMERIC) - allowed) == set()


def test_a_check_compiles_nothing(table):
    found = imported("check", table, "--target", "y")
    assert "pyarrow" in found
    assert found & (NEVER | PARTS | {"numba", "scipy"}) == set()


def test_an_evaluation_imports_what_it_runs(table):
    words = ["evaluate", table, "--target", "y", "--learner", "hoeffding_tree"]
    imported(*words)  # compiles the learner, for which numba needs all of itself
    found = imported(*words)
    assert "numba" in found
    assert found & (NEVER | PARTS) == set()
    others = {name for name in found if name.startswith("streameval.learners.")}
    assert not others & {f"streameval.learners.{room}" for room in ("ensembles", "regression.orto")}


def test_a_help_reads_no_file(table):
    assert imported("evaluate", "--help") & (NEVER | PARTS | {"pyarrow"}) == set()
