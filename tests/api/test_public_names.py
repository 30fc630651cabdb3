"""Public names of ``streameval``, and the cost of importing it."""

from __future__ import annotations

import ast
import json
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import streameval as se

SOURCE = ast.parse(Path(se.__file__).read_text(encoding="utf-8"))
#: What takes time to import, and is not needed for the name alone.
HEAVY = {"llvmlite", "matplotlib", "msgspec", "numba", "numpy", "pandas", "pyarrow", "pooch"}
HEAVY |= {"requests", "scipy", "tqdm", "yaml"}


def run(code: str, **variables: str) -> str:
    words = [sys.executable, "-c", code]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def for_type_checkers() -> dict[str, str]:
    """The names that type checkers see, and the modules that they see them in."""
    (branch,) = (
        node
        for node in SOURCE.body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    )
    return {alias.name: node.module for node in branch.body for alias in node.names}


def test_type_checkers_see_all_public_names():
    seen = for_type_checkers()
    assert sorted(seen) == sorted(se.__all__)
    for name, module in seen.items():
        assert getattr(se, name) is getattr(sys.modules[module], name)
    assert set(se.__all__) <= set(dir(se))
    assert "__version__" in dir(se)


def test_no_public_name_is_that_of_a_module():
    modules = {module.name for module in pkgutil.iter_modules(se.__path__)}
    assert "api" in modules
    assert not modules & {*se.__all__}


def test_other_names_are_unknown():
    with pytest.raises(AttributeError, match="no attribute 'kapa'"):
        _ = se.kapa
    with pytest.raises(ImportError, match="cannot import name 'kapa'"):
        exec("from streameval import kapa")
    exec("from streameval import measures, kappa, base")


def test_the_import_loads_next_to_nothing():
    code = "import sys, json; before = {*sys.modules}; import streameval; "
    code += "print(json.dumps([*({*sys.modules} - before)]))"
    loaded = json.loads(run(code))
    assert not {name.partition(".")[0] for name in loaded} & HEAVY
    assert [name for name in loaded if name.startswith("streameval.")] == []
    assert len(loaded) < 20, loaded


LOADED = "print([name for name in ('numba', 'matplotlib', 'pandas') if name in sys.modules])"


def test_streams_are_read_without_a_compiler_and_without_pandas(tmp_path):
    paths = []
    for number, last in enumerate(["2,v", ",u", "2020-05-01,v", "true,v"]):
        paths.append(str(tmp_path / f"{number}.csv"))
        Path(paths[-1]).write_text(f"a,y\n1,u\n{last}\n")
    code = "import sys, streameval as se\n"
    code += f"for path in {paths}: se.read(path, target='y')\n" + LOADED
    assert run(code).split() == ["[]"]


def test_evaluations_and_comparisons_need_no_pandas(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("a,y\n" + "1,u\n2,v\n1,u\n2,u\n" * 5)
    classes = [str(path), "--target=y", "--learner=naive_bayes"]
    both = ["compare", *classes, "--learner=majority"]
    numbers = [str(path), "--target=a", "--learner=target_mean"]
    commands = [["evaluate", *classes], ["evaluate", *numbers], both, [*both, "--all"]]
    commands += [[*words, "--json"] for words in commands]
    code = "import sys; from streameval.cli import main\n"
    code += f"for words in {commands}: assert main(words) == 0\n"
    assert run(code + LOADED).splitlines()[-1] == "['numba']"
