"""Tests stand in the folders of their sources, and say by their imports that they belong there."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest

from streameval.base.settings import ROOT

SOURCES, TESTS = ROOT / "src" / "streameval", ROOT / "tests"
#: Folders of tests that no folder of sources has.
NO_ROOMS = {"helpers", "fuzzing", "naive", "cluster", "validation"}
#: Kinds beside the package, whose tests stand in the same folder.
VALIDATION = ROOT / "validation"
#: Tests of these run commands and workflows, or judge claims by a paper's name.
BY_RUNNING = ("pipeline", "papers", "cli/test_start.py")
#: Tests of a study from its file to its pages, or of scripts beside the package: they use any room.
WALKS = (
    *("pipeline/test_own_study.py", "validation/test_record.py"),
    "validation/test_over_bins_calibration.py",
)
#: Folders of sources that tests call through a helper.
THROUGH = {"cli": "helpers.commands.", "items": "helpers.all_kinds."}
#: Folders of sources whose names the package itself exports: all their tests use it whole.
EXPORTED = {"api"}
FILES = sorted(path for path in TESTS.rglob("test_*.py"))
#: The families of kinds in that folder.
FAMILIES = {path.parent.name for path in VALIDATION.glob("*/__init__.py")}


def folder_of(path: Path, top: Path) -> str:
    return "" if path.parent == top else path.parent.relative_to(top).as_posix()


def imported(path: Path) -> list[str]:
    """Return the dotted names that a file imports."""
    names = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return names


def test_each_file_has_a_name_of_its_own():
    """Two of one name cannot be collected in one run, though each can alone."""
    names = [path.name for path in FILES]
    assert sorted(set(names)) == sorted(names)


def test_each_class_of_the_package_has_a_name_of_its_own():
    modules: dict[str, list[str]] = {}
    for path in SOURCES.rglob("*.py"):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                modules.setdefault(node.name, []).append(path.relative_to(SOURCES).as_posix())
    assert len(modules) > 300
    twice = {name: paths for name, paths in modules.items() if len(paths) > 1}
    assert not twice, f"Rename all but one of each: {twice}"


def rooms_of(names: list[str]) -> set[str]:
    """Return the folders of the package that hold what these names stand for.

    Errors, files and settings, on which all stands, are of no folder.
    """
    rooms = set()
    for name in names:
        package, *parts = name.split(".")
        if package != "streameval":
            if package in FAMILIES:
                rooms.add(f"validation/{package}")
            continue
        depth = 0
        while depth < len(parts) and SOURCES.joinpath(*parts[: depth + 1]).is_dir():
            depth += 1
        rooms.add("/".join(parts[:depth]))
    return {"" if room == "base" else room for room in rooms}


def test_each_folder_of_sources_has_tests_and_the_other_way_round():
    sources = {
        folder_of(path, SOURCES)
        for path in SOURCES.rglob("*.py")
        if path.name != "__init__.py" or "\ndef " in path.read_text()
    }
    sources |= {f"validation/{family}" for family in FAMILIES}
    tests = {folder_of(path, TESTS) for path in FILES}
    assert tests - NO_ROOMS == sources


def test_the_package_imports_nothing_from_the_kinds_beside_it():
    names = {path.stem for path in VALIDATION.iterdir() if path.is_dir() or path.suffix == ".py"}
    assert names >= FAMILIES
    assert FAMILIES
    taken = {
        f"{path.relative_to(SOURCES)}: {name}"
        for path in SOURCES.rglob("*.py")
        for name in imported(path)
        if name.partition(".")[0] in names
    }
    assert not taken


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(TESTS).as_posix())
def test_a_test_belongs_to_its_folder(path):
    folder, names = folder_of(path, TESTS), imported(path)
    for module in {name.partition(".")[0] for name in names}:
        beside = path.with_name(f"{module}.py")  # it may call what it tests through this one
        names += imported(beside) if beside in FILES else []
    rooms = rooms_of(names)
    if folder:
        beneath = {room for room in rooms if room.startswith(f"{folder}/")}
        runs = path.relative_to(TESTS).as_posix().startswith(BY_RUNNING)
        exported = folder in EXPORTED and "streameval" in names
        exported |= any(name.startswith(THROUGH.get(folder, " ")) for name in names)
        there = rooms | {"base"} if "" in rooms else rooms
        belongs = folder in there or len(beneath) > 1 or exported or (runs and not rooms - {""})
        walks = path.relative_to(TESTS).as_posix() in WALKS
        assert belongs or walks, f"its sources are in {sorted(rooms)}"
    else:
        assert len(rooms) != 1 or "" in rooms, f"all that it tests is in {rooms}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(TESTS).as_posix())
def test_a_test_takes_from_the_tests_of_its_folder_only(path):
    """Pytest finds another one's modules if that one was collected before, or not at all."""
    taken = {name.split(".")[0] for name in imported(path)}
    others = {other.stem for other in FILES if other.parent != path.parent}
    assert not taken & others


def test_only_tests_and_their_rooms_are_in_the_folder_of_tests():
    rooms = {folder.name for folder in SOURCES.iterdir() if folder.is_dir()} | NO_ROOMS
    there = {path.name for path in TESTS.iterdir() if path.is_dir() and any(path.rglob("*.py"))}
    assert there <= rooms
    assert {path.name for path in TESTS.glob("*.py") if path not in FILES} == {"conftest.py"}


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
