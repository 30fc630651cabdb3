"""Taking over from a run that was killed; runs of Snakemake itself are in test_workflow_resume."""

from __future__ import annotations

import fcntl
import os
import platform
import sys
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest
from snakemake.persistence.file import FilePersistence

from streameval.base.errors import DamageError
from streameval.base.file_digests import digest_path
from streameval.base.table_files import write_csv
from streameval.pipeline import runs


@pytest.fixture
def state(tmp_path, monkeypatch):
    """What a killed run has left: locks, and half a file."""
    monkeypatch.setattr(runs, "_locks", {})
    state = tmp_path / ".snakemake"
    (state / "locks").mkdir(parents=True)
    (state / "locks" / "0.output.lock").write_text("results/measures.csv\n")
    (tmp_path / "results" / ".part-abc").mkdir(parents=True)
    (state / "run.lock").write_text(platform.node())
    yield state
    for file in runs._locks.values():
        file.close()


def is_left(state):
    left = {(state / "locks").exists(), (state.parent / "results" / ".part-abc").exists()}
    assert len(left) == 1
    return left.pop()


def test_what_a_dead_run_left_is_removed(state):
    runs.lock_state_folder(state)
    assert not is_left(state)
    with (state / "run.lock").open() as other, pytest.raises(BlockingIOError):
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_what_a_live_run_has_is_kept(state, capsys):
    with (state / "run.lock").open() as other:
        fcntl.flock(other, fcntl.LOCK_SH)
        runs.lock_state_folder(state)
    assert is_left(state)
    said = capsys.readouterr().err
    assert f"Another run is at work in this folder (process {os.getpid()})." in said
    assert "Do not unlock" in said


@pytest.mark.parametrize("node", ["another", ""])
def test_what_may_be_of_a_run_on_another_machine_is_kept(state, node):
    (state / "run.lock").write_text(node)
    runs.lock_state_folder(state)
    assert is_left(state)
    assert (state / "run.lock").read_text() == node


def test_a_file_system_without_locks_leaves_all_to_snakemake(state, monkeypatch):
    def refuse(*_):
        raise OSError("not supported")

    monkeypatch.setattr(fcntl, "flock", refuse)
    runs.lock_state_folder(state)
    assert is_left(state)


LONG = f"results/data/mine/{'fig' * 70}/weather.{'ä' * 40}.csv"


@pytest.mark.parametrize(
    ("path", "output"),
    [
        ("results/predictions/elec2.prequential.parquet", None),
        (LONG, None),
        ("figures/mine/fig1/weather.svg", "figures/mine/fig1"),
    ],
)
def test_a_damaged_file_is_marked_so_that_the_next_run_makes_it_anew(
    tmp_path, monkeypatch, path, output
):
    monkeypatch.chdir(tmp_path)
    state, outputs = Path(".snakemake"), [output or path, "results/other.csv"]
    # Snakemake's own reader of the marks.
    snakemake = FilePersistence(path=state)
    assert not snakemake._filter_incomplete_keys(outputs)
    runs.mark_damage(Path(path))
    runs.remove_accepted_marks()
    assert FilePersistence(path=state)._filter_incomplete_keys(outputs) == {outputs[0]}


def test_a_table_is_used_as_it_is_once_its_digest_has_been_deleted(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = Path("table.csv")
    write_csv(pd.DataFrame({"a": [0.5]}), path)
    runs.mark_damage(path)
    killed = Path(".snakemake/incomplete/b3RoZXI=")  # of a killed run
    killed.write_text('{"external_jobid": null}')
    digest_path(path).unlink()
    runs.remove_accepted_marks()
    left = [file for file in Path(".snakemake/incomplete").rglob("*") if file.is_file()]
    assert left == [killed]


def test_only_a_job_of_a_run_marks_what_is_damaged(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(runs, "end_with_run", lambda: None)
    for run, marked in (("", False), ("1", True)):
        monkeypatch.delenv(runs.RUN_VARIABLE, raising=False)
        if run:
            monkeypatch.setenv(runs.RUN_VARIABLE, run)
        message = r"Error: it is damaged \(log: a\.log\)"
        with pytest.raises(SystemExit, match=message), runs.job("a.log"):
            raise DamageError("it is damaged", "results/a.csv")
        assert Path(".snakemake", "incomplete").exists() is marked


def test_machines_share_compiled_kernels_unless_told_otherwise(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "")
    monkeypatch.setenv(runs.RUN_VARIABLE, "0")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(runs.KERNELS_VARIABLE, "")
    runs.announce_run()
    # Beside the package, where this machine finds them.
    assert os.environ[runs.KERNELS_VARIABLE] == ""
    runs.announce_run(kernels=Path("kernels"))
    assert os.environ[runs.KERNELS_VARIABLE] == str(tmp_path / "kernels")
    runs.announce_run(kernels=Path("others"))
    assert os.environ[runs.KERNELS_VARIABLE] == str(tmp_path / "kernels")


def test_jobs_find_the_package_before_any_other(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", f"a{os.pathsep}{tmp_path}{os.pathsep}b")
    monkeypatch.setenv(runs.RUN_VARIABLE, "0")
    runs.announce_run(tmp_path)
    assert os.environ["PYTHONPATH"].split(os.pathsep) == [str(tmp_path), "a", "b"]
    assert os.environ[runs.RUN_VARIABLE] == str(os.getpid())


@pytest.mark.parametrize(
    ("path", "root"),
    [
        ("resources/raw/a/b.csv", ""),
        ("below/resources/raw/a/b.csv", "below"),
    ],
)
def test_where_the_paths_of_a_plan_start_is_seen_by_one_file(path, root):
    assert runs.root_of(path, Path("resources/raw/a/b.csv")) == Path(root)


def test_a_file_of_ones_own_is_where_it_is():
    assert runs.root_of("/data/b.csv", Path("resources/raw", "/data/b.csv")) == Path()


def test_modules_of_users_may_be_called_like_scripts(tmp_path, monkeypatch):
    """Snakemake puts the folder of a job's script into the path, before that of the study."""
    scripts, study = tmp_path / "scripts", str(tmp_path / "study")
    scripts.mkdir()
    place = str(tmp_path / "rules" / ".." / "scripts")  # as Snakemake writes it
    (tmp_path / "rules").mkdir()
    monkeypatch.setattr(sys, "path", [*sys.path, place, study])
    script = SimpleNamespace(__file__=str(scripts / "draw.py"), __real_file__="a copy")
    monkeypatch.setitem(sys.modules, "__main__", script)
    monkeypatch.delenv(runs.RUN_VARIABLE, raising=False)
    before = [*sys.path]
    with runs.job(str(tmp_path / "draw.log")):
        assert sys.path == [folder for folder in before if folder != place]
