"""Which functions of the package are compared with their twins: found by reading the sources."""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterator, Mapping
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parents[1]
SOURCES = TESTS.parent / "src"

#: What compiles a function, in `streameval.compiled.kernels`.
COMPILERS = {"kernel", "part", "inlined", "open_inlined", "generating"}

#: What draws the inputs of tests, in `naive`, and is no twin there.
DRAWS = {("naive.detectors", "uniforms"), ("naive.detectors", "inputs")}

#: A name at the top of a module: the module and the name.
Place = tuple[str, str]


def texts() -> dict[str, str]:
    """Return the texts of the modules of the package and of the tests, by their dotted names."""
    found = {}
    for top, folder in ((SOURCES, SOURCES / "streameval"), (TESTS, TESTS)):
        for path in sorted(folder.rglob("*.py")):
            name = ".".join(path.relative_to(top).with_suffix("").parts)
            found[name.removesuffix(".__init__")] = path.read_text(encoding="utf-8")
    return found


class Sources:
    """What modules define at their top, and what each of it uses.

    A class uses what its methods use. An entry of a dict with texts as keys, such as a registry,
    counts as used only if a test or a twin has its key as a text.

    Parameters
    ----------
    texts : mapping of str to str
        The texts of all modules by their dotted names.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._modules = set(texts)
        self._defined: dict[Place, list[ast.stmt]] = {}
        self._imported: dict[Place, str] = {}
        for module, text in texts.items():
            tree = ast.parse(text)
            for node in ast.walk(tree):
                if isinstance(node, ast.Import | ast.ImportFrom):
                    self._imported |= {(module, name): path for name, path in _imports(node)}
            for statement in tree.body:
                for name in _names_given_by(statement):
                    self._defined.setdefault((module, name), []).append(statement)
        self._uses = cache(self._find_uses)

    def compiled(self) -> set[Place]:
        """Return the compiled functions."""
        return {
            place
            for place, statements in self._defined.items()
            if _is_ours(place)
            and COMPILERS & {name for one in statements for name in _decorators(one)}
        }

    def used(self) -> set[Place]:
        """Return what the package itself uses."""
        return {
            used
            for place in filter(_is_ours, self._defined)
            for used, _ in self._uses(place)[0]
            if used != place
        }

    def compared(self) -> set[Place]:
        """Return the compiled functions that tests compare with a twin, and what these call.

        A test compares what is in the folder that its own one is named for: it uses functions of
        others to make its input.
        """
        compiled, found = self.compiled(), set()
        for module, name in self._defined:
            folder, _, file = module.rpartition(".")
            if file.startswith("test_") and name.startswith("test_"):
                own = self._reached({(module, name)}, _is_of_tests)
                if any(one.startswith("naive.") for one, _ in own - DRAWS):
                    texts = (self._uses(place)[1] for place in filter(_is_of_tests, own))
                    keys = {text for one in texts for text in one}
                    all_used = self._reached(own - DRAWS, keys=keys)
                    room = f"streameval.{folder}"
                    found |= {one for one in all_used if one[0].rpartition(".")[0] == room}
        return self._reached(found & compiled, compiled.__contains__) & compiled

    def _reached(
        self,
        start: set[Place],
        follows: Callable[[Place], bool] = lambda place: True,
        keys: Container[str] | None = None,
    ) -> set[Place]:
        """Return what some names use, directly or not."""
        found, waiting = set(start), list(start)
        while waiting:
            place = waiting.pop()
            if not follows(place):
                continue
            uses = self._uses(place)[0]
            new = {used for used, key in uses if not key or keys is None or key in keys} - found
            found |= new
            waiting += new
        return found

    def _find_uses(self, place: Place) -> tuple[set[tuple[Place, str]], set[str]]:
        """Return what a name uses, with the key where that is in a dict, and its texts."""
        module, uses, texts = place[0], set(), set()
        for statement in self._defined[place]:
            for node, key in _walk(statement):
                for path in _paths(node):
                    found = self._resolve(module, path)
                    uses |= {(found, key)} if found else set()
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    texts.add(node.value)
        return uses, texts

    def _resolve(self, module: str, path: str) -> Place | None:
        """Return the place that a dotted path in a module means, or None."""
        first, _, rest = path.partition(".")
        if (module, first) in self._defined:
            return module, first
        path = f"{self._imported.get((module, first), first)}.{rest}".rstrip(".")
        parts = path.split(".")
        for end in range(len(parts), 0, -1):
            owner = ".".join(parts[:end])
            if owner in self._modules:
                if end == len(parts):
                    return None  # a module
                found = owner, parts[end]
                if found not in self._defined and found in self._imported:
                    return self._resolve(*found)
                return found if found in self._defined else None
        return None


def _is_ours(place: Place) -> bool:
    return place[0].startswith("streameval")


def _is_of_tests(place: Place) -> bool:
    return not _is_ours(place) and place not in DRAWS


def _imports(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield the names that an import gives, with the paths that they stand for."""
    if isinstance(node, ast.Import):
        yield from ((alias.asname, alias.name) for alias in node.names if alias.asname)
    if isinstance(node, ast.ImportFrom):
        for alias in node.names:
            yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _names_given_by(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return [statement.name]
    stored = (node for node in ast.walk(statement) if isinstance(node, ast.Name))
    return [node.id for node in stored if isinstance(node.ctx, ast.Store)]


def _decorators(statement: ast.stmt) -> list[str]:
    if not isinstance(statement, ast.FunctionDef):
        return []
    return [one.id for one in statement.decorator_list if isinstance(one, ast.Name)]


def _walk(node: ast.AST, key: str = "") -> Iterator[tuple[ast.AST, str]]:
    """Yield all nodes, each with the key of the innermost dict's entry that it is in."""
    yield node, key
    if isinstance(node, ast.Dict):
        for name, value in zip(node.keys, node.values, strict=True):
            known = isinstance(name, ast.Constant) and isinstance(name.value, str)
            if name is not None:
                yield from _walk(name, key)
            yield from _walk(value, name.value if known else key)
    else:
        for inner in ast.iter_child_nodes(node):
            yield from _walk(inner, key)


def _paths(node: ast.AST) -> Iterator[str]:
    """Yield the dotted paths in a node itself: names, attributes, fixtures, "module:name"."""
    if isinstance(node, ast.Name):
        yield node.id
    if isinstance(node, ast.arg):
        yield node.arg
    if isinstance(node, ast.Attribute):
        yield from _dotted(node)
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and ":" in node.value:
        yield node.value.replace(":", ".")


def _dotted(node: ast.Attribute) -> Iterator[str]:
    """Yield the path of an attribute of a name; what is called or indexed before has none."""
    parts, inner = [node.attr], node.value
    while isinstance(inner, ast.Attribute):
        parts.append(inner.attr)
        inner = inner.value
    if isinstance(inner, ast.Name):
        yield ".".join([inner.id, *reversed(parts)])
