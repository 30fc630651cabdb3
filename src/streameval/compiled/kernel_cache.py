"""The disk cache of compiled kernels: a help, never a condition.

Numba's own cache stops a program where its folder cannot be written or a file in it is damaged,
and runs machine code as it finds it. Here each file ends in a checksum; what cannot be read, or is
not what was written, is compiled anew and replaced; where nothing can be written, kernels
are compiled in memory and one warning says so.
"""

from __future__ import annotations

import functools
import hashlib
import io
import logging
import os
import shutil
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    IndexDataCacheFile,
    InTreeCacheLocator,
)
from numba.core.dispatcher import Dispatcher

#: Compiled kernels that no process has asked for in so many days are removed.
_KEPT_DAYS = 14
_CHECKSUM_BYTES = 4


def _kernel_cache() -> str:
    """Return the folder for compiled kernels of exactly these sources.

    numba's disk cache notices an edit of the file that defines a kernel, but not of a file
    that defines a function which the kernel calls. A folder per state of the sources does.
    """
    package = Path(__file__).parents[1]
    sha = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        status = path.stat()
        sha.update(f"{path.relative_to(package)} {status.st_size} {status.st_mtime_ns}".encode())
    home = package / "__pycache__"
    if not os.access(package, os.W_OK):
        with suppress(RuntimeError):  # a user without a home folder: kernels stay in memory
            home = Path.home() / ".cache" / "streameval"
    cache = home / f"kernels-{sha.hexdigest()[:12]}"
    _note_use(cache)
    return str(cache)


def _note_use(cache: Path) -> None:
    """Date a folder of kernels; if it is new, remove those beside it that are out of use.

    Each edit of the sources leaves a folder behind. A process dates the one that it needs when
    it starts, so one that is dated long ago is in no use.
    """
    oldest = time.time() - _KEPT_DAYS * 86_400
    with suppress(OSError):  # somebody else's folder, or gone: `kernel_cache` says where it matters
        is_new = not cache.is_dir()
        cache.mkdir(parents=True, exist_ok=True)
        os.utime(cache)
        for other in cache.parent.glob("kernels-*") if is_new else ():
            if other.stat().st_mtime < oldest:
                shutil.rmtree(other, ignore_errors=True)


if not os.environ.get("NUMBA_CACHE_DIR"):
    os.environ["NUMBA_CACHE_DIR"] = _kernel_cache()


def cached(function: Any) -> Any:
    """Give a function that numba compiles this cache; return the function."""
    if isinstance(function, Dispatcher):  # not so where numba is switched off
        try:
            function._cache = _Cache(function.py_func)  # type: ignore[attr-defined]
        except (RuntimeError, OSError) as error:  # there is no source file to compare with
            _warn(str(error))
    return function


@functools.cache  # each reason once
def _warn(reason: str) -> None:
    logging.getLogger("streameval").warning(
        "Compiled functions cannot be kept for the next time (%s): they are compiled in memory. "
        "Set NUMBA_CACHE_DIR to a folder that can be written.",
        reason,
    )


class _Folder(InTreeCacheLocator):
    """The folder that ``NUMBA_CACHE_DIR`` names, made when there is something to keep.

    Numba would turn to other folders where this one cannot be written. Kernels in them
    would stay when a function that they call is edited.
    """

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _Folder | None:
        return cls(py_func, py_file) if Path(py_file).exists() else None

    def get_cache_path(self) -> str:
        below = self.get_suitable_cache_subpath(self._py_file)
        return str(Path(os.environ["NUMBA_CACHE_DIR"]).absolute() / below)


class _Implementation(CompileResultCacheImpl):
    _locator_classes = [_Folder]  # noqa: RUF012 - as numba declares it


class _Files(IndexDataCacheFile):
    """Numba's files, each with a checksum at its end, which unpickling passes over."""

    def save(self, key: Any, data: Any) -> None:
        """Keep the key too: of two processes that save at once, one's file may get lost."""
        super().save(key, (key, data))

    def load(self, key: Any) -> Any:
        found = super().load(key)
        return found[1] if found is not None and found[0] == key else None

    def _load_index(self) -> Any:
        return super()._load_index() if _is_whole(self._index_path) else {}

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
    try:
        content = Path(path).read_bytes()
    except OSError:
        return False
    return content[-_CHECKSUM_BYTES:] == _checksum(content[:-_CHECKSUM_BYTES])


def _checksum(content: bytes) -> bytes:
    return zlib.crc32(content).to_bytes(_CHECKSUM_BYTES, "little")


class _Cache(FunctionCache):
    """What numba asks for kernels, and gives them to."""

    _impl_class = _Implementation

    def __init__(self, py_func: Any) -> None:
        super().__init__(py_func)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = _Files(self._cache_path, self._impl.filename_base, stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception as error:  # whole, but of other packages: unpickling may raise anything
            logging.getLogger("streameval").debug("A kernel is compiled anew: %r", error)
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as error:
            self.disable()
            _warn(f"{os.environ['NUMBA_CACHE_DIR']}: {error.strerror}")
