"""Source files of the package that a script depends on: all direct and indirect imports.

Imports inside functions count; imports for type checkers do not. A module in a string such as
"package.module:name", as in a `LazyRegistry`, counts unless the job says which entries it uses.
Files are searched by patterns, which is ten times as fast as parsing. The disk cache of compiled
kernels uses the same closure. `user_code` has the closure of users' modules, which may be anywhere.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Generic, TypeVar

from streameval.base.module_references import module_references

#: The folder of the package.
PACKAGE = Path(__file__).parents[1]

#: The block of imports for type checkers.
_TYPES_ONLY = re.compile(r"^if (?:typing\.)?TYPE_CHECKING:\n(?:[ \t]+.*\n|\n)+", re.MULTILINE)
_COMMENT = re.compile(r"#.*")
#: An import from a module; the groups are the module and the names.
_FROM = re.compile(r"^[ \t]*from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|.+)", re.MULTILINE)
#: An import of modules; the group is their names.
_IMPORT = re.compile(r"^[ \t]*import[ \t]+(.+)", re.MULTILINE)
#: One of the imported names, without its alias.
_NAME = re.compile(r"([.\w]+)(?:\s+as\s+\w+)?")
#: A string that names an object, such as "package.module:name"; the group is the module.
_LAZY = re.compile(r"""["'](\w+(?:\.\w+)+):\w+["']""")
#: A string that may be the path of a data file.
_DATA = re.compile(r"""["'](\w[\w./-]*\.(?!py\b)\w+)["']""")


#: Default of `entries`: it restricts no registry, so all entries count.
_NO_RESTRICTION: Mapping[str, Iterable[str]] = MappingProxyType({})


def closure(
    script: Path,
    package: Path = PACKAGE,
    modules: Iterable[str] = (),
    entries: Mapping[str, Iterable[str]] = _NO_RESTRICTION,
    code: Iterable[Path] = (),
) -> list[Path]:
    """Files of the package that a script depends on, sorted, without the script.

    `modules` are further imports, whose names the script gets when it runs. `entries` maps the
    module of a registry to the modules of its entries that are used; of other registries, all
    entries count. `code` are a user's files that the script imports. The result includes
    ``__init__.py``, data files that a module names, and all modules of a package that calls
    ``iter_modules(__path__)``.
    """
    entry_files = {
        _files(registry, package)[-1]: _all_files(modules_of_entries, package)
        for registry, modules_of_entries in entries.items()
    }
    files = set(_all_files(modules, package))
    for path in code:
        if path.suffix == ".py":
            files |= _all_files(module_references(path).absolute_imports, package)
    waiting = [script, *files]
    while waiting:
        path = waiting.pop()
        lazy = entry_files[path] if path in entry_files else _lazy(path, package)
        new = (_imported_or_read(path, package) | lazy) - files
        files |= new
        waiting += [path for path in new if path.suffix == ".py"]
    return sorted(files)


def source_digest(
    script: Path,
    package: Path = PACKAGE,
    entries: Mapping[str, Iterable[str]] = _NO_RESTRICTION,
    code: Iterable[Path] = (),
) -> str:
    """SHA-256 of the content of a script and of all files in its `closure`.

    `code` are a user's files: the digest covers their imports from the package, not the files.
    """
    sha = hashlib.sha256(_content_digest(script))
    for path in closure(script, package, entries=entries, code=code):
        sha.update(str(path.relative_to(package)).encode() + _content_digest(path))
    return sha.hexdigest()


@cache
def _content_digest(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()


@cache
def _imported_or_read(path: Path, package: Path) -> frozenset[Path]:
    """Files of the package that one Python file imports or reads."""
    # A user's script may have another encoding.
    text = path.read_text(encoding="utf-8", errors="replace")
    names = _imported(path, text, package.parent)
    files = {file for name in names for file in _files(name, package)}
    if package in path.parents:
        files |= _data_files(path, text)
        imports_all = path.name == "__init__.py" and "iter_modules(__path__)" in text
        if imports_all:
            files |= set(path.parent.rglob("*.py"))
    return frozenset(files - {path})


def _data_files(path: Path, text: str) -> set[Path]:
    """Data files that a module names; they are in the folder of the module."""
    candidates = {path.parent / name for name in _DATA.findall(text)}
    return {file for file in candidates if file.is_file()}


def _imported(path: Path, text: str, root: Path) -> Iterator[str]:
    """Yield the dotted names that a Python file imports: modules and names in modules.

    `root` is the folder of the packages. Relative imports become absolute names, which start there.
    """
    text = _TYPES_ONLY.sub("", text) if "TYPE_CHECKING" in text else text
    for source, names in _FROM.findall(text):
        n_dots = len(source) - len(source.lstrip("."))
        if n_dots:
            folder = path.parents[n_dots - 1]
            if not folder.is_relative_to(root):  # Python refuses such an import
                continue
            folder = folder.relative_to(root)
            source = ".".join([*folder.parts, source.lstrip(".")]).rstrip(".")
        yield source
        yield from (f"{source}.{name}" for name in _NAME.findall(_COMMENT.sub("", names)))
    for names in _IMPORT.findall(text):
        yield from _NAME.findall(_COMMENT.sub("", names))


@cache
def _lazy(path: Path, package: Path) -> frozenset[Path]:
    """Files of the modules that are named in strings of a Python file."""
    names = _LAZY.findall(path.read_text(encoding="utf-8", errors="replace"))
    return _all_files(names, package) - {path}


def _all_files(names: Iterable[str], package: Path) -> frozenset[Path]:
    return frozenset(file for name in names for file in _files(name, package))


@cache
def _files(name: str, package: Path) -> tuple[Path, ...]:
    """Files of the package that importing a dotted name reads; empty for other packages."""
    if name.partition(".")[0] != package.name:
        return ()
    return _module_files(name, package.parent)


def _module_files(name: str, root: Path) -> tuple[Path, ...]:
    """Files below a folder that importing a dotted name reads."""
    files, path = list[Path](), root
    for part in name.split("."):
        path /= part
        module = path / "__init__.py"
        module = module if module.is_file() else path.with_suffix(".py")
        if module.is_file():
            files.append(module)
        elif not path.is_dir():  # an object in a module, or a module elsewhere
            break
    return tuple(files)


def cache_folder() -> Path:
    """Folder in which compiled kernels are stored for later runs.

    The first available of ``NUMBA_CACHE_DIR``, the package's folder, and the user's cache folder.
    """
    if folder := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(folder).absolute() / "streameval"
    if not os.access(PACKAGE, os.W_OK):
        with suppress(RuntimeError):  # a user without a home folder
            return Path.home() / ".cache" / "streameval"
    return PACKAGE / "__pycache__"


Entry = TypeVar("Entry")


class LazyRegistry(Mapping[str, Entry], Generic[Entry]):
    """Named objects of the package, whose modules are imported only when an object is used.

    Locations are ``"package.module:name"``; a job depends on these modules as on imported modules.
    """

    def __init__(self, locations: Mapping[str, str]) -> None:
        self._locations = dict(locations)

    def __getitem__(self, name: str) -> Entry:
        module, _, attribute = self._locations[name].partition(":")
        entry: Entry = getattr(importlib.import_module(module), attribute)
        return entry

    def __contains__(self, name: object) -> bool:
        return name in self._locations  # Mapping's own would import the entry

    def __iter__(self) -> Iterator[str]:
        return iter(self._locations)

    def __len__(self) -> int:
        return len(self._locations)

    def module(self, name: str) -> str:
        """Dotted name of the module of an entry, without importing it."""
        return self._locations[name].partition(":")[0]
