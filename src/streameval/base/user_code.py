"""Code of users: modules that settings name, and all files that these import and read.

A module is searched for among installed modules first, then in the folder of the settings. Imports
are followed wherever Python searches: in the module's package, in the folder, on ``PYTHONPATH``,
and in packages installed in editable mode. Modules of the standard library, of installed packages
and of this package are not users' code.
"""

from __future__ import annotations

import importlib
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.machinery import ModuleSpec, all_suffixes
from importlib.util import cache_from_source
from pathlib import Path

from streameval.base.module_references import module_references
from streameval.base.sources import PACKAGE

#: Folders that a run writes in the working folder: their files are results, not inputs.
_RUN_FOLDERS = ("results", "figures", "resources", "logs", ".snakemake")
#: Maximum length of a text that may be a path, in characters.
_MAX_PATH = 200

#: Folders added by `search_folder`, newest first; they are the last entries of ``sys.path``.
_searched: list[str] = []


def search_folder(folder: str) -> None:
    """Import modules from a folder too, from now on; an empty name changes nothing.

    Code that runs later, such as that of learners, may import modules inside functions. The folder
    is searched after all installed modules, and before folders of earlier calls.
    """
    if not folder:
        return
    folder = str(Path(folder).absolute())  # Python caches modules for each entry of sys.path
    if folder in _searched:
        _searched.remove(folder)
        if folder in sys.path:  # users' code, or a test, may have restored the path
            sys.path.remove(folder)
    sys.path.insert(_end(), folder)
    _searched.insert(0, folder)
    importlib.invalidate_caches()


@contextmanager
def importing_from(folder: str) -> Iterator[None]:
    """Import modules from a folder too, as `search_folder`, until the block ends."""
    if not folder:
        yield
        return
    folder = str(Path(folder).absolute())
    if folder in _searched:
        search_folder(folder)  # it becomes the first of these folders, and stays on the path
        yield
        return
    sys.path.insert(_end(), folder)
    importlib.invalidate_caches()
    try:
        yield
    finally:
        # The last entry: the user may have had the folder on the path before.
        del sys.path[len(sys.path) - 1 - sys.path[::-1].index(folder)]


def _end() -> int:
    """Index in ``sys.path`` of the first folder that `search_folder` added."""
    index = len(sys.path)
    while index and sys.path[index - 1] in _searched:
        index -= 1
    return index


def user_module_files(modules: Iterable[str], folder: str = "") -> list[Path]:
    """Files of modules; for a user's module, also all files that it imports and reads.

    A missing module has no files. For an installed package, the record of its installation, which
    has the digests of its files, is included.
    """
    with importing_from(folder):
        files = {file for module in modules for file in _files_of_module(module)}
        installed = {file for file in files if _is_installed(file)}
        records = {record for file in installed for record in _record(file)}
        return sorted(installed | records | _closure(files - installed))


def user_script_files(script: Path) -> list[Path]:
    """A user's script, with all files that it imports and reads."""
    root = script.parent
    while (root / "__init__.py").is_file():
        root = root.parent
    with importing_from(str(root)):
        return sorted(_closure({script}))


def remove_stale_bytecode(module: str, folder: str = "") -> None:
    """Remove compiled files that are older than a user's module or its imports.

    Python compares only size and time of modification, which `cp -p` and `rsync` may preserve.
    """
    with importing_from(folder):
        files = _closure(file for file in _files_of_module(module) if _is_of_user(file))
    for file in files:
        # Without a cache, or without the right to write into its folder, nothing is removed.
        with suppress(OSError, NotImplementedError):
            compiled = Path(cache_from_source(file))
            # A copy that preserves the time of modification still changes st_ctime.
            if file.suffix == ".py" and compiled.stat().st_mtime_ns < file.stat().st_ctime_ns:
                compiled.unlink()


def file_of_module(module: str, folder: str = "") -> Path:
    """File of a module, installed or in `folder`; an empty path if the module is missing."""
    with importing_from(folder):
        files = _files_of_module(module)
    file = files[-1] if files else Path()
    # If only the packages of the module exist, the last file has another name.
    path = file.parent if file.name.startswith("__init__.") else file
    return file if path.name.partition(".")[0] == module.rpartition(".")[2] else Path()


def _closure(files: Iterable[Path]) -> set[Path]:
    """Users' files, with all files that they import, directly or indirectly, and read."""
    sources = set(files)
    waiting = [*sources]
    while waiting:
        path = waiting.pop()
        if path.suffix == ".py":
            texts = module_references(path).strings
            new = {*_imported(path), *named_files(texts, path.parent)} - sources
            sources |= new
            waiting += new
    return sources


def _imported(path: Path) -> Iterator[Path]:
    """Yield the users' files that a Python file imports."""
    references = module_references(path)
    files = [file for name in references.absolute_imports for file in _files_of_module(name)]
    for level, name in references.relative_imports:
        # A slice, since there may be fewer parents than leading dots.
        files += _files_below([*path.parents[level - 1 : level]], name.split("."))
    if path.name == "__init__.py" and "iter_modules" in path.read_text("utf-8", "replace"):
        files += path.parent.rglob("*.py")  # the package may import all modules of its folder
    yield from filter(_is_of_user, files)


def named_files(texts: Iterable[str], folder: Path) -> Iterator[Path]:
    """Yield the files whose paths are among texts, relative to a folder or the working folder."""
    here = Path.cwd()
    for text in texts:
        if "." not in text or len(text) > _MAX_PATH or "\n" in text or "\0" in text:
            continue
        # A text such as "/data.csv" may be added to the text of a folder.
        for file in (folder / text, folder / text.lstrip("/"), here / text):
            with suppress(OSError):  # the text is not a path
                if file.is_file() and not _is_of_run(file, here):
                    yield file


def _is_of_run(file: Path, here: Path) -> bool:
    """Whether a file is a result of a run in the working folder."""
    return any((here / name) in file.parents for name in _RUN_FOLDERS)


def _files_of_module(name: str) -> list[Path]:
    """Files that importing a dotted name reads, without importing: packages, then the module."""
    top, *rest = name.split(".")
    if top in sys.stdlib_module_names:
        return []
    spec = _spec(top)
    if spec is None:
        return []
    folders = [Path(folder) for folder in spec.submodule_search_locations or ()]
    files = [Path(spec.origin)] if spec.origin and Path(spec.origin).is_file() else []
    return files + _files_below(folders, rest)


def _spec(name: str) -> ModuleSpec | None:
    """Import specification of a top-level module, also if a module of this name is loaded."""
    for finder in sys.meta_path:
        with suppress(
            ImportError, ValueError, AttributeError
        ):  # a finder of an installed package may fail
            if spec := finder.find_spec(name, None):
                return spec
    return None


def _files_below(folders: list[Path], names: list[str]) -> list[Path]:
    """Files of packages and modules below the folders of a package; objects have no files."""
    files = list[Path]()
    for name in names:
        if name == "*":  # also the modules that the package lists in `__all__`
            return files + [file for folder in folders for file in folder.glob("*.py")]
        for file in _candidates(folders, name):
            if file.is_file():
                files.append(file)
                folders = [file.parent] if file.name.startswith("__init__.") else []
                break
        else:
            folders = [folder / name for folder in folders if (folder / name).is_dir()]
    return files


def _candidates(folders: Iterable[Path], name: str) -> Iterator[Path]:
    """Yield the files in which a module may be, in the order in which Python searches."""
    for folder in folders:
        yield from (folder / name / f"__init__{suffix}" for suffix in all_suffixes())
        yield from (folder / f"{name}{suffix}" for suffix in all_suffixes())


def _is_of_user(file: Path) -> bool:
    """Whether a file is neither of an installed package nor of this package."""
    return not _is_installed(file) and PACKAGE not in file.parents


def _is_installed(file: Path) -> bool:
    """Whether a file is of the standard library or in a folder of installed packages."""
    package_folders = {"site-packages", "dist-packages"} & {*file.parts}
    return bool(package_folders) or not _installation_folders().isdisjoint(map(str, file.parents))


@cache
def _installation_folders() -> set[str]:
    """Folders of the standard library and of packages of this Python installation."""
    return {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}


def _record(file: Path) -> Iterator[Path]:
    """Yield the RECORD of the distribution that installed a file: its files with digests."""
    for folder in file.parents:
        if folder.name in ("site-packages", "dist-packages"):
            line = f"{file.relative_to(folder).as_posix()},"
            for record in sorted(folder.glob("*.dist-info/RECORD")):
                if f"\n{line}" in "\n" + record.read_text("utf-8", "replace"):
                    yield record
                    return
