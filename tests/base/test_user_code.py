"""Files of users' code: every way of importing, wherever Python finds the module."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from streameval.base import user_code
from streameval.base.module_references import module_references
from streameval.base.sources import PACKAGE
from streameval.base.user_code import (
    file_of_module,
    user_module_files,
    user_script_files,
)

#: Modules and files beside the module `mine`.
BESIDE = (
    *("a.py", "b.py", "tools/__init__.py", "tools/c.py", "tools/d.py", "plain/e.py"),
    *("weights.csv", "tools/start.csv", "plain/deeper.v2/start.npy"),
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with empty modules and files; the working folder is another one."""
    folder = tmp_path / "study"
    for name in BESIDE:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return folder


def names(folder, files):
    return {file.relative_to(folder).as_posix() for file in files}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import a, numpy, json", {"a.py"}),
        ("def f():\n    import a", {"a.py"}),
        ("try: import a\nexcept ImportError: import b", {"a.py", "b.py"}),
        ("from a import \\\n    x, y", {"a.py"}),
        ("from tools import c, something", {"tools/__init__.py", "tools/c.py"}),
        ("import tools.c as other", {"tools/__init__.py", "tools/c.py"}),
        ("from tools import *", {"tools/__init__.py", "tools/c.py", "tools/d.py"}),
        ("import plain.e", {"plain/e.py"}),
        (
            "import importlib\nimportlib.import_module('tools.d')",
            {"tools/__init__.py", "tools/d.py"},
        ),
        ("__import__('a')", {"a.py"}),
        ("PLACES = {'x': 'tools.c:X'}", {"tools/__init__.py", "tools/c.py"}),
        ("# import a\nTEXT = 'import b'", set()),
        ("import nowhere, a.nothing", {"a.py"}),
        ("open(HERE / 'weights.csv')", {"weights.csv"}),
        ("open(f'{HERE}/weights.csv')", {"weights.csv"}),
        ("open(HERE / 'tools' / 'start.csv')", {"tools/start.csv"}),
        ("os.path.join(HERE, 'tools', 'start.csv')", {"tools/start.csv"}),
        ("Path(HERE, 'plain/deeper.v2', 'start.npy')", {"plain/deeper.v2/start.npy"}),
        ("open('none.csv'), open('a\\0.csv'), open('x' * 3 + '.csv')", set()),
        ("def f(:\n    import a", set()),
    ],
)
def test_every_form_of_import_and_of_a_file_is_followed(folder, text, expected):
    (folder / "mine.py").write_text(text)
    assert names(folder, user_module_files(["mine"], str(folder))) == {"mine.py", *expected}


def test_relative_imports_start_at_their_package(folder):
    (folder / "tools" / "__init__.py").write_text("from . import c")
    (folder / "tools" / "c.py").write_text("from .inner.deep import f\n")
    (folder / "tools" / "inner").mkdir()
    (folder / "tools" / "inner" / "__init__.py").write_text("")
    (folder / "tools" / "inner" / "deep.py").write_text("from ..d import g\nfrom ... import a\n")
    expected = {"__init__", "c", "d", "inner/__init__", "inner/deep"}
    files = names(folder, user_module_files(["tools"], str(folder)))
    assert files == {"a.py", *(f"tools/{name}.py" for name in expected)}


def test_a_package_that_imports_all_of_its_modules_has_them(folder):
    text = "for one in pkgutil.iter_modules(__path__):\n    import_module(f'tools.{one.name}')\n"
    (folder / "tools" / "__init__.py").write_text(text)
    files = names(folder, user_module_files(["tools"], str(folder)))
    assert files == {"tools/__init__.py", "tools/c.py", "tools/d.py"}


def test_a_module_elsewhere_is_followed_and_the_package_is_not(folder, tmp_path, monkeypatch):
    """Also where a module of the same name is loaded already."""
    (tmp_path / "path").mkdir()
    (tmp_path / "path" / "far.py").write_text("import far_too, streameval.base.errors\n")
    (tmp_path / "path" / "far_too.py").write_text("import a\n")
    monkeypatch.syspath_prepend(tmp_path / "path")
    monkeypatch.setitem(sys.modules, "far_too", sys)
    (folder / "mine.py").write_text("from streameval.learners import knn\nimport far\n")
    files = names(tmp_path, user_module_files(["mine"], str(folder)))
    assert files == {"study/mine.py", "path/far.py", "path/far_too.py", "study/a.py"}
    assert not any(PACKAGE in file.parents for file in user_module_files(["far"], str(folder)))


def test_files_of_the_working_folder_are_followed_but_none_that_a_run_makes(
    folder, tmp_path, monkeypatch
):
    here = tmp_path / "here"
    for name in ("start.json", "results/tables/own/table1.csv"):
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_text("")
    text = "open('start.json'), open('results/tables/own/table1.csv')"
    (folder / "mine.py").write_text(text)
    files = names(tmp_path, user_module_files(["mine"], str(folder)))
    assert files == {"study/mine.py", "here/start.json"}


def test_of_an_installed_package_its_record_tells_of_edits(folder, tmp_path, monkeypatch):
    """An installation of another version has another record, whatever file has changed."""
    site = tmp_path / "venv" / "site-packages"
    for name, text in {
        "theirs/__init__.py": "import inner\n",
        "theirs_more-2.0.dist-info/RECORD": "theirs_more/__init__.py,sha256=0,0\n",
        "models-1.0.dist-info/RECORD": "models/x.py,,\ntheirs/__init__.py,sha256=1,2\n",
    }.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text)
    monkeypatch.syspath_prepend(site)
    expected = {"theirs/__init__.py", "models-1.0.dist-info/RECORD"}
    assert names(site, user_module_files(["theirs"], str(folder))) == expected
    # An import of a user's module is not followed there.
    (folder / "mine.py").write_text("import theirs\n")
    assert names(folder, user_module_files(["mine"], str(folder))) == {"mine.py"}


def test_a_script_is_followed_from_the_folder_of_its_package(folder):
    script = folder / "tools" / "c.py"
    script.write_text("from tools.d import f\nimport a\n")
    files = names(folder, user_script_files(script))
    assert files == {"tools/c.py", "tools/__init__.py", "tools/d.py", "a.py"}


def test_nothing_is_imported_to_find_a_file(folder):
    (folder / "tools" / "__init__.py").write_text("raise SystemExit")
    assert file_of_module("tools.c", str(folder)) == folder / "tools" / "c.py"
    assert file_of_module("tools", str(folder)) == folder / "tools" / "__init__.py"
    assert not file_of_module("tools.nothing", str(folder)).is_file()
    assert not file_of_module("nothing", str(folder)).is_file()


def test_an_edit_is_noticed_in_the_same_process(folder):
    module = folder / "mine.py"
    module.write_text("import a")
    assert module_references(module).absolute_imports == {"a"}
    module.write_text("import b, c")
    assert module_references(module).absolute_imports == {"b", "c"}


#: Folders whose modules have the same name, searched until the end or for a moment.
SEARCHED = """
import importlib, sys
from streameval.base.user_code import importing_from, search_folder
first, second = sys.argv[1:]
before = [*sys.path]

def origin():
    sys.modules.pop("same", None)
    try:
        return importlib.import_module("same").__file__.rpartition("/")[0]
    except ImportError:
        return None

assert origin() is None
search_folder("")
assert sys.path == before
search_folder(first)
assert origin() == first
with importing_from(second):
    assert origin() == second
assert origin() == first
search_folder(second)
assert origin() == second
with importing_from(first):
    assert origin() == first
assert sys.path[: len(before)] == before
assert {*sys.path[len(before) :]} == {first, second}
import json
assert "study" not in json.__file__
"""


def test_a_folder_is_searched_last_and_the_newest_first(tmp_path):
    for name in ("study_a", "study_b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "same.py").write_text("")
        (tmp_path / name / "json.py").write_text("")
    folders = [str(tmp_path / name) for name in ("study_a", "study_b")]
    subprocess.run([sys.executable, "-c", SEARCHED, *folders], check=True)


#: Prints what a module of a user's returns that imports another one.
IMPORTED = """
import sys
from streameval.base.other_tools import import_user_module
print(import_user_module("mine", sys.argv[1]).LABEL)
"""


def test_an_edit_that_keeps_size_and_time_is_loaded(folder):
    (folder / "mine.py").write_text("from tools.c import LABEL\n")
    unset = ("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX")
    environment = {name: value for name, value in os.environ.items() if name not in unset}
    printed = []
    for label in (1, 2, 2):
        (folder / "tools" / "c.py").write_text(f"LABEL = {label}\n")
        os.utime(folder / "tools" / "c.py", (1e9, 1e9))
        command = [sys.executable, "-c", IMPORTED, str(folder)]
        finished = subprocess.run(
            command, env=environment, check=True, capture_output=True, text=True
        )
        printed.append(finished.stdout.strip())
    assert list((folder / "tools" / "__pycache__").glob("c.*.pyc"))
    assert printed == ["1", "2", "2"]


def test_a_folder_that_left_the_path_is_searched_again(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(user_code, "_searched", [])
    before = list(sys.path)
    user_code.search_folder(str(tmp_path))
    sys.path[:] = before
    user_code.search_folder(str(tmp_path))
    assert sys.path == [*before, str(tmp_path)]
