"""Versions, commits and processors as pages and records have them."""

import platform
import subprocess
import sys

import numpy as np
import pytest

from streameval import __version__
from streameval.base.provenance import (
    commit_of,
    machine,
    processor,
    versions,
    versions_text,
)


def git(folder, *words):
    author = ["-c", "user.name=A", "-c", "user.email=a@b.c"]
    command = ["git", "-C", str(folder), *author, *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def clone(tmp_path):
    git(tmp_path, "init", "--quiet")
    (tmp_path / "study.yaml").write_text("studies: []\n", encoding="utf-8")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "First")
    return tmp_path


def test_the_commit_of_a_clone_says_whether_files_differ(clone):
    commit = git(clone, "rev-parse", "HEAD")
    assert commit_of(clone) == commit
    (clone / "study.yaml").write_text("studies: [mine]\n", encoding="utf-8")
    assert commit_of(clone) == f"{commit}-dirty"


def test_a_folder_below_or_without_a_clone_has_no_commit(clone, tmp_path_factory):
    (clone / "below").mkdir()
    assert commit_of(clone / "below") == ""
    assert commit_of(tmp_path_factory.mktemp("plain")) == ""


def test_versions_are_those_that_are_loaded():
    numbers = versions()
    assert numbers["streameval"] == __version__
    assert numbers["Python"] == platform.python_version()
    assert numbers["numpy"] == np.__version__
    words = versions_text({"numpy": numbers["numpy"]})
    assert words == f"numpy {np.__version__}, {sys.platform}"


def test_a_machine_has_a_processor_and_cores():
    assert processor()
    assert machine()["cpu"] == processor()
    assert machine()["cores"] >= 1
