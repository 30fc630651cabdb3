"""Imports and string constants of a Python file, read from its syntax tree without running it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

#: Functions that import a module by its name: `importlib.import_module` and `__import__`.
_IMPORT_FUNCTIONS = ("import_module", "__import__")
#: A string that names an object of a module, such as "package.module:name".
_OBJECT_NAME = re.compile(r"(\w+(?:\.\w+)*):\w+")


@dataclass(frozen=True)
class ModuleReferences:
    """Imported names, each with its number of leading dots, and strings of one Python file.

    A name may be a module, or an object in a module. ``from .a import b`` gives (1, "a") and
    (1, "a.b"). Strings that are parts of one path, ``HERE / "a" / "b.csv"``, are also joined.
    """

    imports: frozenset[tuple[int, str]] = frozenset()
    strings: frozenset[str] = frozenset()

    @property
    def absolute_imports(self) -> set[str]:
        """Absolute imports, and modules of strings like "package.module:name"."""
        modules = {match[1] for text in self.strings if (match := _OBJECT_NAME.fullmatch(text))}
        return modules | {name for level, name in self.imports if not level}

    @property
    def relative_imports(self) -> set[tuple[int, str]]:
        """Relative imports: number of leading dots, and name."""
        return {(level, name) for level, name in self.imports if level}


def module_references(path: Path) -> ModuleReferences:
    """Imports and strings of a Python file, also inside functions; none if the file is invalid."""
    status = path.stat()
    return _references(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=4096)
def _references(path: Path, _mtime_ns: int, _size: int) -> ModuleReferences:
    """Cached references; time and size are part of the key, so that an edited file is read."""
    try:
        nodes = list(ast.walk(ast.parse(path.read_bytes())))
    except (SyntaxError, ValueError):  # the import itself reports the error
        return ModuleReferences()
    imports = frozenset(name for node in nodes for name in _imports(node))
    return ModuleReferences(imports, frozenset(text for node in nodes for text in _strings(node)))


def _imports(node: ast.AST) -> Iterator[tuple[int, str]]:
    if isinstance(node, ast.Import):
        yield from ((0, alias.name) for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        module = node.module or ""
        yield node.level, module
        yield from ((node.level, f"{module}.{alias.name}".strip(".")) for alias in node.names)
    elif isinstance(node, ast.Call) and node.args:
        function = node.func
        name_of_function = getattr(function, "attr", "") or getattr(function, "id", "")
        if name_of_function in _IMPORT_FUNCTIONS and (name := _string(node.args[0])):
            yield len(name) - len(name.lstrip(".")), name.lstrip(".")


def _strings(node: ast.AST) -> Iterator[str]:
    if text := _string(node):
        yield text
    elif isinstance(node, ast.Call):  # Path(HERE, "a", "b.csv"), os.path.join(HERE, "a", "b.csv")
        yield from _paths([_string(argument) for argument in node.args])
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        yield from _paths(_path_parts(node))


def _string(node: ast.AST) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _path_parts(node: ast.AST) -> list[str]:
    """Operands of ``HERE / "a" / "b.csv"``; "" stands for operands that are not strings."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        return [*_path_parts(node.left), _string(node.right)]
    return [_string(node)]


def _paths(parts: list[str]) -> Iterator[str]:
    """Yield the path that the trailing strings form, if there are at least two."""
    n_trailing = len(parts) if all(parts) else parts[::-1].index("")
    if n_trailing > 1:
        yield "/".join(parts[-n_trailing:])
