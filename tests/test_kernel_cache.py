"""Where compiled kernels are kept, and for how long."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import streameval
from streameval import _note_use
from streameval.learners.adapters.river import RiverLearner
from streameval.learners.registry import LEARNERS, LearnerSpec, load_learners
from streameval.settings import ROOT
from streameval.streams.generators import GENERATORS
from streameval.warm_up import learner_parts, other_parts, warm_up

DAY = 86_400


@pytest.fixture
def home(tmp_path):
    """Folders of kernels by the days since they were used, with something in each."""
    for days in (1, 13, 15, 400):
        kernels = tmp_path / f"kernels-{days}" / "learners"
        kernels.mkdir(parents=True)
        (kernels / "naive_bayes.nbi").touch()
        aged(kernels.parent, days)
    (tmp_path / "module.cpython-311.pyc").touch()
    aged(tmp_path / "module.cpython-311.pyc", 400)
    return tmp_path


def aged(path: Path, days: float) -> None:
    then = time.time() - days * DAY
    os.utime(path, (then, then))


def names(home):
    return {path.name for path in home.iterdir()}


def test_a_new_folder_removes_those_out_of_use(home):
    _note_use(home / "kernels-new")
    kept = {"kernels-new", "kernels-1", "kernels-13", "module.cpython-311.pyc"}
    assert names(home) == kept


def test_use_keeps_a_folder(home):
    before = names(home)
    _note_use(home / "kernels-400")  # is there: nothing is removed
    assert names(home) == before
    _note_use(home / "kernels-new")
    assert "kernels-400" in names(home)
    assert (home / "kernels-400" / "learners" / "naive_bayes.nbi").is_file()


def test_a_folder_that_cannot_be_made_is_no_error_of_ours(home):
    _note_use(home / "module.cpython-311.pyc" / "kernels-new")
    assert "kernels-400" in names(home)


def test_this_process_has_dated_its_folder():
    cache = Path(os.environ["NUMBA_CACHE_DIR"])
    if cache.parent.parent != Path(streameval.__file__).parent:
        pytest.skip("NUMBA_CACHE_DIR is set by the user")
    assert cache.is_dir()


# --- Warming up -------------------------------------------------------------------------

#: Plays a learner over a stream that differs from that of the warm-up in all but types.
PLAY = """
from streameval.learners.naive_bayes import NaiveBayes
from streameval.protocols.folds import InTurn, bootstrap_validation
from streameval.streams.generators.random_tree import random_tree
stream = random_tree(500, classes=4)
for tape in bootstrap_validation(500, allotment=InTurn(2), tested="held_out"):
    NaiveBayes().play(stream, tape, seed=3, scores=True)
"""
WARM_UP = """
from streameval.learners.registry import LearnerSpec
from streameval.warm_up import learner_parts, other_parts, warm_up
parts = learner_parts({"nb": LearnerSpec("nb", "naive_bayes", "NB")}) | other_parts()
chosen = ("nb", "folds", "generator random_tree")
assert [name for name, _ in warm_up({name: parts[name] for name in chosen})] == [*chosen]
"""


def run(code: str, cache: Path) -> set[Path]:
    """Run some code in a process of its own; return the compiled kernels that there are then."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache)}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
    return {path.relative_to(cache) for path in cache.rglob("*.nbc")}


def test_after_a_warm_up_nothing_is_compiled(tmp_path):
    compiled = run(WARM_UP, tmp_path)
    assert any("naive_bayes" in path.name for path in compiled)
    assert run(PLAY, tmp_path) == compiled


def test_everything_has_a_part():
    learners = load_learners(ROOT / "config" / "learners.yaml")
    assert {spec.learner for spec in learners.values()} >= set(LEARNERS)
    assert [*learner_parts(learners)] == [*learners]
    assert {f"generator {name}" for name in GENERATORS} < set(other_parts())


def test_the_other_parts_run():
    finished = dict(warm_up(other_parts()))
    assert [*finished] == [*other_parts()]
    assert min(finished.values()) > 0


def test_adapters_have_nothing_to_compile():
    spec = LearnerSpec("tree", RiverLearner.name, "T", {"model": "river.dummy.NoChangeClassifier"})
    assert learner_parts({"tree": spec}) == {}
