"""The package imports nothing that is not installed with it, and no module in a circle."""

from __future__ import annotations

import ast
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import grimp

from streameval.base.settings import ROOT

SOURCES = ROOT / "src" / "streameval"
#: Kinds beside the package.
VALIDATION = ROOT / "validation"


@cache
def imported(path: Path) -> list[str]:
    """The dotted names that a file imports."""
    names = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return names


def test_the_package_imports_nothing_from_the_kinds_beside_it():
    names = {path.stem for path in VALIDATION.iterdir() if path.is_dir() or path.suffix == ".py"}
    assert names
    taken = {
        f"{path.relative_to(SOURCES)}: {name}"
        for path in SOURCES.rglob("*.py")
        for name in imported(path)
        if name.partition(".")[0] in names
    }
    assert not taken


def test_no_modules_import_each_other_not_even_for_types():
    """The package itself names all; the linter of imports leaves those for types out."""
    graph = grimp.build_graph("streameval", exclude_type_checking_imports=False)
    modules = graph.modules - {"streameval"}
    below = {name: graph.find_modules_directly_imported_by(name) & modules for name in modules}
    for path in SOURCES.rglob("*.py"):  # `from PACKAGE import MODULE` runs the package first
        parts = path.relative_to(SOURCES.parent).with_suffix("").parts
        name = ".".join(parts).removesuffix(".__init__")
        packages = {dotted.rpartition(".")[0] for dotted in imported(path)}
        below.get(name, set()).update(packages & modules - {name})
    TopologicalSorter(below).prepare()  # says which, where there is a circle
