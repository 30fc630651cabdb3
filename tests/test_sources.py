"""Dependencies of a job: computed from imports, compared with the modules that Python loads."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from streameval.base.settings import ROOT
from streameval.base.sources import PACKAGE, closure

SCRIPTS = sorted((ROOT / "workflow" / "scripts").glob("*.py"))

#: What is imported when a function is called.
LATE = re.compile(
    r"""^[ \t]+(?:from|import) streameval|"streameval[.\w]+:\w|iter_modules\(__path__\)""",
    re.MULTILINE,
)

# Each script is run up to its first `with`, in a fork of one process that has loaded the packages
# of others already: that is what takes long. Modules of kinds load no others than they declare, as
# the jobs of a run show (`test_each_job_declares_all_that_it_loads`).
LOAD = """
import json, os, sys
import matplotlib.pyplot, numba, pandas, pooch, pyarrow.parquet, scipy.stats, msgspec, yaml
for script in sys.argv[1:]:
    sys.stdout.flush()
    if os.fork() == 0:
        text = open(script, encoding="utf-8").read()
        exec(compile(text[: text.index("\\nwith ")], script, "exec"), {})
        files = [getattr(module, "__file__", None) or "" for module in [*sys.modules.values()]]
        known = [file for file in files if file.startswith(os.environ["PYTHONPATH"])]
        print(json.dumps([script, known]), flush=True)
        os._exit(0)
    os.wait()
"""


@pytest.fixture(scope="module")
def loaded():
    """The files of the package that Python loads, by the path of a script."""
    run = subprocess.run(
        [sys.executable, "-c", LOAD, *map(str, SCRIPTS)],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(PACKAGE.parent), "PATH": "", "MPLBACKEND": "Agg"},
    )
    return dict(json.loads(line) for line in run.stdout.splitlines())


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_the_closure_is_what_python_loads(script, loaded):
    paths = {path for path in closure(script) if path.suffix == ".py"}
    really = set(map(Path, loaded[str(script)]))
    assert really <= paths
    # Equal, but for what functions import when they are called.
    late = [path for path in really if LATE.search(path.read_text(encoding="utf-8"))]
    assert paths - really <= {path for module in late for path in [*closure(module), module]}


@pytest.fixture
def package(tmp_path):
    """A package of empty modules, into which a test writes imports."""
    folder = tmp_path / "streameval"
    for name in ("__init__", "a", "b", "c", "inner/__init__", "inner/d", "inner/e"):
        (folder / f"{name}.py").parent.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.py").write_text("")
    return folder


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import os, numpy\nfrom streamevaluation import a", []),
        ("import streameval", ["__init__"]),
        ("import streameval.a as x, streameval.b", ["__init__", "a", "b"]),
        ("from streameval.a import f, g as h", ["__init__", "a"]),
        ("from streameval.inner import d as x", ["__init__", "inner/__init__", "inner/d"]),
        ("from streameval import (\n    a,  # one\n    b,\n)", ["__init__", "a", "b"]),
        ("def f():\n    from streameval import c", ["__init__", "c"]),
        (
            "if TYPE_CHECKING:\n    from streameval import a\n\nfrom streameval import b\n",
            ["__init__", "b"],
        ),
        ("# from streameval import a\n", []),
        ('LAZY = {"x": "streameval.inner.d:X"}', ["__init__", "inner/__init__", "inner/d"]),
    ],
)
def test_every_form_of_import_is_found(package, tmp_path, text, expected):
    script = tmp_path / "script.py"
    script.write_text(text)
    assert closure(script, package) == sorted(package / f"{name}.py" for name in expected)


def test_of_a_registry_only_the_entries_that_are_named_count(package, tmp_path):
    (package / "registry.py").write_text('X = {"a": "streameval.a:A", "d": "streameval.inner.d:D"}')
    script = tmp_path / "script.py"
    script.write_text("from streameval import registry")

    def files_for(**chosen: list[str]) -> set[str]:
        entries = {f"streameval.{name}": modules for name, modules in chosen.items()}
        files = closure(script, package, entries=entries)
        return {path.relative_to(package).as_posix() for path in files} - {"__init__.py"}

    whole = {"registry.py", "a.py", "inner/__init__.py", "inner/d.py"}
    assert whole <= files_for()
    assert files_for(registry=[]) == {"registry.py"}
    assert files_for(registry=["streameval.a"]) >= {"registry.py", "a.py"}
    assert "inner/d.py" not in files_for(registry=["streameval.a"])


def test_imports_of_imports_relative_ones_and_data_files_are_found(package, tmp_path):
    (package / "a.py").write_text("from .inner import d")
    (package / "inner" / "d.py").write_text(
        'from . import e\nfrom ..b import x\nPAGE = "page.html"'
    )
    (package / "inner" / "page.html").write_text("")
    (package / "page.html").write_text("")
    script = tmp_path / "script.py"
    script.write_text("from streameval.a import f")
    expected = ("__init__.py", "a.py", "b.py", "inner/__init__.py", "inner/d.py", "inner/e.py")
    assert closure(script, package) == sorted(package / p for p in (*expected, "inner/page.html"))


def test_a_folder_that_lists_itself_needs_all_that_is_in_it(package, tmp_path):
    (package / "inner" / "deeper").mkdir()
    (package / "inner" / "deeper" / "__init__.py").write_text("from streameval import a")
    (package / "inner" / "__init__.py").write_text("for each in iter_modules(__path__): ...")
    script = tmp_path / "script.py"
    script.write_text("from streameval import inner")
    inner = ("inner/__init__.py", "inner/d.py", "inner/deeper/__init__.py", "inner/e.py")
    expected = ("__init__.py", "a.py", *inner)
    assert closure(script, package) == sorted(package / name for name in expected)


def test_each_rule_declares_the_sources_of_its_own_script():
    scripts = {path.stem for path in SCRIPTS}
    for rules in (ROOT / "workflow" / "rules").glob("*.smk"):
        text = rules.read_text(encoding="utf-8")
        for rule in re.split(r"^ *rule\b", text, flags=re.MULTILINE)[1:]:
            name = rule.partition(":")[0].strip()
            (script,) = re.findall(r'script:\s+"\.\./scripts/(\w+)\.py"', rule)
            assert name in ("", script) or name.startswith(f"{script}_")
            # What a raw file must be, its checksum says. That what is declared suffices, a watched
            # run shows (`test_each_job_declares_all_that_it_loads`).
            assert len(re.findall(r"^ +sources=", rule, re.MULTILINE)) == (script != "fetch_raw")
            scripts.discard(script)
    assert not scripts
