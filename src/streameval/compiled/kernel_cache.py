"""The disk cache of compiled kernels: a help, never a condition.

Numba's own cache stops a program where its folder cannot be written or a file in it is damaged,
and runs machine code as it finds it. Here each file ends in a checksum; what cannot be read, or is
not what was written, is compiled anew and replaced; where nothing can be written, kernels
are compiled in memory and one warning says so.

Each Python file that defines kernels has a folder of its own, named by the content of the file and
of all files of the package that it imports. So an edit recompiles the kernels that it may change
and no others, and two versions of the package can use one folder, ``NUMBA_CACHE_DIR``, at once.

Of several processes that need a kernel at once, one compiles it. The others wait and load it.
"""

from __future__ import annotations

import functools
import hashlib
import io
import logging
import os
import shutil
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from llvmlite import binding as llvm
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    IndexDataCacheFile,
    InTreeCacheLocator,
)
from numba.core.dispatcher import Dispatcher
from numba.core.runtime.nrt import rtsys

from streameval.base.sources import PACKAGE, cache_folder, digest
from streameval.base.user_code import user_script_files

if sys.platform != "win32":
    import fcntl

log = logging.getLogger(__name__)

#: Compiled kernels that no process has asked for in so many days are removed.
_KEPT_DAYS = 14
#: A process waits at most so many seconds for another one that compiles a kernel.
_PATIENCE = 120.0
_CHECKSUM_BYTES = 4
_user = getattr(os, "geteuid", lambda: 0)


@functools.cache
def _name(path: Path) -> str:
    """Return the name of the folder for the kernels of a Python file, as its sources are now.

    Numba's disk cache notices an edit of the file that defines a kernel, but not of a file that
    defines a function which the kernel calls. A folder for each state of all files that the
    kernel's file imports does, and leaves the kernels alone that have nothing to do with an edit.
    """
    is_ours = PACKAGE in path.parents
    parts = path.relative_to(PACKAGE).with_suffix("").parts if is_ours else ()
    code = [] if is_ours else user_script_files(path)
    versions = (sys.version, numba.__version__, llvmlite.__version__, np.__version__)
    sha = hashlib.sha256("\n".join([digest(path, code=code), *versions]).encode())
    for file in code:
        sha.update(file.read_bytes())
    state = sha.hexdigest()
    return f"kernels-{'.'.join(parts) or path.stem}-{state[:12]}"


def _note_use(cache: Path) -> None:
    """Date a folder of kernels; if it is new, remove those beside it that are out of use.

    Each edit of the sources leaves folders behind. A process dates those that it reads, so one
    that is dated long ago is in no use.
    """
    oldest = time.time() - _KEPT_DAYS * 86_400
    with suppress(OSError):  # somebody else's folder, or gone: `kernel_cache` says where it matters
        is_new = not cache.is_dir()
        cache.mkdir(parents=True, exist_ok=True)
        os.utime(cache)
        for other in cache.parent.glob("kernels-*") if is_new else ():
            if other.stat().st_mtime < oldest:
                shutil.rmtree(other, ignore_errors=True)


_note_first_use = functools.cache(_note_use)


def cached(function: Any) -> Any:
    """Give a function that numba compiles this cache; return the function."""
    if isinstance(function, Dispatcher):  # not so where numba is switched off
        try:
            cache = _Cache(function.py_func)
        except (RuntimeError, OSError) as error:  # there is no source file to compare with
            _warn(str(error))
        else:
            function._cache = cache  # type: ignore[attr-defined]
            compiler: Any = function._compiler  # type: ignore[attr-defined]
            compiler.compile = cache.turn.ending_if_it_fails(compiler.compile)
    return function


@functools.cache  # each file once
def _announce(folder: str) -> None:
    """Log that a file's kernels are compiled; terminals show it of learners, which take long."""
    module = folder.split("-")[1]
    level = logging.INFO if module.startswith("learners.") else logging.DEBUG
    name = module.rpartition(".")[2]
    log.log(level, "Compiling %s, once on this computer; this can take ten seconds.", name)


@functools.cache  # each reason once
def _warn(reason: str) -> None:
    log.warning(
        "Compiled functions cannot be kept for the next time (%s): they are compiled in memory. "
        "Set NUMBA_CACHE_DIR to a folder that can be written.",
        reason,
    )


class _Folder(InTreeCacheLocator):
    """The folder of a kernel, made when there is something to keep.

    Its name is found when the kernel is declared: an edit from then on is not in this process.
    Numba would turn to other folders where this one cannot be written. Kernels in them
    would stay when a function that they call is edited.
    """

    def __init__(self, py_func: Any, py_file: str) -> None:
        super().__init__(py_func, py_file)
        self._cache_path = str(cache_folder() / _name(Path(py_file)))

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _Folder | None:
        return cls(py_func, py_file) if Path(py_file).exists() else None

    def get_source_stamp(self) -> str:
        return Path(self._cache_path).name


class _Implementation(CompileResultCacheImpl):
    _locator_classes = [_Folder]  # noqa: RUF012 - as numba declares it

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        """Make a kernel of what is kept, without what only some kernels need.

        Numba compiles its memory of arrays, and parses the code of each kernel for others that may
        link it: half of the time and most of the memory that loading a large kernel takes.
        """
        (name, kind, (machine_code, bitcode)), about, *rest = payload
        if b"NRT_" in machine_code:  # the names of the functions that it calls
            rtsys.initialize(target_context)
        target_context.codegen()._engine._defined_symbols.add(about.llvm_cpython_wrapper_name)
        nothing = llvm.parse_assembly("").as_bitcode()
        found = super().rebuild(
            target_context, ((name, kind, (machine_code, nothing)), about, *rest)
        )
        found.library._get_module_for_linking = functools.cache(lambda: llvm.parse_bitcode(bitcode))
        return found


class _Files(IndexDataCacheFile):
    """Numba's files, each with a checksum at its end, which unpickling passes over."""

    def save(self, key: Any, data: Any) -> None:
        """Keep the key too: of two processes that save at once, one's file may get lost."""
        super().save(key, (key, data))

    def load(self, key: Any) -> Any:
        found = super().load(key)
        return found[1] if found is not None and found[0] == key else None

    def _load_index(self) -> Any:
        if not _is_whole(self._index_path):
            return {}
        try:
            return super()._load_index()
        except Exception as error:  # also before something is kept: it is replaced
            log.debug("An index of kernels is made anew: %r", error)
            return {}

    def _load_data(self, name: str) -> Any:
        if not _is_whole(self._data_path(name)):
            raise FileNotFoundError(name)  # which `load` expects, and takes for a miss
        return super()._load_data(name)

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[io.BytesIO]:
        content = io.BytesIO()
        yield content
        with super()._open_for_write(filepath) as file:
            file.write(content.getvalue() + _checksum(content.getvalue()))


def _is_whole(path: str) -> bool:
    """Return whether a file is what was written, by the user, or by root who may do anything."""
    try:
        with Path(path).open("rb") as file:
            if os.fstat(file.fileno()).st_uid not in (_user(), 0):
                return False  # unpickling runs what somebody else has written
            content = file.read()
    except OSError:
        return False
    return content[-_CHECKSUM_BYTES:] == _checksum(content[:-_CHECKSUM_BYTES])


def _checksum(content: bytes) -> bytes:
    return zlib.crc32(content).to_bytes(_CHECKSUM_BYTES, "little")


class _Turn:
    """The turn of a process to compile a kernel, kept by a lock that ends with the process.

    It is a help, too: where no file can be locked, or another process takes too long, all compile.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: io.BufferedWriter | None = None
        self._begun = 0  # of recursive kernels, and of several signatures, more than one

    def wait_for(self, kept: Callable[[], Any]) -> Any:
        """Return what another process has kept, or None as soon as it is this one's turn."""
        self._begun += 1
        until = time.monotonic() + _PATIENCE
        while self._file is None and not self._begins() and time.monotonic() < until:
            if (found := kept()) is not None:
                self.end()
                return found
            time.sleep(0.1)
        # Between the last look and this turn another one may have ended.
        if self._begun == 1 and (found := kept()) is not None:
            self.end()
            return found
        return None

    def _begins(self) -> bool:
        if sys.platform == "win32":
            return True
        try:
            file = self._path.open("wb")
        except OSError:
            return True
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            return False
        except OSError:  # of file systems without locks
            file.close()
            return True
        self._file = file
        return True

    def ending_if_it_fails(self, compile_: Callable[..., Any]) -> Callable[..., Any]:
        """Return what compiles so that the turn ends where nothing is kept."""

        def compiled(*arguments: Any) -> Any:
            try:
                return compile_(*arguments)
            except BaseException:
                self.end()
                raise

        return compiled

    def end(self) -> None:
        """Let others begin, when what was begun last here has ended."""
        self._begun = max(self._begun - 1, 0)
        if not self._begun and self._file is not None:
            self._file.close()
            self._file = None


class _Cache(FunctionCache):
    """Cache of kernels in the form that numba calls."""

    _impl_class = _Implementation

    def __init__(self, py_func: Any) -> None:
        super().__init__(py_func)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = _Files(self._cache_path, self._impl.filename_base, stamp)
        self.turn = _Turn(Path(self._cache_path, f"{self._impl.filename_base}.lock"))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load a kernel; numba's own method imports first what only compiling needs (0.2 s).

        Where there is none, this process compiles it next, and calls `save_overload` then.
        """
        _note_first_use(Path(self._cache_path))
        found = self._kept(sig, target_context)
        if found is None:
            found = self.turn.wait_for(lambda: self._kept(sig, target_context))
        if found is None:
            _announce(self._impl.locator.get_source_stamp())
        return found

    def _kept(self, sig: Any, target_context: Any) -> Any:
        try:
            with self._guard_against_spurious_io_errors():
                found = self._load_overload(sig, target_context)
        except Exception as error:  # whole, but of other packages: unpickling may raise anything
            log.debug("A kernel is compiled anew: %r", error)
            return None
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as error:
            self.disable()
            _warn(f"{Path(self._cache_path).parent}: {error.strerror}")
        finally:
            self.turn.end()
