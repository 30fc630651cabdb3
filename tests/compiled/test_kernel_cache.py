"""Where compiled kernels are kept, and for how long."""

from __future__ import annotations

import errno
import importlib
import io
import os
import pickle
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from numba import njit
from numba.core.caching import IndexDataCacheFile

from streameval.base.settings import ROOT
from streameval.base.sources import PACKAGE, cache_folder
from streameval.compiled import kernel_cache
from streameval.compiled.kernel_cache import _mark_used, _warn, cache_on_disk
from streameval.detectors.registry import DETECTORS
from streameval.learners.adapters.river import RiverLearner
from streameval.learners.registry import LearnerSpec, built_in_learners, load_learners
from streameval.learners.tasks import CLASSIFICATION, REGRESSION
from streameval.pipeline.non_learner_parts import non_learner_parts
from streameval.pipeline.warm_up import learner_parts, warm_up
from streameval.streams.generators import GENERATORS

pytestmark = pytest.mark.compiled

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
    before = names(home)
    _mark_used(home / "kernels-400")  # is there: nothing is removed
    assert names(home) == before
    _mark_used(home / "kernels-new")
    assert names(home) == {"kernels-new", *before} - {"kernels-15"}
    assert (home / "kernels-400" / "learners" / "naive_bayes.nbi").is_file()


def test_a_process_dates_the_folders_that_it_reads(kernels, tmp_path):
    assert kernels()
    (folder,) = (tmp_path / "cache" / "streameval").iterdir()
    aged(folder, 13)
    kernel_cache._mark_used_once.cache_clear()  # as in a new process
    assert not kernels()
    assert time.time() - folder.stat().st_mtime < DAY


def test_a_user_without_a_home_gets_a_folder_all_the_same(monkeypatch):
    def no_home():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", no_home)
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    for is_writable in (True, False):
        monkeypatch.setattr(os, "access", lambda *_, answer=is_writable: answer)
        assert cache_folder() == PACKAGE / "__pycache__"


def test_a_home_that_cannot_be_entered_is_no_error_of_ours(tmp_path, monkeypatch):
    def refuse(_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "is_dir", refuse)
    _mark_used(tmp_path / "kernels-new")


# --- Damaged, full, read-only -----------------------------------------------------------


@pytest.fixture
def kernels(tmp_path, monkeypatch, caplog):
    """A function that compiles a kernel with a cache in `tmp_path` and says if that was needed."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    _warn.cache_clear()
    name = f"doubling_{tmp_path.name}"  # numba knows modules by their names
    source = "def double(x):\n    return x + x\n"
    (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)

    def compiled_anew() -> bool:
        double = cache_on_disk(njit()(importlib.import_module(name).double))
        assert (double(21), double(0.5)) == (42, 1.0)
        return sum(double.stats.cache_misses.values()) > 0

    return compiled_anew


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[: len(content) // 2],
        lambda content: bytes([*content[:99], content[99] ^ 8, *content[100:]]),
    ],
)
def test_a_damaged_kernel_is_compiled_anew(kernels, tmp_path, caplog, ending, damage):
    assert kernels()
    assert not kernels()
    paths = list(tmp_path.rglob(f"*.{ending}"))
    assert paths
    for path in paths:
        path.write_bytes(damage(path.read_bytes()))
    assert kernels()
    assert not kernels()  # and it is whole again
    assert not caplog.messages


class _Done:
    """What makes a folder where it is unpickled."""

    def __init__(self, folder):
        self._folder = folder

    def __reduce__(self):
        return os.mkdir, (self._folder,)


def test_a_kernel_of_another_user_is_not_unpickled(kernels, tmp_path, monkeypatch):
    assert kernels()
    content = pickle.dumps(_Done(str(tmp_path / "done")))
    with monkeypatch.context() as changed:
        for path in tmp_path.rglob("*.nb?"):
            path.write_bytes(content + kernel_cache._checksum(content))
            if os.geteuid() == 0:
                os.chown(path, 12345, -1)
        if os.geteuid() != 0:
            changed.setattr(kernel_cache, "_user_id", lambda: os.getuid() + 1)
        assert kernels()
        assert not (tmp_path / "done").exists()
    assert not kernels()


def test_an_index_that_cannot_be_loaded_is_replaced(kernels, tmp_path, caplog):
    """Its checksum is right, and the module that it names is gone."""
    assert kernels()
    content = b"cno_such_module\nGone\n."
    for path in tmp_path.rglob("*.nbi"):
        path.write_bytes(content + kernel_cache._checksum(content))
    assert kernels()
    assert not kernels()
    assert not caplog.messages


def test_where_nothing_can_be_kept_one_line_says_so(kernels, tmp_path, caplog):
    (tmp_path / "cache").touch()
    assert kernels()
    assert kernels()
    (message,) = caplog.messages
    assert "Not a directory" in message
    assert "\n" not in message


def test_a_full_disk_leaves_no_half_a_kernel(kernels, tmp_path, caplog, monkeypatch):
    class Full(io.BytesIO):
        def write(self, content):
            raise OSError(errno.ENOSPC, "No space left on device")

    @contextmanager
    def open_for_write(self, path):
        yield Full()

    monkeypatch.setattr(IndexDataCacheFile, "_open_for_write", open_for_write)
    assert kernels()
    (message,) = caplog.messages
    assert "No space left on device" in message
    assert not list(tmp_path.rglob("*.nb?"))


#: Compiles a kernel for numbers after it has failed for a text, and says if that was needed.
TOGETHER = """
from numba import njit
from numba.core.errors import NumbaError
from streameval.compiled.kernel_cache import cache_on_disk
import tripling
triple = cache_on_disk(njit()(tripling.triple))
try:
    triple("a")
    raise AssertionError("there is no third of a text")
except NumbaError:
    pass
assert triple(4.0) == 12.0
print(sum(triple.stats.cache_misses.values()) - 1)
"""


def test_of_processes_that_need_a_kernel_at_once_one_compiles_it(tmp_path):
    (tmp_path / "tripling.py").write_text(
        "def triple(x):\n    return x + x + x / 1\n", encoding="utf-8"
    )
    here = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "kernels"), "PYTHONPATH": str(tmp_path)}
    begun = [
        subprocess.Popen([sys.executable, "-c", TOGETHER], env=here, stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    assert sum(int(process.communicate()[0]) for process in begun) == 1
    assert not any(process.returncode for process in begun)


def test_a_process_waits_for_another_one_with_patience_only(kernels, tmp_path, monkeypatch):
    fcntl = pytest.importorskip("fcntl")
    assert kernels()
    (lock,) = tmp_path.rglob("*.lock")
    for path in tmp_path.rglob("*.nb?"):
        path.unlink()
    monkeypatch.setattr(kernel_cache, "_MAX_WAIT", 0.3)
    with lock.open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        begun = time.monotonic()
        assert kernels()
        assert time.monotonic() - begun >= 0.3
    assert not kernels()


def test_kernels_of_another_make_are_compiled_anew(kernels, monkeypatch):
    """Whole files that cannot be unpickled, as the classes in them have moved."""
    kernels()

    def moved(*_):
        raise AttributeError("Can't get attribute 'State'")

    with monkeypatch.context() as changed:
        changed.setattr(IndexDataCacheFile, "_load_data", moved)
        assert kernels()


def test_a_file_of_another_kernel_is_no_hit(kernels, tmp_path):
    """Two processes that save at once may both take the first free name."""
    kernels()
    paths = sorted(tmp_path.rglob("*.nbc"))
    assert len(paths) == 2
    first, second = (path.read_bytes() for path in paths)
    paths[0].write_bytes(second)
    paths[1].write_bytes(first)
    assert kernels()


# --- What an edit recompiles ------------------------------------------------------------

#: Calls two kernels: that of `counting` imports no other, that of `java_random` imports `lanes`.
CALL = """
import numpy as np
from streameval.compiled.java_random import next_double
from streameval.measures.counting import tally
tally([0, 1, 1], [0, 1, 1], 2, no_change=[0, 1, 1], majority=[0, 1, 1])
next_double(np.array([1], np.int64))
"""


class Checkout:
    """A copy of the package, to be edited."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self.package, self.cache = folder / "streameval", cache
        shutil.copytree(PACKAGE, self.package, ignore=shutil.ignore_patterns("__pycache__"))
        self.environment = os.environ | {"PYTHONPATH": str(folder), "NUMBA_CACHE_DIR": str(cache)}

    def edit(self, *names: str) -> None:
        for name in names:
            with (self.package / name).open("a", encoding="utf-8") as file:
                file.write("\n# Edited.\n")

    def compiled_anew(self) -> set[str]:
        """Call the kernels in a process of its own; return the modules that are compiled anew."""
        before = self._files()
        subprocess.run([sys.executable, "-c", CALL], env=self.environment, check=True)
        return {path.parent.name.split("-")[1] for path in self._files() - before}

    def _files(self) -> set[Path]:
        return {*self.cache.rglob("*.nbc")}


BOTH = {"compiled.java_random", "measures.counting"}


def test_an_edit_recompiles_what_it_may_change_in_its_checkout_only(tmp_path):
    first, second = (Checkout(tmp_path / name, tmp_path / "cache") for name in ("a", "b"))
    lanes = second.package / "compiled" / "lanes.py"
    text = lanes.read_text(encoding="utf-8")
    assert first.compiled_anew() == BOTH
    # Equal sources, one of them touched, or edits of what the kernels do not import.
    lanes.touch()
    second.edit("drawing/style.py", "items/dependence/lags.py", "cli/check.py", "base/settings.py")
    second.edit("streams/stream.py", "learners/knn.py")
    assert second.compiled_anew() == set()
    second.edit("compiled/lanes.py")
    assert second.compiled_anew() == {"compiled.java_random"}
    lanes.write_text(text, encoding="utf-8")
    assert second.compiled_anew() == set()
    second.edit("compiled/kernels.py")
    assert second.compiled_anew() == BOTH
    assert first.compiled_anew() == set()


# --- Warming up -------------------------------------------------------------------------

#: Plays a learner over a stream that differs from that of the warm-up in all but types. Kernels of
#: all learners have inputs, labels, tape and scores for arguments; this one compiles in a second.
PLAY = """
from streameval.learners.label_forecasts import LabelProportions
from streameval.protocols.folds import RoundRobinAllotment, bootstrap_validation
from streameval.streams.generators.random_tree import RandomTree
stream = RandomTree(classes=4).stream(500)
for tape in bootstrap_validation(500, allotment=RoundRobinAllotment(2), tested="held_out"):
    LabelProportions().run(stream, tape, seed=3, scores=True)
"""
WARM_UP = """
from streameval.learners.registry import LearnerSpec
from streameval.pipeline.non_learner_parts import non_learner_parts
from streameval.pipeline.warm_up import learner_parts, warm_up
parts = learner_parts({"p": LearnerSpec("p", "label_proportions", "P")}) | non_learner_parts()
chosen = ("p", "folds", "generator random_tree")
warmed = [name for name, _ in warm_up({name: parts[name] for name in chosen}, PROCESSES)]
assert sorted(warmed) == sorted(chosen)
"""


def run(code: str, cache: Path) -> set[Path]:
    """Run some code in a process of its own; return the compiled kernels that there are then."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache)}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
    return {path.relative_to(cache) for path in cache.rglob("*.nbc")}


def test_after_a_warm_up_in_one_or_two_processes_nothing_is_compiled(tmp_path):
    compiled = run(WARM_UP.replace("PROCESSES", "1"), tmp_path / "one")
    assert any("label_forecasts" in path.name for path in compiled)
    assert run(PLAY, tmp_path / "one") == compiled
    assert run(WARM_UP.replace("PROCESSES", "2"), tmp_path / "two") == compiled


def test_everything_has_a_part():
    learners = load_learners(ROOT / "config" / "learners.yaml")
    names = {*built_in_learners(CLASSIFICATION), *built_in_learners(REGRESSION)}
    assert {spec.learner for spec in learners.values()} >= names
    assert [*learner_parts(learners)] == [*learners]
    assert {f"generator {name}" for name in GENERATORS} < set(non_learner_parts())
    assert {f"detector {name}" for name in DETECTORS} < set(non_learner_parts())


def test_the_non_learner_parts_run():
    finished = dict(warm_up(non_learner_parts()))
    assert [*finished] == [*non_learner_parts()]
    assert min(finished.values()) > 0


def test_adapters_have_nothing_to_compile():
    spec = LearnerSpec("tree", RiverLearner.name, "T", {"model": "river.dummy.NoChangeClassifier"})
    assert learner_parts({"tree": spec}) == {}


def test_a_terminal_is_told_that_a_learner_is_compiled(tmp_path):
    """A person waits; a log file, and a second run, hear nothing of it."""
    pty = pytest.importorskip("pty")
    table = tmp_path / "two.csv"
    table.write_text("a,y\n1,u\n2,v\n3,u\n", encoding="utf-8")
    words = ["-m", "streameval", "evaluate", str(table), "--target", "y", "--learner"]
    here = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "kernels"), "PYTHONSAFEPATH": "1"}

    def run_command(error):
        command = [sys.executable, *words, "label_proportions"]
        subprocess.run(command, check=True, env=here, stdout=subprocess.DEVNULL, stderr=error)

    terminal, screen = pty.openpty()
    run_command(screen)
    assert os.read(terminal, 1000).startswith(b"Compiling label_forecasts")
    os.write(screen, b"then: ")
    run_command(screen)
    assert os.read(terminal, 1000) == b"then: "
