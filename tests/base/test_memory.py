"""Tables that do not fit into the memory are refused before any work."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from streameval.base import memory
from streameval.base.errors import DataError
from streameval.base.memory import check_room
from streameval.learners.registry import LEARNERS
from streameval.learners.wrappers.registry import wrap_learner
from streameval.protocols.prequential import prequential
from streameval.streams.stream import Attribute, Schema, Stream

CLASSES = 20_000


@pytest.fixture
def stream():
    random = np.random.default_rng(1)
    y = random.permutation(CLASSES).astype(np.int32)
    classes = tuple(f"c{i}" for i in range(CLASSES))
    schema = Schema((Attribute("a", None),), "class", classes)
    return Stream(random.normal(size=(CLASSES, 1)), y, schema, "many", "many.csv")


@pytest.mark.parametrize(
    ("learner", "wrapper", "message"),
    [
        (
            "naive_bayes",
            "temporally_augmented",
            "would need 3.0 GiB of memory, more than half of the 1.0 GiB that are free. Merge",
        ),
        (
            "naive_bayes",
            "temporal_correction",
            "20,001 previous labels x 20,000 classes, and scores of 20,000 classes for each",
        ),
        ("hoeffding_tree", "temporally_augmented", "320,016 nodes, for 20,000 classes and splits"),
    ],
)
def test_pairs_of_many_classes(monkeypatch, stream, learner, wrapper, message):
    monkeypatch.setattr(memory, "free_bytes", lambda: 2**30)
    played = []
    with pytest.raises(DataError) as caught:
        wrap_learner(LEARNERS[learner](), wrapper).run(
            stream, prequential(len(stream)), progress=played.append
        )
    assert message in str(caught.value)
    assert not played


def test_scores_of_many_classes(monkeypatch, stream):
    monkeypatch.setattr(memory, "free_bytes", lambda: 2**30)
    with pytest.raises(DataError, match=r"20,000 classes .*20,000 predictions"):
        LEARNERS["no_change"]().run(stream, prequential(len(stream)), scores=True)


def test_what_fits_is_not_refused(monkeypatch):
    monkeypatch.setattr(memory, "free_bytes", lambda: 2**30)
    check_room(2**29, "It", "Do.")
    with pytest.raises(DataError, match=r"It .*0\.6 GiB .*free\. Do\."):
        check_room(2**29 + 2**26, "It", "Do.")
    monkeypatch.setattr(memory, "free_bytes", lambda: 0)
    check_room(2**20, "It", "Do.")  # small tables are not worth the question


def group(folder, most, taken, cache, names):
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in zip(names, (most, taken), strict=True):
        (folder / name).write_text(f"{text}\n", encoding="ascii")
    key = "inactive_file" if names[0] == "memory.max" else "total_inactive_file"
    (folder / "memory.stat").write_text(f"anon 7\n{key} {cache}\n", encoding="ascii")


VERSIONS = {
    "0::/slurm/job_1/step_0\n": ("", ("memory.max", "memory.current")),
    "8:pids:/\n3:memory:/slurm/job_1/step_0\n": (
        "memory",
        ("memory.limit_in_bytes", "memory.usage_in_bytes"),
    ),
}


@pytest.mark.parametrize("text", VERSIONS)
def test_a_job_or_container_has_the_memory_that_its_groups_leave_it(tmp_path, text):
    place, names = VERSIONS[text]
    (tmp_path / "cgroup").write_text(text, encoding="ascii")
    job = tmp_path / "mount" / place / "slurm" / "job_1"

    def free():
        return memory._free_in_cgroups(tmp_path / "cgroup", tmp_path / "mount")

    assert free() == sys.maxsize
    group(job / "step_0", "max", 900, 100, names)
    assert free() == sys.maxsize
    group(job, 4000, 1000, 300, names)  # 300 of the 1000 are files' contents, kept for later
    assert free() == 3300
    group(job / "step_0", 3000, 900, 100, names)
    assert free() == 2200
    group(job / "step_0", 500, 900, 100, names)
    assert free() == 0


def test_without_groups_all_of_the_machine_counts(tmp_path):
    assert memory._free_in_cgroups(tmp_path / "none", tmp_path) == sys.maxsize
    assert 2**26 < memory.free_bytes() <= memory._free_on_machine() + 2**26
