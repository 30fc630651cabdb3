"""The disk cache of compiled kernels. It is optional: kernels run without it.

Numba's own cache stops a program if its folder cannot be written or a file is damaged, and runs
machine code without a check. Here each file ends in a checksum. If a file cannot be read or has
changed, its kernel is compiled again and the file is replaced. If the folder cannot be written,
kernels are compiled in memory, with a warning.

Each Python file that defines kernels has a separate folder. Its name depends on the content of the
file and of all files of the package that it imports. So an edit recompiles only the kernels that it
may change, and two versions of the package can share a folder ``NUMBA_CACHE_DIR``.

If several processes need a kernel at once, one process compiles it. The others wait and load it.
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

from streameval.base.sources import PACKAGE, cache_folder, source_digest
from streameval.base.user_code import user_script_files

if sys.platform != "win32":
    import fcntl

log = logging.getLogger(__name__)

#: Number of days after which unused kernels are removed.
_DAYS_UNUSED = 14
#: Largest number of seconds for which a process waits while another process compiles a kernel.
_MAX_WAIT = 120.0
_CHECKSUM_BYTES = 4
_user_id = getattr(os, "geteuid", lambda: 0)  # Windows has no such function


@functools.cache
def _folder_name(path: Path) -> str:
    """Name of the folder for the kernels of a Python file, in the current state of its sources.

    Numba's disk cache notices an edit of the file that defines a kernel, but not of a file with a
    function that the kernel calls. So the name includes a hash of all files that the kernel's file
    imports. Kernels that an edit cannot change stay in their folders.
    """
    in_package = PACKAGE in path.parents
    parts = path.relative_to(PACKAGE).with_suffix("").parts if in_package else ()
    user_files = [] if in_package else user_script_files(path)
    versions = (sys.version, numba.__version__, llvmlite.__version__, np.__version__)
    # `source_digest` covers the files of the package only; those of the user are added below.
    sha = hashlib.sha256("\n".join([source_digest(path, code=user_files), *versions]).encode())
    for file in user_files:
        sha.update(file.read_bytes())
    return f"kernels-{'.'.join(parts) or path.stem}-{sha.hexdigest()[:12]}"


def _mark_used(folder: Path) -> None:
    """Set the date of a folder of kernels; if the folder is new, remove unused folders beside it.

    Each edit of the sources leaves old folders behind. A process sets the dates of the folders that
    it reads, so a folder with an old date is unused.
    """
    oldest = time.time() - _DAYS_UNUSED * 86_400
    with suppress(OSError):  # for example the folder of another user; saving a kernel warns later
        is_new = not folder.is_dir()
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        for other in folder.parent.glob("kernels-*") if is_new else ():
            if other.stat().st_mtime < oldest:
                shutil.rmtree(other, ignore_errors=True)


_mark_used_once = functools.cache(_mark_used)


def cache_on_disk(function: Any) -> Any:
    """Attach this cache to a function that Numba compiles, and return the function."""
    if isinstance(function, Dispatcher):  # otherwise Numba is switched off
        try:
            cache = _Cache(function.py_func)
        except (RuntimeError, OSError) as error:  # for example without a source file
            _warn(str(error))
        else:
            function._cache = cache  # type: ignore[attr-defined]
            compiler: Any = function._compiler  # type: ignore[attr-defined]
            compiler.compile = cache.compilation_lock.end_on_error(compiler.compile)
    return function


@functools.cache  # once per file
def _log_compilation(folder: str) -> None:
    """Log that kernels of a file are compiled; at the level INFO for learners, which take long."""
    module = folder.split("-")[1]  # see `_folder_name`
    level = logging.INFO if module.startswith("learners.") else logging.DEBUG
    name = module.rpartition(".")[2]
    log.log(level, "Compiling %s, once on this computer; this can take ten seconds.", name)


@functools.cache  # once per reason
def _warn(reason: str) -> None:
    log.warning(
        "Compiled functions cannot be kept for the next time (%s): they are compiled in memory. "
        "Set NUMBA_CACHE_DIR to a folder that can be written.",
        reason,
    )


class _Folder(InTreeCacheLocator):
    """The folder of a kernel; it is created when a kernel is saved.

    Its name is computed when the kernel is declared, since the process runs the sources of that
    time, not later edits. If the folder cannot be written, kernels are not saved. Numba would use
    another folder, and load kernels from there even after an edit of a function that they call.
    """

    def __init__(self, py_func: Any, py_file: str) -> None:
        super().__init__(py_func, py_file)
        self._cache_path = str(cache_folder() / _folder_name(Path(py_file)))

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _Folder | None:
        return cls(py_func, py_file) if Path(py_file).exists() else None

    def get_source_stamp(self) -> str:
        """The name of the folder, which has a hash of the sources."""
        return Path(self._cache_path).name


class _Implementation(CompileResultCacheImpl):
    _locator_classes = [_Folder]  # noqa: RUF012 - as numba declares it

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        """Load a kernel from the cache without two steps that few kernels need.

        Numba would compile its runtime, which allocates arrays, and parse the bitcode of each
        kernel, so that other kernels can link it. These steps take half of the time and most of the
        memory of loading a large kernel. Here they are done only when they are needed.
        """
        (name, kind, (machine_code, bitcode)), descriptor, *rest = payload
        if b"NRT_" in machine_code:  # it calls functions of the runtime
            rtsys.initialize(target_context)
        # Numba would read this symbol from the bitcode; without it, the kernel counts as missing.
        target_context.codegen()._engine._defined_symbols.add(descriptor.llvm_cpython_wrapper_name)
        empty_bitcode = llvm.parse_assembly("").as_bitcode()
        kernel = super().rebuild(
            target_context, ((name, kind, (machine_code, empty_bitcode)), descriptor, *rest)
        )
        library = kernel.library
        library._get_module_for_linking = functools.cache(lambda: llvm.parse_bitcode(bitcode))
        return kernel


class _Files(IndexDataCacheFile):
    """Numba's cache files, each with a checksum at its end, which unpickling ignores."""

    def save(self, key: Any, data: Any) -> None:
        """Save the data with its key.

        If two processes save at once, one may overwrite the other's file. Then the key in the file
        differs, and `load` ignores the file.
        """
        super().save(key, (key, data))

    def load(self, key: Any) -> Any:
        saved = super().load(key)
        return saved[1] if saved is not None and saved[0] == key else None

    def _load_index(self) -> Any:
        if not _is_whole(self._index_path):
            return {}
        try:
            return super()._load_index()
        except Exception as error:  # a damaged index is replaced when a kernel is saved
            log.debug("An index of kernels is made again: %r", error)
            return {}

    def _load_data(self, name: str) -> Any:
        if not _is_whole(self._data_path(name)):
            raise FileNotFoundError(name)  # `load` treats this as a miss
        return super()._load_data(name)

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[io.BytesIO]:
        content = io.BytesIO()
        yield content
        with super()._open_for_write(filepath) as file:
            file.write(content.getvalue() + _checksum(content.getvalue()))


def _is_whole(path: str) -> bool:
    """True if the checksum of a file is right, and its owner is the user or root."""
    try:
        with Path(path).open("rb") as file:
            if os.fstat(file.fileno()).st_uid not in (_user_id(), 0):
                return False  # unpickling would run code of another user
            content = file.read()
    except OSError:
        return False
    return content[-_CHECKSUM_BYTES:] == _checksum(content[:-_CHECKSUM_BYTES])


def _checksum(content: bytes) -> bytes:
    return zlib.crc32(content).to_bytes(_CHECKSUM_BYTES, "little")


class _CompilationLock:
    """File lock of the process that compiles a kernel; it ends with the process.

    The lock is optional, too. If no file can be locked, or another process takes too long, all
    processes compile.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: io.BufferedWriter | None = None
        #: Compilations in progress: more than one if the kernel is recursive, since compiling one
        #: signature then compiles another.
        self._depth = 0

    def wait_for(self, load: Callable[[], Any]) -> Any:
        """Wait for a kernel that another process saves; None as soon as this process has the lock.

        `load` loads the kernel, or returns None if it is not there.
        """
        self._depth += 1
        deadline = time.monotonic() + _MAX_WAIT
        while self._file is None and not self._try_lock() and time.monotonic() < deadline:
            if (kernel := load()) is not None:
                self.end()
                return kernel
            time.sleep(0.1)
        # Another process may have saved the kernel since the last check, but not inside an outer
        # compilation, which has the lock.
        if self._depth == 1 and (kernel := load()) is not None:
            self.end()
            return kernel
        return None

    def _try_lock(self) -> bool:
        """Lock the file; False if another process has locked it. True also if locks fail."""
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
        except OSError:  # a file system without locks
            file.close()
            return True
        self._file = file
        return True

    def end_on_error(self, compile_: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap a compiler so that the lock ends if compilation fails, as nothing is saved then."""

        def compile_or_end(*arguments: Any) -> Any:
            try:
                return compile_(*arguments)
            except BaseException:
                self.end()
                raise

        return compile_or_end

    def end(self) -> None:
        """End a compilation; after the last compilation in progress, release the lock."""
        self._depth = max(self._depth - 1, 0)
        if not self._depth and self._file is not None:
            self._file.close()
            self._file = None


class _Cache(FunctionCache):
    """Cache of kernels with the interface that Numba calls."""

    _impl_class = _Implementation

    def __init__(self, py_func: Any) -> None:
        super().__init__(py_func)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = _Files(self._cache_path, self._impl.filename_base, stamp)
        lock_file = Path(self._cache_path, f"{self._impl.filename_base}.lock")
        self.compilation_lock = _CompilationLock(lock_file)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load a kernel, or return None; then Numba compiles it, and calls `save_overload`.

        Numba's own method would first import modules that only compilation needs (0.2 s).
        """
        _mark_used_once(Path(self._cache_path))
        kernel = self._load(sig, target_context)
        if kernel is None:
            kernel = self.compilation_lock.wait_for(lambda: self._load(sig, target_context))
        if kernel is None:
            _log_compilation(self._impl.locator.get_source_stamp())
        return kernel

    def _load(self, sig: Any, target_context: Any) -> Any:
        try:
            with self._guard_against_spurious_io_errors():
                kernel = self._load_overload(sig, target_context)
        except Exception as error:  # unpickling may raise anything after an update of a package
            log.debug("A kernel is compiled again: %r", error)
            return None
        return kernel

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as error:
            self.disable()
            _warn(f"{Path(self._cache_path).parent}: {error.strerror}")
        finally:
            self.compilation_lock.end()
