"""The built package: it has all that it needs, and works where there is no clone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from helpers.distributions import Environment, build, content

from streameval import __version__
from streameval.base.settings import ROOT
from streameval.base.sources import cache_folder
from streameval.cli import main

#: What travels inside the package, and where it stands there.
TRAVELLING = {
    "src/streameval": "streameval",
    "config": "streameval/project/config",
    "environment.yml": "streameval/project/environment.yml",
    "resources/published": "streameval/project/resources/published",
    "resources/recorded": "streameval/project/resources/recorded",
    "workflow": "streameval/project/workflow",
}
#: What only the pipeline needs.
PIPELINE = ("matplotlib", "seaborn", "snakemake")
#: A program of somebody else; only its last line is wrong.
TYPED = """
import streameval as se

stream: se.Stream = se.generate("sea", rows=100)
result: se.Result | se.Result = se.evaluate(stream, ["naive_bayes"], delay=48)
proportion: float = se.accuracy([0, 1], [0, 1])
text: str = se.accuracy([0, 1], [0, 1])
"""
OFFLINE = """
import socket
def refuse(*_, **__):
    raise SystemExit("a socket was opened")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
from streameval.__main__ import main
main()
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return build(ROOT, tmp_path_factory.mktemp("built"), "wheel")


def files(place: Path) -> list[Path]:
    below = [place] if place.is_file() else place.rglob("*")
    return [path for path in below if "__pycache__" not in path.parts and path.is_file()]


def test_the_wheel_has_all_that_travels_and_nothing_else(built):
    expected = {
        f"{there}/{path.relative_to(ROOT / here).as_posix()}".removesuffix("/."): path.read_bytes()
        for here, there in TRAVELLING.items()
        for path in files(ROOT / here)
    }
    wheel = content(built[".whl"])
    metadata = {name for name in wheel if ".dist-info/" in name}
    assert "streameval/py.typed" in wheel
    assert set(wheel) - metadata == set(expected)
    assert {name: wheel[name] for name in expected} == expected
    for name in (
        "streameval/project/config/studies/zliobaite2015.yaml",
        "streameval/project/workflow/rules/studies.smk",
        "streameval/project/workflow/scripts/run_study.py",
        "streameval/items/dependence/show.py",
    ):  # what is found by names that are put together
        assert name in wheel


def test_a_real_stream_is_evaluated_from_the_wheel_anywhere_without_network(built, tmp_path):
    with zipfile.ZipFile(built[".whl"]) as archive:
        archive.extractall(tmp_path / "packages")
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    finished = subprocess.run(
        [sys.executable, "-c", OFFLINE, "evaluate", "elec2", "--learner", "no_change", "--json"],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "PYTHONPATH": f"{tmp_path}/packages"},
        capture_output=True,
        text=True,
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
    accuracy = json.loads(finished.stdout)["learners"]["no_change"]["accuracy"]
    assert round(accuracy * 45_312) == 38_665
    assert [path.name for path in folder.rglob("elecNorm*")] == []


#: What takes long to load, and neither lists nor help texts need.
SLOW = {*PIPELINE, "numba", "pandas", "pooch", "pyarrow", "requests", "scipy"}


@pytest.mark.parametrize("command", ["streams", "learners"])
def test_a_list_loads_only_what_it_needs(command):
    """What other commands load, `cli/test_start.py` has."""
    code = f"import sys; from streameval.cli import main; main(['{command}'])"
    code += "; print(*sys.modules, file=sys.stderr)"
    finished = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    assert not {name.partition(".")[0] for name in finished.stderr.split()} & SLOW


# --- Installed ----------------------------------------------------------------------------


class Installed(Environment):
    """The package in an environment of its own, called from an empty folder."""

    def says(self, program: str, *words: str) -> str:
        finished = self.run(program, *words)
        assert finished.returncode == 0, finished.stdout + finished.stderr
        return finished.stdout


@pytest.fixture(scope="module")
def installed(built, tmp_path_factory):
    environment = Installed(tmp_path_factory.mktemp("installed"))
    environment.install(str(built[".whl"]), probe="tqdm")
    # The same sources: what the clone has compiled is theirs, too.
    kernels = environment.home.parent / "kernels"
    kernels.mkdir()
    (kernels / "streameval").symlink_to(cache_folder())
    environment.variables["NUMBA_CACHE_DIR"] = str(kernels)
    return environment


@pytest.mark.install
class TestInstalled:
    """One environment for all, as it takes half a minute to set up."""

    def test_it_is_the_package_that_was_built(self, installed):
        assert installed.says("streameval", "--version").strip() == __version__
        where = installed.says("python", "-c", "import streameval; print(streameval.__file__)")
        assert Path(where).is_relative_to(installed.bin.parent)

    def test_the_pipeline_is_neither_there_nor_needed(self, installed):
        names = {line.split("==")[0].lower() for line in installed.pip("freeze").stdout.split()}
        assert {"streameval", "numba"} <= names
        assert not names & set(PIPELINE)
        missing = installed.run("python", "-c", "import streameval.drawing.style")
        assert 'pip install "streameval[pipeline]"' in missing.stderr

    def test_its_types_are_there_for_others(self, installed):
        """Mypy finds the one fault of a program, so that it knows what the package returns."""
        (installed.home / "typed.py").write_text(TYPED, encoding="utf-8")
        interpreter = ("--python-executable", str(installed.python))
        checked = subprocess.run(
            [sys.executable, "-m", "mypy", "--strict", *interpreter, "typed.py"],
            cwd=installed.home,
            env=installed.variables,
            capture_output=True,
            text=True,
            check=False,
        )
        faults = [line for line in checked.stdout.splitlines() if ": error:" in line]
        assert len(faults) == 1, checked.stdout + checked.stderr
        assert f"typed.py:{len(TYPED.splitlines())}:" in faults[0]
        assert '"float"' in faults[0]

    def test_it_lists_what_a_clone_lists(self, installed, monkeypatch, capsys):
        monkeypatch.chdir(installed.home)
        assert main(["streams"]) == 0
        assert installed.says("streameval", "streams") == capsys.readouterr().out

    def test_it_evaluates_a_csv(self, installed):
        rows = "".join(f"{i % 7},{'left' if i % 4 else 'right'}\n" for i in range(400))
        (installed.home / "mine.csv").write_text(f"x,side\n{rows}", encoding="utf-8")
        words = ("mine.csv", "--target", "side", "--learner", "naive_bayes", "--json")
        numbers = json.loads(installed.says("streameval", "evaluate", *words))
        accuracy = {name: row["accuracy"] for name, row in numbers["learners"].items()}
        # The first of 400 has none before it; then each fourth label starts and ends a run.
        assert (numbers["n"], accuracy["no_change"]) == (400, 1 - 200 / 400)
        assert accuracy["naive_bayes"] > 0.7
